/** What a filter of the page asks for. */
import { expect, it } from 'vitest';
import { exportPath, queryOf } from './audit.ts';

const none = { by: '', type: '', from: '', to: '' };

it('asks for nothing that was not chosen, and for whole days', () => {
  expect([...queryOf(none)]).toEqual([]);
  const query = queryOf({ by: 'person:a', type: 'token.*', from: '2026-03-28', to: '2026-03-28' });
  expect([query.get('by'), query.get('type')]).toEqual(['person:a', 'token.*']);
  const [from, to] = [Number(query.get('from')), Number(query.get('to'))];
  expect(new Date(from).getHours()).toBe(0);
  expect(new Date(to).getDate()).toBe(29);
  expect(exportPath({ ...none, type: 'quotas.set' }, 'csv')).toMatch(/audit\/export\?type=quotas\.set&format=csv$/);
});
