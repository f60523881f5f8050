/** Kinds of providers, profiles and warnings in words. */
import type { ProviderKind, TestProblem } from '../api/types.ts';
import { m } from '../paraglide/messages.js';

export const kindWords: Record<ProviderKind, () => string> = {
  anthropic: () => 'Anthropic',
  openai: () => 'OpenAI',
  google: () => 'Google',
  'openai-compatible': m.kind_compatible,
  'workers-ai': () => 'Cloudflare Workers AI',
};

const profileWords: Record<string, { name: () => string; help: () => string }> = {
  default: { name: m.profile_default, help: m.profile_default_help },
  coordinator: { name: m.lane_coordinator, help: m.profile_coordinator_help },
  worker: { name: m.lane_worker, help: m.profile_worker_help },
  reviewer: { name: m.lane_reviewer, help: m.profile_reviewer_help },
};
export const profileName = (name: string): string => profileWords[name]?.name() ?? name;
export const profileHelp = (name: string): string => profileWords[name]?.help() ?? '';

const warningWords: Record<string, () => string> = {
  window_small: m.warn_window_small,
  window_assumed: m.warn_window_assumed,
  price_unknown: m.warn_price_unknown,
  deprecated: m.warn_deprecated,
};
export const warningText = (code: string): string => warningWords[code]?.() ?? code.replaceAll('_', ' ');

/** Below this many tokens a conversation is compacted often. */
export const smallWindow = 100_000;

const problemWords: Record<TestProblem, () => string> = {
  key: m.test_key,
  permission: m.test_permission,
  quota: m.test_quota,
  model: m.test_no_model,
  too_long: m.test_too_long,
  content: m.test_content,
  address: m.test_address,
  request: m.test_request,
  limited: m.test_limited,
  overloaded: m.test_overloaded,
  network: m.test_network,
  cut: m.test_cut,
  timeout: m.test_timeout,
  no_tool_call: m.test_no_tools,
  wrong_arguments: m.test_wrong_arguments,
  no_answer: m.test_no_answer,
  unknown: m.test_unknown,
};
/** A newer server may send a code that is not known here. */
export const testProblemWords = (code: TestProblem): string => (problemWords[code] ?? m.test_unknown)();
