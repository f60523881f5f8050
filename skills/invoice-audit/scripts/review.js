/** The review as a diligent and stubborn clerk does it: a question about an order number is followed through, whatever the host says meanwhile. */
import { review } from './lib-review.js';

export default function run(host, input) {
  return review(host, input, { listen: false });
}
