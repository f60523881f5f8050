import { expect, it } from 'vitest';
import { localServers } from './local-servers.ts';

const list = (data: object[]) => Response.json({ object: 'list', data });
const never = new AbortController().signal;

it('offers what answers as a model server does, with the window where it says one', async () => {
  const asked: string[] = [];
  const answers: Record<string, () => Response> = {
    'http://127.0.0.1:11434/v1/models': () => list([{ id: 'qwen3:8b' }]),
    'http://127.0.0.1:8000/v1/models': () => list([{ id: 'some/model', max_model_len: 40_960 }]),
    'http://127.0.0.1:8080/v1/models': () => new Response('<html>a web page</html>'),
  };
  const found = await localServers(
    async (input) => {
      asked.push(String(input));
      const answer = answers[String(input)];
      if (!answer) throw new TypeError('connection refused');
      return answer();
    },
    never,
    [{ name: 'local', baseUrl: 'http://127.0.0.1:4711/v1' }],
  );
  expect(found.map(({ name, baseUrl, models }) => ({ name, baseUrl, models }))).toEqual([
    { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: [{ id: 'qwen3:8b' }] },
    { name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', models: [{ id: 'some/model', window: 40_960 }] },
  ]);
  expect(asked.toSorted()).toEqual([4711, 11434, 1234, 8080, 8000].map((port) => `http://127.0.0.1:${port}/v1/models`).toSorted());
});

it('sends the key of a named address to it alone', async () => {
  const sent: [string, string | null][] = [];
  await localServers(
    async (input, init) => {
      sent.push([String(input), new Headers(init?.headers).get('authorization')]);
      return list([]);
    },
    never,
    [{ name: 'local', baseUrl: 'http://127.0.0.1:4711/v1', key: 'k' }],
  );
  expect(sent.filter(([, key]) => key !== null)).toEqual([['http://127.0.0.1:4711/v1/models', 'Bearer k']]);
});
