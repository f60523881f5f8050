/** Writes what the client package takes from the Worker: the contract, and its types. `scripts/generate-docs.ts` runs it; a test fails where the files differ from it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { inRoot } from './repository.ts';

export const contractPath = inRoot('client/openapi.json');
export const typesPath = inRoot('client/schema.d.ts');

/** What the runtime gives to the Worker is not there in Node, and nothing of it is used to describe the routes. */
function standIn(): void {
  const url = pathToFileURL(inRoot('testing/cloudflare-workers.ts')).href;
  registerHooks({ resolve: (specifier, context, next) => (specifier === 'cloudflare:workers' ? { url, shortCircuit: true } : next(specifier, context)) });
}

/** The contract as the Worker serves it. */
export async function contractText(): Promise<string> {
  standIn();
  // A constant of the build; here there is none. Routes of development are no part of the contract either way.
  Object.assign(globalThis, { __LONGHAUL_DEV__: false });
  const [{ routes }, { openApiDocument }] = await Promise.all([import('../worker/http/routes.ts'), import('../worker/http/openapi/document.ts')]);
  return `${JSON.stringify(openApiDocument(routes), null, 1)}\n`;
}

export async function typesText(contract: string): Promise<string> {
  const nodes = await openapiTS(JSON.parse(contract) as Parameters<typeof openapiTS>[0] & object, { defaultNonNullable: false });
  return `/** Written by scripts/generate-client.ts. Change the schemas of the routes, not this file. */\n${astToString(nodes)}`;
}

/** The types take two seconds: they are made where the contract changed. */
export async function writeClient(): Promise<void> {
  const contract = await contractText();
  if (existsSync(typesPath) && existsSync(contractPath) && readFileSync(contractPath, 'utf8') === contract) return;
  writeFileSync(contractPath, contract);
  writeFileSync(typesPath, await typesText(contract));
}
