/** A contract as people edit it: lines and numbers as text. What the form does not show is carried along untouched. */
import type { Contract, Criterion, Json, Milestone } from '../api/types.ts';

export interface ContractForm {
  title: string;
  objective: string;
  criteria: { id: string; text: string; verify: Criterion['verify']; checks: string[] }[];
  /** `tools`: names or prefixes that are forbidden outright, with commas between. Finer rules stay as they are. */
  nonGoals: { id: string; text: string; tools: string }[];
  /** JSON. */
  checks: string;
  /** `target`: a number as text; of one that is the size of a fact, empty. */
  milestones: { key: string; title: string; target: string; confirm: boolean }[];
  limits: { rounds: string; days: string; parallel: string; tokens: string; money: string; currency: string };
  planPolicy: Contract['planPolicy'];
}

const dayMs = 86_400_000;

/** Digits after the point of a currency, as the reader's own formats have it. */
export function decimalsOf(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

const trimmed = (value: number): string => String(Number(value.toFixed(3)));

export function formOfContract(contract: Contract): ContractForm {
  const { limits } = contract;
  const currency = limits.money?.currency ?? 'USD';
  return {
    title: contract.title,
    objective: contract.objective,
    criteria: contract.criteria.map(({ id, text, verify, checks }) => ({ id, text, verify, checks: [...checks] })),
    nonGoals: contract.nonGoals.map(({ id, text, forbids }) => ({
      id,
      text,
      tools: forbids
        .filter((rule) => rule.where.length === 0)
        .map((rule) => rule.tool)
        .join(', '),
    })),
    checks: contract.checks.length === 0 ? '' : JSON.stringify(contract.checks, null, 2),
    milestones: contract.milestones.map(({ key, title, target, confirm }) => ({ key, title, target: typeof target === 'number' ? String(target) : '', confirm })),
    limits: {
      rounds: String(limits.rounds),
      days: trimmed(limits.wallTimeMs / dayMs),
      parallel: String(limits.parallelRounds),
      tokens: limits.tokens === undefined ? '' : String(limits.tokens),
      money: limits.money === undefined ? '' : trimmed(limits.money.amount / 10 ** decimalsOf(currency)),
      currency,
    },
    planPolicy: contract.planPolicy,
  };
}

/** Places of the form that are wrong, each with a code; `criteria/0/text`. */
export type FormErrors = Record<string, 'required' | 'number' | 'json'>;
export type FilledContract = { ok: true; contract: Json } | { ok: false; errors: FormErrors };

/** `base`: the contract that was opened. */
export function contractOfForm(form: ContractForm, base: Contract): FilledContract {
  const errors: FormErrors = {};
  const needed = (place: string, text: string) => {
    if (text.trim() === '') errors[place] = 'required';
    return text.trim();
  };
  const number = (place: string, text: string, whole: boolean): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < 0 || (whole && !Number.isSafeInteger(value))) errors[place] = 'number';
    return value;
  };
  let checks: Json = [];
  if (form.checks.trim() !== '') {
    try {
      checks = JSON.parse(form.checks) as Json;
    } catch {
      errors.checks = 'json';
    }
    if (!Array.isArray(checks)) errors.checks = 'json';
  }
  const taken = new Set<string>();
  const named = (id: string, text: string, kind: string) => {
    const name = id !== '' && !taken.has(id) ? id : slugOf(text, kind, taken);
    taken.add(name);
    return name;
  };
  const { limits } = form;
  const money = limits.money.trim() === '' && base.limits.money === undefined ? undefined : number('limits/money', limits.money, false);
  if (form.criteria.length === 0) errors.criteria = 'required';
  const contract = {
    ...base,
    title: needed('title', form.title),
    objective: needed('objective', form.objective),
    criteria: form.criteria.map((criterion, index) => {
      const text = needed(`criteria/${index}/text`, criterion.text);
      return { id: named(criterion.id, text, 'criterion'), text, verify: criterion.verify, checks: criterion.verify === 'check' ? criterion.checks : [] };
    }),
    nonGoals: form.nonGoals.map((nonGoal, index) => {
      const text = needed(`nonGoals/${index}/text`, nonGoal.text);
      const before = base.nonGoals.find((entry) => entry.id === nonGoal.id)?.forbids ?? [];
      const tools = nonGoal.tools
        .split(/[,，\s]+/)
        .filter((tool) => tool !== '')
        .map((tool) => ({ tool, where: [] }));
      return { id: named(nonGoal.id, text, 'limit'), text, forbids: [...tools, ...before.filter((rule) => rule.where.length > 0)] };
    }),
    checks,
    milestones: form.milestones.map((entry, index): Milestone => {
      const title = needed(`milestones/${index}/title`, entry.title);
      const before = base.milestones.find((each) => each.key === entry.key)?.target;
      const target = entry.target.trim() === '' && before !== undefined && typeof before !== 'number' ? before : number(`milestones/${index}/target`, entry.target, true);
      return { key: named(entry.key, title, 'milestone'), title, target, confirm: entry.confirm };
    }) as unknown as Json,
    limits: {
      ...base.limits,
      rounds: number('limits/rounds', limits.rounds, true),
      wallTimeMs: Math.round(number('limits/days', limits.days, false) * dayMs),
      parallelRounds: number('limits/parallel', limits.parallel, true),
      ...(limits.tokens.trim() === '' && base.limits.tokens === undefined ? {} : { tokens: number('limits/tokens', limits.tokens, true) }),
      ...(money === undefined ? {} : { money: { amount: Math.round(money * 10 ** decimalsOf(limits.currency)), currency: limits.currency } }),
    },
    planPolicy: form.planPolicy,
  };
  return Object.keys(errors).length > 0 ? { ok: false, errors } : { ok: true, contract: contract as unknown as Json };
}

/** A stable id from the words of a line; a counted one where it has no Latin letters. */
export function slugOf(text: string, kind: string, taken: ReadonlySet<string>): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 5)
    .join('-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  const base = words.length >= 3 ? words : kind;
  for (let n = words.length >= 3 ? 1 : 2; ; n += 1) {
    const name = n === 1 ? base : `${base}-${words.length >= 3 ? n : n - 1}`;
    if (!taken.has(name)) return name;
  }
}

/** Keys and titles of the checks in the text, where it is JSON. */
export function checksIn(text: string): { key: string; title: string }[] {
  try {
    const list = JSON.parse(text || '[]') as unknown;
    if (!Array.isArray(list)) return [];
    return list.flatMap((entry: unknown) => {
      if (entry === null || typeof entry !== 'object' || !('key' in entry) || typeof entry.key !== 'string') return [];
      return [{ key: entry.key, title: 'title' in entry && typeof entry.title === 'string' ? entry.title : entry.key }];
    });
  } catch {
    return [];
  }
}
