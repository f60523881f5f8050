/** Questions on the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** What is typed is not shown. */
export async function askSecret(name: string): Promise<string> {
  process.stderr.write(`${name} (not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
