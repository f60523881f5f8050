/** What people and tokens are called: for every member, without an address. */
import { applyD1Migrations } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Env } from '../env.ts';
import { joins, newPerson, newToken, newWorkspace, peopleCommand } from './testing/people.ts';

const env = bindings as unknown as Env & { MIGRATIONS: Parameters<typeof applyD1Migrations>[1] };
beforeAll(() => applyD1Migrations(env.DB, env.MIGRATIONS));

it('names members, those who left, and tokens, to a viewer too; a person who was erased has none', async () => {
  const [ann, ben, cleo] = [await newPerson(env, 'Ann'), await newPerson(env, 'Ben'), await newPerson(env, 'Cleo')];
  const [workspace, other] = [await newWorkspace(ann, 'Named'), await newWorkspace(cleo, 'Other')];
  await joins(ann, workspace, ben, 'viewer');
  await joins(ann, workspace, cleo, 'operator');
  const token = await newToken(ann, workspace, ['goals:read'], { name: 'nightly build' });
  await peopleCommand(ann, workspace, 'member.remove', { member: cleo.id });
  const names = async () => (await ben.ask<{ data: { principal: string; name: string }[] }>(`/v1/workspaces/${workspace}/names`)).body;
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted((await names()).data)).toEqual(
    sorted([
      { principal: `person:${ann.id}`, name: 'Ann' },
      { principal: `person:${ben.id}`, name: 'Ben' },
      { principal: `person:${cleo.id}`, name: 'Cleo' },
      { principal: `token:${token.id}`, name: 'nightly build' },
    ]),
  );
  expect(JSON.stringify(await names())).not.toContain('@');
  expect((await ben.ask(`/v1/workspaces/${other}/names`)).status).toBe(404);
  await peopleCommand(cleo, other, 'workspace.erase', { name: 'Other' });
  expect((await cleo.ask('/v1/me/erase', { body: { email: cleo.email } })).status).toBe(200);
  expect(JSON.stringify(await names())).not.toContain('Cleo');
});
