/** The scripts that have a name: what a request asks for as its model. */
import { report } from './report.ts';
import { asksRemote, keyedAnswer } from './connections.ts';
import { csvExport } from './csv-export.ts';
import { invoices } from './invoices.ts';
import { call, inTurn, type Script, say, tooMany, use } from '../script.ts';

/** Says back what it was asked. */
const echo: Script = (turn) => say(turn.asked);

/** Calls the first tool that it is offered, with no arguments, and then says what it got. */
const toolOnce: Script = (turn) => {
  const [result] = turn.results;
  if (result) return say(`got ${result.text}`);
  const [first] = turn.tools;
  return first === undefined ? say('no tool was offered') : use(call(first, {}));
};

/** Passes the test of a provider. */
const readsBack: Script = (turn) => (turn.results.length > 0 ? say('Done.') : use(call('read_back', { word: 'harbour' })));

/** Never calls a tool, whatever is asked. */
const talks: Script = () => say('I would call the tool now.');

const limited: Script = inTurn(tooMany(1), toolOnce);

export const scripts: Readonly<Record<string, Script>> = {
  echo,
  'tool-once': toolOnce,
  'reads-back': readsBack,
  talks,
  limited,
  invoices,
  'csv-export': csvExport,
  report,
  'keyed-answer': keyedAnswer,
  'asks-remote': asksRemote,
  silent: () => say(''),
  cut: () => use(call('look_up', { id: 'long enough to be cut in the middle' }), { drop: { at: 'call' } }),
  reset: () => ({ kind: 'reset' }),
  down: () => ({ kind: 'error', status: 500, message: 'The server had an error while processing your request' }),
};
