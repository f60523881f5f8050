/** What a plan of another tool says, before it is a plan here: tasks by their names in the file, and what could be read in more than one way. */

/** One task of the file. Names are unique: who reads the file makes them so, and notes it. */
export interface ImportedTask {
  /** As the file has it, e.g. `3.1`, `bd-2oo.1`, `T012`. */
  name: string;
  title: string;
  /** What is to be done, all texts of the file in order. */
  text: string;
  /** How the file wants it verified; empty where it does not say. */
  verified: string;
  after: readonly { name: string; kind: 'hard' | 'soft' }[];
  parent?: string;
  /** As the file has it; `open` where nothing is taken over from it. */
  status: string;
  required: boolean;
  /** JSON pointer or `line N`. */
  where: string;
}

export const noteCodes = {
  duplicate_id: 'Two tasks of one name: the later ones have a number added. What depends on the name depends on the first.',
  dependency_unknown: 'A dependency on something that is not in the file: left out.',
  dependency_ambiguous: 'A dependency that two tasks answer to: the nearer one was taken.',
  dependency_on_itself: 'A task that depends on itself: left out.',
  dependency_left_out: 'A dependency on a task that was not taken over: left out.',
  left_out: 'A task that the file has deleted or cancelled: not taken over.',
  not_required: 'A task that the file has put off: taken over as not required.',
  status_not_taken: 'The file says how far this task is. Here only an accepted submission says so: it starts as open.',
  status_unknown: 'A status of no known meaning: read as open.',
  tag_prefixed: 'The file has several lists with the same ids: names are prefixed by the list.',
  order_from_document: 'The format implies an order of phases and tasks: taken over as dependencies.',
  order_not_taken: 'The order in which tasks are written was not read as a dependency.',
  prose_dependency: 'A sentence outside of a task speaks of an order: not taken over.',
  comment_ignored: 'A comment speaks to whoever fills in the file: not followed, not taken over.',
  link_not_taken: 'A link between tasks that is no order (related, discovered from): not taken over.',
  older_line: 'The file has this task twice at different times: the newest line counts.',
  title_cut: 'A title of more than 200 characters: its beginning is the title, all of it is in the objective.',
  text_moved: 'A text of more than 8,000 characters: whole in the input of the item, its beginning in the objective.',
  already_in_plan: 'The plan has an item of this key: it stays as it is.',
} as const;
export type NoteCode = keyof typeof noteCodes;

/** Something a person should look at. `key`: the item of the plan it is about. */
export interface ImportNote {
  code: NoteCode;
  where: string;
  key?: string;
  detail?: string;
}

export interface Reading {
  tasks: ImportedTask[];
  notes: ImportNote[];
}

/** The file is not what it was taken for. `where` as in a task. */
export class NotReadable extends Error {
  readonly where: string;
  constructor(where: string, detail: string) {
    super(detail);
    this.where = where;
  }
}

/** Gives each name once; a name that comes again gets a number, and a note says so. */
export class Names {
  readonly #taken = new Set<string>();

  fresh(name: string, where: string, notes: ImportNote[]): string {
    let given = name;
    for (let n = 2; this.#taken.has(given); n++) given = `${name}-${n}`;
    this.#taken.add(given);
    if (given !== name) notes.push({ code: 'duplicate_id', where, detail: `${name} comes again, as ${given}` });
    return given;
  }
}

const words = {
  open: new Set(['', 'open', 'pending', 'todo', 'backlog', 'blocked', 'ready']),
  further: new Set(['done', 'completed', 'complete', 'closed', 'review', 'in-progress', 'in_progress', 'hooked', 'pinned']),
  putOff: new Set(['deferred']),
  gone: new Set(['cancelled', 'canceled', 'tombstone', 'deleted']),
};

/** What a status of a file means for a plan. `gone`: the task is not taken over. */
export function readStatus(status: string, where: string, notes: ImportNote[]): { gone: boolean; required: boolean } {
  const said = status.toLowerCase();
  if (words.gone.has(said)) {
    notes.push({ code: 'left_out', where, detail: status });
    return { gone: true, required: false };
  }
  if (words.further.has(said)) notes.push({ code: 'status_not_taken', where, detail: status });
  else if (words.putOff.has(said)) notes.push({ code: 'not_required', where, detail: status });
  else if (!words.open.has(said)) notes.push({ code: 'status_unknown', where, detail: status.slice(0, 100) });
  return { gone: false, required: !words.putOff.has(said) };
}
