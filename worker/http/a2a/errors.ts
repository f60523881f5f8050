/** A refusal in the words of A2A. The code and the places stay in the details, so that a program need not read prose. */
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { type Refusal, refusalTable } from '../../domain/refusals.ts';

/** What is thrown into the SDK's handler, which makes the JSON-RPC error of it. */
export function errorOfRefusal(refusal: Refusal): Error {
  const row = refusalTable[refusal.code];
  const message = `${refusal.code}: ${refusal.detail ?? row.means} ${row.todo}`;
  const metadata = {
    code: refusal.code,
    status: String(row.status),
    retryable: String(row.retryable),
    ...(refusal.errors ? { errors: JSON.stringify(refusal.errors) } : {}),
    ...(refusal.current === undefined ? {} : { current: JSON.stringify(refusal.current) }),
  };
  if (row.status === 404) return new TaskNotFoundError({ message, metadata });
  if (row.status === 422) return new RequestMalformedError({ message, metadata });
  return new UnsupportedOperationError({ message, metadata });
}
