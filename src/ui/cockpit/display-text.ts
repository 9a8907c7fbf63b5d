import { actions } from '../../cockpit/view/messages.ts';

/** Text of times, ids and names, for a person. */

export const shortId = (id: string): string => id.slice(0, 8);

/** `2030-01-01 00:00:04.250`, UTC. */
export const momentText = (at: number): string =>
  Number.isFinite(at) ? new Date(at).toISOString().replace('T', ' ').replace('Z', '') : '–';

export const timeText = (at: number): string => momentText(at).slice(11);

/** `250 ms`, `4.25 s`, `1 min 30 s`. */
export function spanText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${Number(seconds.toFixed(3))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const rest = Math.round(seconds % 60);
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Short party identifier: the name, and the first digits. */
export const partyText = (id: string): string => id.replace(/::(.{6}).*$/s, '::$1…');

export const states = ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED', 'EXPIRED', 'FAILED'] as const;

/** Names of the deadlines of the reference. */
const deadlineWords: Readonly<Record<string, string>> = {
  'order-validation': 'the order is validated',
  'order-expiry': 'the order expires',
  'quote-expiry': 'a quote ends',
  'settlement-start': 'the settlement starts',
  'settlement-leg': 'a leg of the settlement',
  'settlement-window': 'the settlement must have ended',
};

export const deadlineText = (what: string): string => deadlineWords[what] ?? what;

/** Names of requests, by endpoint. */
const callWords: Readonly<Record<string, string>> = {
  'token.create': 'get a token',
  'identity.read': 'who am I',
  'order.events': 'open stream',
  'rfq.read': 'read request',
  'maker.events': 'open stream',
  ...Object.fromEntries(Object.entries(actions).map(([name, { endpoint }]) => [endpoint, name])),
};

export const whatText = (what: string): string => callWords[what] ?? what.replaceAll('_', ' ');
