import type { Assignment, GapId, gaps } from '../../spec/gaps/index.ts';
import { Desk } from '../desk.testing.ts';

/** Gaps with more than one answer to choose from. */
export type OpenGap = {
  [Id in GapId]: (typeof gaps)[Id]['values'] extends readonly [string] ? never : Id;
}[GapId];

/** Those that the shell answers alone. */
export const shell = [
  'auth.refusal_status',
  'auth.other_party',
  'token.algorithm',
  'token.audience_form',
  'token.lifetime',
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
export type CoreGap = Exclude<OpenGap, (typeof shell)[number]>;

/** What shows a gap's answer, and how it shows under each answer. */
export interface Probe<Value extends string> {
  readonly with?: Partial<Assignment>;
  readonly see: (desk: Desk) => unknown;
  readonly shows: { readonly [value in Value]: unknown };
}

export const many = (desk: Desk, count: number): void => {
  for (let n = 0; n < count; n += 1) desk.create({ memo: String(n) });
};
export const memos = (desk: Desk, query: Record<string, string>) =>
  desk.list('sender', 'order.list', {}, query).map(({ memo }) => memo);
export const paged = (desk: Desk, query: Record<string, string>) => {
  const reply = desk.ask('sender', 'order.list', {}, { query });
  return reply.ok ? reply.pagination : reply.error.code;
};
export const read = (desk: Desk, intent_id: string) =>
  desk.get('sender', 'order.read', { intent_id });
export const statuses = (desk: Desk, intent_id: string) =>
  desk.list('sender', 'order.quotes', { intent_id }).map(({ status }) => status);
export const answerOf = (desk: Desk, ...call: Parameters<Desk['ask']>) => {
  const reply = desk.ask(...call);
  return reply.ok ? [reply.status, reply.data] : reply.error.code;
};
export const cancelled = (desk: Desk) => {
  const { intent_id } = desk.orderIn('QUOTED');
  desk.get('sender', 'order.cancel', { intent_id });
  return intent_id;
};
export const received = (desk: Desk, event: string) => {
  const names = desk.events.filter((sent) => sent.event === event).map(({ to }) => to);
  return names.map((to) => to.split('::')[0]);
};
export const makers = ['maker_a', 'maker_b', 'maker_c'];
export const submit = (desk: Desk, intent_id: string, more: Record<string, unknown>) =>
  desk.code('maker_a', 'quote.submit', { intent_id }, { body: desk.offer(more) });

/** A probe for each of some gaps. */
export type Probes = { readonly [Gap in CoreGap]: Probe<Assignment[Gap]> };
