import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { contractPath, contractText, typesPath, typesText } from './generate-client.ts';

it('the contract in the client package is that of the routes, and its types are those of the contract; else run node scripts/generate-docs.ts', async () => {
  const contract = await contractText();
  expect(readFileSync(contractPath, 'utf8') === contract, 'client/openapi.json has drifted').toBe(true);
  expect(readFileSync(typesPath, 'utf8') === (await typesText(contract)), 'client/schema.d.ts has drifted').toBe(true);
});
