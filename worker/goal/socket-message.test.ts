import { expect, it } from 'vitest';
import { parseSocketMessage } from './socket-message.ts';

const say = (value: unknown) => parseSocketMessage(JSON.stringify(value));

it('takes a renewal and reads of the record', () => {
  expect(say({ kind: 'renew' })).toEqual({ kind: 'renew' });
  expect(say({ kind: 'read', id: 3, query: { what: 'item', item: 'server' } })).toEqual({ kind: 'read', id: 3, query: { what: 'item', item: 'server' } });
  expect(say({ kind: 'read', id: 4, query: { what: 'rows', kind: 'approval', prefix: 'apr_1', limit: 1 } })?.kind).toBe('read');
});
it('does not answer what only the host and its Runners ask', () => {
  expect(say({ kind: 'read', id: 1, query: { what: 'doctor' } })).toBeUndefined();
  expect(say({ kind: 'read', id: 1, query: { what: 'check', check: 'chk_1', fence: 1 } })).toBeUndefined();
});
it('ignores what it does not know, what is no JSON and what is too long', () => {
  expect(say({ kind: 'command', type: 'goal.cancel' })).toBeUndefined();
  expect(say({ kind: 'read', id: 1, query: { what: 'events', after: 0, limit: 100_000 } })).toBeUndefined();
  expect(parseSocketMessage('ping')).toBeUndefined();
  expect(parseSocketMessage(JSON.stringify({ kind: 'read', id: 1, query: { what: 'body', digest: 'x'.repeat(3000) } }))).toBeUndefined();
});
