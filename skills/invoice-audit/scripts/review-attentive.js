/** The review that heeds the host: at the first watch it decides with what it has, and digs no more. */
import { review } from './lib-review.js';

export default function run(host, input) {
  return review(host, input, { listen: true });
}
