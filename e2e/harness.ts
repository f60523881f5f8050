/** What the browser tests start. */
export { type Longhaul, startLonghaul } from '../scripts/longhaul.ts';
