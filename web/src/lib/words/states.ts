/** State is colour and icon and border and words: this is the one table of all four. */
import Archive from '@lucide/svelte/icons/archive';
import BadgeCheck from '@lucide/svelte/icons/badge-check';
import Circle from '@lucide/svelte/icons/circle';
import CircleDot from '@lucide/svelte/icons/circle-dot';
import CircleX from '@lucide/svelte/icons/circle-x';
import Contrast from '@lucide/svelte/icons/contrast';
import Redo from '@lucide/svelte/icons/corner-up-right';
import Hourglass from '@lucide/svelte/icons/hourglass';
import Inbox from '@lucide/svelte/icons/inbox';
import OctagonAlert from '@lucide/svelte/icons/octagon-alert';
import Undo from '@lucide/svelte/icons/undo-2';
import type { Component } from 'svelte';
import type { GraphNode, ItemState } from '../api/types.ts';
import { m } from '../paraglide/messages.js';

export type Family = 'neutral' | 'active' | 'review' | 'attention' | 'stop' | 'done';

interface StateLook {
  family: Family;
  icon: Component<{ size?: number | string; strokeWidth?: number | string; class?: string; 'aria-hidden'?: 'true' }>;
  word: () => string;
}

export const stateLook: Record<ItemState, StateLook> = {
  locked: { family: 'neutral', icon: Hourglass, word: m.state_locked },
  superseded: { family: 'neutral', icon: Archive, word: m.state_superseded },
  cancelled: { family: 'neutral', icon: CircleX, word: m.state_cancelled },
  ready: { family: 'active', icon: Circle, word: m.state_ready },
  assigned: { family: 'active', icon: CircleDot, word: m.state_assigned },
  running: { family: 'active', icon: Contrast, word: m.state_running },
  submitted: { family: 'review', icon: Inbox, word: m.state_submitted },
  changes_requested: { family: 'attention', icon: Undo, word: m.state_changes_requested },
  rejected: { family: 'attention', icon: Redo, word: m.state_rejected },
  blocked: { family: 'stop', icon: OctagonAlert, word: m.state_blocked },
  accepted: { family: 'done', icon: BadgeCheck, word: m.state_accepted },
};

/** The state with its number: which attempt, which submission, how many inputs. */
export function stateWords(node: GraphNode): string {
  switch (node.state) {
    case 'running':
      return m.state_running_n({ n: Math.max(1, node.attempts) });
    case 'assigned':
      return m.state_assigned_n({ n: Math.max(1, node.attempts) });
    case 'submitted':
      return m.state_submitted_n({ n: node.submissions });
    case 'locked':
      return node.inputs.of > 0 ? m.state_locked_n({ accepted: node.inputs.accepted, of: node.inputs.of }) : m.state_locked();
    default:
      return stateLook[node.state].word();
  }
}

export const verdictWords: Record<string, () => string> = {
  accepted: m.verdict_accepted,
  changes_requested: m.verdict_changes_requested,
  rejected: m.verdict_rejected,
  cannot_judge: m.verdict_cannot_judge,
};
export const verdictFamily: Record<string, Family> = { accepted: 'done', changes_requested: 'attention', rejected: 'attention', cannot_judge: 'neutral' };
export const attemptWords: Record<string, () => string> = {
  pending: m.attempt_pending,
  running: m.attempt_running,
  succeeded: m.attempt_succeeded,
  failed: m.attempt_failed,
  interrupted: m.attempt_interrupted,
  lost: m.attempt_lost,
  cancelled: m.attempt_cancelled,
};
export const attemptFamily: Record<string, Family> = {
  pending: 'active',
  running: 'active',
  succeeded: 'done',
  failed: 'stop',
  interrupted: 'attention',
  lost: 'attention',
  cancelled: 'neutral',
};
export const subagentWords: Record<string, () => string> = { open: m.sub_open, returned: m.sub_returned, failed: m.sub_failed, lost: m.sub_lost, cancelled: m.sub_cancelled };
export const subagentFamily: Record<string, Family> = { open: 'active', returned: 'done', failed: 'stop', lost: 'attention', cancelled: 'neutral' };
export const stopWords: Record<string, () => string> = { no_progress: m.stop_no_progress, attempts: m.stop_attempts, same_scene: m.stop_same_scene };
