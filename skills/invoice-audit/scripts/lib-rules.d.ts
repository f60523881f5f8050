/** Types of `lib-rules.js`, for the tests. */
import type { Invoice, PurchaseOrder } from '../../../samples/invoices/oracle.ts';

export function cents(amount: string): bigint;
export function decimal(value: bigint): string;
export function bare(number: string): string;
export function digitsOf(number: string): string;
export function toleranceOf(contractText: string): { permille: bigint } | null;
export function duplicates(invoices: readonly Invoice[]): Map<string, string>;
export interface Decision {
  verdict: 'approve' | 'needs_review';
  reason: string;
  evidence: string[];
  order: PurchaseOrder | null;
  tolerance: { permille: bigint } | null;
}
export interface Tables {
  twins: Map<string, string>;
  orders: Map<string, PurchaseOrder>;
  suppliers: Map<string, { bank_account: string; contract: string }>;
  contracts: Map<string, string>;
}
export function decide(invoice: Invoice, tables: Tables): Decision;
