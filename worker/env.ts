/** What the platform binds to this Worker. `wrangler.toml` is the other half of this list. */
import type { DispatchMessage } from './goal/ports.ts';
import type { MetricsSink } from './observe/metrics.ts';

declare global {
  /** Set at build time by `define` in `wrangler.toml`: true in development, false in production. */
  const __LONGHAUL_DEV__: boolean;
}

export interface Env {
  /** One object per Goal, named `<workspace>/<goal>`. */
  GOALS: DurableObjectNamespace;
  /** One object per dispatched round or check. */
  RUNNERS: DurableObjectNamespace;
  /** One object per workspace, named by it: settings, sealed secrets, budget, audit. */
  WORKSPACES: DurableObjectNamespace;
  /** One object per workspace, named by it: what leaves it for whoever does not watch it. */
  OUTBOXES: DurableObjectNamespace;
  /** The workspace's book. */
  DB: D1Database;
  /** Bytes of files, under `ws/<workspace>/<goal>/<sha256>`. */
  FILES: R2Bucket;
  WORK: Queue<DispatchMessage>;
  /** Absent where an installation has no Dynamic Workers: only bundled skills run then. */
  LOADER?: WorkerLoader;
  /** Workers Analytics Engine. Absent: counters live as long as their isolate. */
  METRICS?: MetricsSink;
  /** Cloudflare's Browser Rendering. Absent: `browser.read` says what to do instead. */
  BROWSER?: Fetcher;
  /** The console's static files. */
  ASSETS?: Fetcher;
  /** `1` signs in the local workspaces on a loopback address, in a development build only. */
  LONGHAUL_DEV?: string;
  /** Workspaces of the development sign-in, separated by commas. */
  LONGHAUL_DEV_WORKSPACES?: string;
  /** Counters of the platform, a minute each: requests of one person or token; requests to `/auth`. Absent: counted in each isolate alone. */
  LIMIT_CALLERS?: RateLimit;
  LIMIT_SIGN_IN?: RateLimit;
  /** Requests a minute of one person or token, counted in each isolate. Default 1200. */
  LONGHAUL_CALLS_PER_MINUTE?: string;
  /** Where people reach this installation: `https://` and a host. */
  LONGHAUL_URL?: string;
  /** In development: the port of this machine where this Worker itself answers, set by the script that serves it. Nothing that it sends goes there. */
  LONGHAUL_LOCAL_PORT?: string;
  /** Signs cookies and links; at least 32 characters. Changing it signs everyone out. */
  LONGHAUL_AUTH_SECRET?: string;
  /** Cloudflare's way to send mail, where no mail service is set. */
  MAIL?: SendEmail;
  /** The mail service: its address, key, and who mails come from. */
  LONGHAUL_MAIL_URL?: string;
  LONGHAUL_MAIL_KEY?: string;
  LONGHAUL_MAIL_FROM?: string;
  /** Sign-in with an account elsewhere, where both are set. */
  LONGHAUL_GOOGLE_ID?: string;
  LONGHAUL_GOOGLE_SECRET?: string;
  LONGHAUL_GITHUB_ID?: string;
  LONGHAUL_GITHUB_SECRET?: string;
  /** `invited`: only whoever holds an open invitation may sign up. */
  LONGHAUL_SIGN_UP?: string;
  /** E-mail addresses, separated by commas, of who runs the installation. */
  LONGHAUL_OPERATORS?: string;
  /** Quotas of each workspace, whole numbers: goals that are open at once; bytes of stored files. Defaults: `worker/workspace/core/quotas.ts`. An operator sets others for single workspaces. */
  LONGHAUL_QUOTA_OPEN_GOALS?: string;
  LONGHAUL_QUOTA_STORAGE_BYTES?: string;
  /** Addresses of the loopback services that the invoice sample calls. */
  LONGHAUL_SUPPLIER_URL?: string;
  LONGHAUL_BANK_URL?: string;
  /** Where to ask by GET whether a call of theirs happened: `{key}` becomes its idempotency key; 200 that it did, 404 that it did not. */
  LONGHAUL_SUPPLIER_PROBE?: string;
  LONGHAUL_BANK_PROBE?: string;
  /** Cloudflare's models; production alone has it. */
  AI?: Ai;
  /** In development, for workspaces that have set no model: an OpenAI-compatible address with its `/v1`, a model, a key, a context window in tokens. */
  LONGHAUL_MODEL_URL?: string;
  LONGHAUL_MODEL?: string;
  LONGHAUL_MODEL_KEY?: string;
  LONGHAUL_MODEL_WINDOW?: string;
}
