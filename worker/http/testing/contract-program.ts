/** A program that has read the OpenAPI document and knows nothing else of Longhaul: it finds operations by what the document says of them, and builds each request from it. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}
interface Content {
  content?: { [type: string]: { schema: Schema } };
}
interface Described {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: { [status: string]: Content };
}
interface ContractDocument {
  servers: { url: string }[];
  components: { schemas: { [name: string]: Schema }; securitySchemes: { [name: string]: { type: string; scheme?: string } } };
  paths: { [path: string]: { [method: string]: Described } & { parameters?: Parameter[] } };
}

interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  described: Described;
}

/** Sends one request, and gives the answer back. */
type Send = (request: Request) => Promise<Response>;

export class ContractProgram {
  readonly #document: ContractDocument;
  readonly #from: string;
  readonly #send: Send;
  readonly #operations: Operation[];

  private constructor(document: ContractDocument, from: string, send: Send) {
    this.#document = document;
    this.#from = from;
    this.#send = send;
    this.#operations = Object.entries(document.paths).flatMap(([path, { parameters = [], ...methods }]) =>
      Object.entries(methods as { [method: string]: Described }).map(([method, described]) => ({
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        parameters: [...parameters, ...(described.parameters ?? [])],
        described,
      })),
    );
  }

  /** `from`: where the document is. */
  static async read(from: string, send: Send): Promise<ContractProgram> {
    return new ContractProgram(await (await send(new Request(from))).json<ContractDocument>(), from, send);
  }

  /** The one operation that takes a body of this `type` and these values for its path. */
  taking(type: string, path: { [name: string]: string }): { operation: Operation; body: Schema } {
    const found = this.#operations.flatMap((operation) =>
      fills(operation, path)
        ? this.#variants(operation.described.requestBody?.content?.['application/json']?.schema).flatMap((body) => (this.#typeOf(body) === type ? [{ operation, body }] : []))
        : [],
    );
    return one(found, `takes ${type}`);
  }

  /** The one operation of that method whose answer has these fields, or that kind of content, and whose path takes these values. */
  answering(method: string, wanted: { fields?: string[]; content?: string }, path: { [name: string]: string }): Operation {
    const { fields = [], content = 'application/json' } = wanted;
    const found = this.#operations.filter((operation) => {
      const answer = operation.described.responses['200']?.content?.[content];
      if (operation.method !== method || !fills(operation, path) || !answer) return false;
      const has = Object.keys(this.#resolved(answer.schema).properties ?? {});
      return fields.every((field) => has.includes(field));
    });
    return one(found, `answers ${fields.join(', ') || content}`);
  }

  /** The one operation that takes bytes. */
  storing(path: { [name: string]: string }): Operation {
    return one(
      this.#operations.filter((operation) => operation.method === 'PUT' && fills(operation, path) && operation.described.requestBody?.content?.['application/octet-stream']),
      'stores bytes',
    );
  }

  /** Gives a command: only fields that its schema knows, and all that it requires. */
  async command(token: string, type: string, path: { [name: string]: string }, given: { payload: object; expected?: object }): Promise<{ [field: string]: unknown }> {
    const { operation, body } = this.taking(type, path);
    const sent = { type, commandId: crypto.randomUUID(), ...given };
    this.#fit(body, sent, '');
    const answer = await this.call(token, operation, path, { body: JSON.stringify(sent), type: 'application/json' });
    return answer.json();
  }

  async call(token: string, operation: Operation, path: { [name: string]: string }, sent?: { body: BodyInit; type: string }): Promise<Response> {
    const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
    const base = new URL(this.#document.servers[0]?.url ?? '/', this.#from);
    const bearer = Object.values(this.#document.components.securitySchemes).find(({ type, scheme }) => type === 'http' && scheme === 'bearer');
    if (!bearer) throw new Error('the document names no bearer token');
    const headers = { authorization: `Bearer ${token}`, ...(sent ? { 'content-type': sent.type } : {}) };
    const answer = await this.#send(new Request(new URL(filled, base), { method: operation.method, headers, ...(sent ? { body: sent.body } : {}) }));
    if (!operation.described.responses[answer.status]) throw new Error(`${operation.id} answers ${answer.status}, which the document does not say`);
    if (!answer.ok) throw new Error(`${operation.id}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  #fit(schema: Schema, value: object, place: string): void {
    const { properties = {}, required = [], additionalProperties } = this.#resolved(schema);
    const missing = required.filter((name) => !(name in value));
    const foreign = additionalProperties === false ? Object.keys(value).filter((name) => !(name in properties)) : [];
    if (missing.length + foreign.length > 0)
      throw new Error(`${place || '/'}: the document asks for ${missing.join(', ') || 'nothing more'} and knows no ${foreign.join(', ') || 'other'}`);
    for (const [name, inner] of Object.entries(value))
      if (inner !== null && typeof inner === 'object' && !Array.isArray(inner) && properties[name]) this.#fit(properties[name], inner, `${place}/${name}`);
  }

  #resolved(schema: Schema): Schema {
    if (schema.$ref !== undefined) {
      const found = this.#document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];
      if (!found) throw new Error(`the document has no ${schema.$ref}`);
      return this.#resolved(found);
    }
    if (!schema.allOf) return schema;
    const parts = schema.allOf.map((part) => this.#resolved(part));
    return { ...schema, properties: Object.assign({}, ...parts.map(({ properties }) => properties)), required: parts.flatMap(({ required = [] }) => required) };
  }

  #variants(schema: Schema | undefined): Schema[] {
    if (!schema) return [];
    const whole = this.#resolved(schema);
    const several = whole.oneOf ?? whole.anyOf;
    return several ? several.flatMap((each) => this.#variants(each)) : [whole];
  }

  #typeOf(schema: Schema): unknown {
    return schema.properties?.type === undefined ? undefined : this.#resolved(schema.properties.type).const;
  }
}

/** The values are those that the path asks for, no more and no less. */
const fills = ({ path }: Operation, values: { [name: string]: string }): boolean =>
  [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join() === Object.keys(values).sort().join();

function one<T>(found: T[], what: string): T {
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw new Error(`the document has ${found.length} operations of which one ${what}`);
  return only;
}
