import type { Order } from '../../src/reference/core/index.ts';
import type { WireAnswer } from '../../src/reference/http/index.ts';
import type { Pagination } from '../../src/spec/resources.ts';
import { about, type Answering, covers, type Make, type Nothing, type Where } from './context.ts';
import { isObject, type Json, text, without } from './values.ts';

/** Defects in answers. */

/** The envelope of a successful answer. */
export interface Envelope {
  readonly data: unknown;
  readonly pagination?: Pagination;
  readonly meta: Json;
}

const envelopeOf = (wire: WireAnswer): Envelope | undefined =>
  wire.status < 300 && isObject(wire.body) && 'data' in wire.body
    ? (wire.body as unknown as Envelope)
    : undefined;

type Wire<R> = (wire: WireAnswer, context: Answering) => R;

/** Answers, refusals among them. */
export const answers =
  (where: Where, change: Wire<WireAnswer>): Make =>
  () => ({
    response: (wire, context) =>
      covers(where, context.endpoint) ? change(wire, about(context, { ...context.params })) : wire,
  });

/** Changes status, body or header of an answer; an empty result leaves it unchanged. */
export const setAnswer = (where: Where, members: Wire<Partial<WireAnswer> | Nothing>): Make =>
  answers(where, (wire, context) => {
    const other = members(wire, context);
    return other ? { ...wire, ...other } : wire;
  });

/** Replaces an answer; an empty result leaves it unchanged. */
export const replace = (where: Where, other: Wire<WireAnswer | Nothing>): Make =>
  answers(where, (wire, context) => other(wire, context) || wire);

/** Answers with success and no content if an order is unknown. */
export const acceptUnknown = (where: Where, status: number): Make =>
  replace(where, (wire, { order }) => wire.status === 404 && !order && { status, headers: {} });

/** A fault of the server in place of some answers. */
export const fault = (where: Where, when: Wire<boolean>): Make =>
  setAnswer(where, (wire, context) => when(wire, context) && { status: 500 });

/** The envelopes of successful answers. */
export const envelopes = (
  where: Where,
  change: (envelope: Envelope, context: Answering) => unknown,
): Make =>
  answers(where, (wire, context) => {
    const envelope = envelopeOf(wire);
    return envelope ? { ...wire, body: change(envelope, context) } : wire;
  });

/** Other data in an envelope. */
export const setData = (where: Where, to: (data: unknown, context: Answering) => unknown): Make =>
  envelopes(where, ({ data, ...rest }, context) => ({ data: to(data, context), ...rest }));

/** Other members of the meta of an envelope. */
export const setMeta = (
  where: Where,
  members: (meta: Json, data: Json, context: Answering) => Json | Nothing,
): Make =>
  envelopes(where, ({ meta, ...rest }, context) => ({
    ...rest,
    meta: { ...meta, ...members(meta, rest.data as Json, context) },
  }));

/** Other members of the pagination of lists. */
export const setPagination = (
  where: Where,
  members: (pagination: Pagination, context: Answering, data: readonly unknown[]) => Json | Nothing,
): Make =>
  envelopes(where, (envelope, context) => {
    const { pagination } = envelope;
    const other = pagination && members(pagination, context, envelope.data as readonly unknown[]);
    return other ? { ...envelope, pagination: { ...pagination, ...other } } : envelope;
  });

/** Context of a resource, with its order and its quote. */
export interface ItemContext extends Answering {
  /** Present for lists. */
  readonly pagination?: Pagination;
}

export type When = (item: Json, context: ItemContext) => unknown;
export type To = (value: string) => unknown;
export type Fields = Json | ((item: Json, context: ItemContext) => Json | Nothing);

/** Changes each resource in the answers of an endpoint, alone or in a list. */
export const items = (where: Where, change: (item: Json, context: ItemContext) => unknown): Make =>
  envelopes(where, ({ data, ...rest }, context) => {
    const { pagination } = rest;
    const paged = { ...context, ...(pagination && { pagination }) };
    const one = (item: unknown): unknown =>
      isObject(item) ? change(item, about(paged, item)) : item;
    return { data: Array.isArray(data) ? data.map(one) : one(data), ...rest };
  });

/** Sets fields of a resource to other values. A resource without other values stays unchanged. */
export const set = (where: Where, fields: Fields): Make => setWhen(where, () => true, fields);

export const setWhen = (where: Where, when: When, fields: Fields): Make =>
  items(where, (item, context) => {
    if (!when(item, context)) return item;
    const other = typeof fields === 'function' ? fields(item, context) : fields;
    return other ? { ...item, ...other } : item;
  });

/** Adds fields of the stored order to a resource. */
export const leak = (where: Where, fields: (order: Order) => Json): Make =>
  set(where, (_, { order }) => order && fields(order));

/** Changes the text of one field if a resource has it. */
export const change = (where: Where, field: string, to: To): Make => set(where, changed(field, to));

/** Changed value of one field of a resource; false if the resource does not have it. */
export const changed =
  (field: string, to: To) =>
  ({ [field]: value }: Json): Json | false =>
    value !== undefined && { [field]: to(text(value)) };

/** Removes fields of a resource. */
export const drop = (where: Where, ...names: readonly string[]): Make =>
  dropWhen(where, () => true, ...names);

export const dropWhen = (where: Where, when: When, ...names: readonly string[]): Make =>
  items(where, (item, context) => (when(item, context) ? without(item, ...names) : item));
