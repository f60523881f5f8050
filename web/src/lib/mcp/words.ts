/** What a test of an MCP server came to, in words. */
import { m } from '../paraglide/messages.js';

const words: Record<string, () => string> = {
  key: m.server_key,
  permission: m.server_permission,
  request: m.server_request,
  address: m.server_address,
  limited: m.server_limited,
  overloaded: m.server_overloaded,
  network: m.server_network,
  timeout: m.server_timeout,
  unavailable: m.server_overloaded,
  setting_missing: m.server_secret,
  sealing_unavailable: m.server_secret,
};
export const serverProblemWords = (code: string): string => (words[code] ?? m.server_other)();
