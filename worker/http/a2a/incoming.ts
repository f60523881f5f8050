/** What an A2A message asks of Longhaul. It says what is meant; whether that may be done is the Goal's to decide. Pure. */
import type { Message, Part } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors';
import type { Json } from '../../domain/values.ts';
import type { BlockerView } from '../../domain/views/types.ts';

type Fields = { [key: string]: Json };

/** Texts of the message in order, and its data parts. An address counts as text: it is shown to whoever works, and fetched by nobody here. */
interface Said {
  texts: string[];
  data: Fields[];
}

export function saidBy(message: Message): Said {
  const said: Said = { texts: [], data: [] };
  for (const [at, part] of message.parts.entries()) add(said, part, at);
  if (said.texts.length === 0 && said.data.length === 0) throw new RequestMalformedError('A message needs a text part or a data part.');
  return said;
}

function add(said: Said, { content, filename }: Part, at: number): void {
  switch (content?.$case) {
    case 'text':
      said.texts.push(content.value);
      return;
    case 'url':
      said.texts.push([filename, content.value].filter(Boolean).join(': '));
      return;
    case 'data': {
      const value: unknown = content.value;
      if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new RequestMalformedError(`parts/${at}/data: an object is expected.`);
      said.data.push(value as Fields);
      return;
    }
    default:
      throw new ContentTypeNotSupportedError(`parts/${at}: bytes are not taken in a message. Store the file under the goal's files and name it.`);
  }
}

/** The payload of `goal.propose`: the sentence, and what a data part adds (a contract, a mode, limits, lanes). What does not belong there is refused by its place. */
export function proposalOf({ texts, data }: Said): Fields {
  const added: Fields = Object.assign({}, ...data);
  const { contract } = added;
  const objective = contract !== null && typeof contract === 'object' && !Array.isArray(contract) ? contract.objective : undefined;
  const sentence = texts.join('\n').trim() || (typeof objective === 'string' ? objective : '');
  return { sentence, ...added };
}

/** A message to a Goal that there is. */
export type Reply =
  | { kind: 'answer'; blocker: string; answer: Json; generation?: number }
  | { kind: 'confirm'; goalVersion: number }
  /** Said to the goal; a data part that is no answer is kept in the text, whatever is in it. */
  | { kind: 'say'; text: string };

/**
 * `{blocker?, answer, generation?}` answers a question, `{confirm: {goalVersion}}` confirms a draft. Text alone answers the one question that is open. Where several are open, or the text alone
 * cannot be what the form asks for, it says so instead of guessing.
 */
export function replyOf(said: Said, questions: readonly BlockerView[]): Reply {
  const [first] = said.data;
  if (first && said.data.length === 1) {
    const confirm = first.confirm;
    if (confirm !== null && typeof confirm === 'object' && !Array.isArray(confirm) && typeof confirm.goalVersion === 'number')
      return { kind: 'confirm', goalVersion: confirm.goalVersion };
    if ('answer' in first) {
      const blocker = typeof first.blocker === 'string' ? first.blocker : theOne(questions).id;
      return { kind: 'answer', blocker, answer: first.answer ?? null, ...(typeof first.generation === 'number' ? { generation: first.generation } : {}) };
    }
  }
  const text = [...said.texts, ...said.data.map((data) => JSON.stringify(data))].join('\n');
  if (questions.length === 0 || said.data.length > 0) return { kind: 'say', text };
  const question = theOne(questions);
  return { kind: 'answer', blocker: question.id, generation: question.generation, answer: inForm(question.form, text) };
}

function theOne(questions: readonly BlockerView[]): BlockerView {
  const [question] = questions;
  if (!question) throw new RequestMalformedError('No question is open.');
  if (questions.length > 1)
    throw new RequestMalformedError(`${questions.length} questions are open. Send a data part {blocker, answer}; blocker is one of: ${questions.map(({ id }) => id).join(', ')}.`);
  return question;
}

/** Text as the form takes it: itself, or the one text that an object must hold. The Goal checks the answer against the form in any case. */
function inForm(form: Json, text: string): Json {
  if (form === null || typeof form !== 'object' || Array.isArray(form) || form.type !== 'object') return text;
  const { properties, required } = form;
  if (properties === null || typeof properties !== 'object' || Array.isArray(properties)) return text;
  const names = Array.isArray(required) && required.length > 0 ? required : Object.keys(properties);
  const [name] = names;
  return names.length === 1 && typeof name === 'string' ? { [name]: text } : text;
}
