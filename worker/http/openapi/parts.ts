/**
 * Named parts of the document: each becomes a schema under `components/schemas` that others refer to. One list for what is sent, one for what is answered: a default that may be left out
 * of a body is always there in an answer.
 */
import { z } from 'zod';
import type { Json } from '../../domain/values.ts';

interface Named {
  id: string;
}
export const bodyParts = z.registry<Named>();
export const answerParts = z.registry<Named>();

/** As compared: optional fields count as fields, so that one that a schema forgets is found. Any JSON is a leaf. */
type Whole<T> = Json extends T ? 'json' : T extends readonly (infer E)[] ? Whole<E>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
type Same<A, B> = [Whole<A>] extends [Whole<B>] ? ([Whole<B>] extends [Whole<A>] ? unknown : 'the schema takes less than the type') : 'the schema takes more than the type';

/** A part of answers whose schema must say the same as the type that the code works with: else it does not compile. */
export function part<T>() {
  return <S extends z.ZodType>(id: string, schema: S & Same<z.output<S>, T>): S => {
    answerParts.add(schema, { id });
    return schema;
  };
}

/** A part of answers that has no type elsewhere. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  answerParts.add(schema, { id });
  return schema;
}

/** A part of bodies. */
export function sent<S extends z.ZodType>(id: string, schema: S): S {
  bodyParts.add(schema, { id });
  return schema;
}
