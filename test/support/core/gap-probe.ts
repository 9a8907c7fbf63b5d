import type { Assignment, GapId, gaps } from '../../../src/spec/gaps/index.ts';
import { CoreDriver } from './core-driver.ts';

/** Gaps with more than one answer to choose from. */
export type OpenGap = {
  [Id in GapId]: (typeof gaps)[Id]['values'] extends readonly [string] ? never : Id;
}[GapId];

/** Those that the shell answers alone. */
export const httpGaps = [
  'auth.refusal_status',
  'auth.other_party',
  'token.algorithm',
  'token.audience_form',
  'token.lifetime',
  'token.role_claim',
  'request.unknown_query',
  'stream.auth',
  'error.shape',
  'error.statuses',
  'health.response',
  'limits.rate',
  'heartbeat.payload',
  'heartbeat.phase',
  'stream.resume',
  'stream.line_end',
  'stream.extra_events',
] as const satisfies readonly OpenGap[];
export type CoreGap = Exclude<OpenGap, (typeof httpGaps)[number]>;

/** What shows a gap's answer, and how it shows under each answer. */
export interface Probe<Value extends string> {
  readonly with?: Partial<Assignment>;
  readonly see: (core: CoreDriver) => unknown;
  readonly shows: { readonly [value in Value]: unknown };
}

export const many = (core: CoreDriver, count: number): void => {
  for (let n = 0; n < count; n += 1) core.create({ memo: String(n) });
};
export const memos = (core: CoreDriver, query: Record<string, string>) =>
  core.list('sender', 'order.list', {}, query).map(({ memo }) => memo);
export const paged = (core: CoreDriver, query: Record<string, string>) => {
  const reply = core.ask('sender', 'order.list', {}, { query });
  return reply.ok ? reply.pagination : reply.error.code;
};
export const read = (core: CoreDriver, intent_id: string) =>
  core.get('sender', 'order.read', { intent_id });
export const statuses = (core: CoreDriver, intent_id: string) =>
  core.list('sender', 'order.quotes', { intent_id }).map(({ status }) => status);
export const answerOf = (core: CoreDriver, ...call: Parameters<CoreDriver['ask']>) => {
  const reply = core.ask(...call);
  return reply.ok ? [reply.status, reply.data] : reply.error.code;
};
export const cancelled = (core: CoreDriver) => {
  const { intent_id } = core.orderIn('QUOTED');
  core.get('sender', 'order.cancel', { intent_id });
  return intent_id;
};
export const received = (core: CoreDriver, event: string) => {
  const names = core.events.filter((sent) => sent.event === event).map(({ to }) => to);
  return names.map((to) => to.split('::')[0]);
};
export const makers = ['maker_a', 'maker_b', 'maker_c'];
export const submit = (core: CoreDriver, intent_id: string, more: Record<string, unknown>) =>
  core.code('maker_a', 'quote.submit', { intent_id }, { body: core.offer(more) });

/** A probe for each of some gaps. */
export type Probes = { readonly [Gap in CoreGap]: Probe<Assignment[Gap]> };
