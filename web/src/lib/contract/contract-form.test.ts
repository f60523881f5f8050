import { describe, expect, it } from 'vitest';
import { contract as sample } from '../testing/csv-goal.ts';
import { checksIn, contractOfForm, formOfContract, slugOf } from './contract-form.ts';

describe('the contract as a form', () => {
  const base = {
    ...sample,
    nonGoals: [
      {
        id: 'bank',
        text: 'no bank',
        forbids: [
          { tool: 'bank.*', where: [] },
          { tool: 'mail.send', where: [{ pointer: '/to', equals: 'x' }] },
        ],
      },
    ],
    limits: { ...sample.limits, tokens: 5000, money: { amount: 1250, currency: 'EUR' } },
    policies: [{ tool: '*', where: [], then: 'ask' as const }],
    milestones: [
      { key: 'invoices', title: 'Invoices', target: { fact: 'scope' }, confirm: false },
      { key: 'pages', title: 'Pages', target: 3, confirm: true },
    ],
  };
  it('gives back what it was opened with', () => {
    expect(contractOfForm(formOfContract(base), base)).toEqual({ ok: true, contract: base });
  });
  it('keeps finer rules of a non-goal, and takes tools by commas', () => {
    const form = formOfContract(base);
    expect(form.nonGoals[0]?.tools).toBe('bank.*');
    form.nonGoals = [{ id: 'bank', text: 'no bank', tools: 'bank.*, supplier.update' }];
    const filled = contractOfForm(form, base);
    expect(filled).toMatchObject({ contract: { nonGoals: [{ forbids: [{ tool: 'bank.*' }, { tool: 'supplier.update' }, { tool: 'mail.send', where: [{ pointer: '/to' }] }] }] } });
  });
  it('names the place of what is wrong', () => {
    const form = formOfContract(base);
    form.title = ' ';
    form.criteria = [{ id: '', text: '', verify: 'attest', checks: [] }];
    form.checks = '{';
    form.limits = { ...form.limits, rounds: 'many', money: '-1' };
    expect(contractOfForm(form, base)).toEqual({
      ok: false,
      errors: { title: 'required', 'criteria/0/text': 'required', checks: 'json', 'limits/rounds': 'number', 'limits/money': 'number' },
    });
  });
  it('takes a number for a milestone, and leaves one that a fact sizes', () => {
    const form = formOfContract(base);
    form.milestones = [...form.milestones, { key: '', title: 'Letters', target: '20', confirm: false }];
    expect(contractOfForm(form, base)).toMatchObject({ contract: { milestones: [...base.milestones, { key: 'letters', title: 'Letters', target: 20, confirm: false }] } });
    form.milestones = [{ key: 'pages', title: 'Pages', target: '', confirm: false }];
    expect(contractOfForm(form, base)).toEqual({ ok: false, errors: { 'milestones/0/target': 'number' } });
  });
  it('counts money in the minor units of its currency', () => {
    const form = formOfContract(base);
    form.limits = { ...form.limits, money: '1200', currency: 'JPY' };
    expect(contractOfForm(form, base)).toMatchObject({ contract: { limits: { money: { amount: 1200, currency: 'JPY' } } } });
    form.limits = { ...form.limits, money: '0.29', currency: 'USD' };
    expect(contractOfForm(form, base)).toMatchObject({ contract: { limits: { money: { amount: 29, currency: 'USD' } } } });
  });
  it('finds ids that stay apart, also without Latin letters', () => {
    expect(slugOf('The file opens right in Excel, always', 'criterion', new Set())).toBe('the-file-opens-right-in');
    expect(slugOf('The file opens right in Excel', 'criterion', new Set(['the-file-opens-right-in']))).toBe('the-file-opens-right-in-2');
    expect(slugOf('文件能正确打开', 'criterion', new Set())).toBe('criterion-1');
    expect(slugOf('文件能正确打开', 'criterion', new Set(['criterion-1']))).toBe('criterion-2');
  });
  it('lists checks by key and title', () => {
    expect(checksIn('[{"key":"a","title":"A"},{"key":"b"},7]')).toEqual([
      { key: 'a', title: 'A' },
      { key: 'b', title: 'b' },
    ]);
    expect(checksIn('{')).toEqual([]);
  });
});
