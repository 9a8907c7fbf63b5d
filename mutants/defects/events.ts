import type { OutgoingEvent } from '../../src/reference/core/index.ts';
import type { FrameContext, TamperContext, TamperedEvent } from '../../src/reference/http/index.ts';
import type { EventName } from '../../src/spec/events.ts';
import { type About, type Make, type Nothing, about } from './context.ts';
import { makersIn } from './reading.ts';
import { type Json, without } from './values.ts';

/** Defects in the events of streams. */

/** The context of an event, with its order and its recipients. */
export interface Telling extends About {
  readonly to: string;
  readonly toSender: boolean;
  readonly toSenderCustodian: boolean;
  readonly data: Json;
  /** That the payload shows. */
  readonly status: unknown;
  /** Every market maker of the world. */
  readonly makers: readonly string[];
  /** Makers that have quoted the order. */
  readonly bidders: readonly string[];
}

const telling = (event: OutgoingEvent, context: TamperContext): Telling => {
  const { to } = event;
  const data = event.data as Json;
  const all = about(context, { intent_id: event.intentId });
  const { senderPartyId, senderCustodianPartyId } = all.order ?? {};
  return {
    ...all,
    to,
    toSender: to === senderPartyId,
    toSenderCustodian: to === senderCustodianPartyId,
    data,
    status: data.status,
    makers: makersIn(context),
    bidders: [...new Set(all.quotes.map(({ makerPartyId }) => makerPartyId))],
  };
};

type When = (context: Telling) => unknown;
type Change = (data: Json, context: Telling) => unknown;
type Fields = Json | ((data: Json, context: Telling) => Json | Nothing);

/** Replaces events of one kind by others. */
export const events =
  (
    name: EventName,
    change: (event: OutgoingEvent, context: Telling) => readonly TamperedEvent[],
  ): Make =>
  () => ({
    event: (event, context) =>
      event.event === name ? change(event, telling(event, context)) : [event],
  });

/** Drops events of one kind. */
export const unsent = (name: EventName, when: When): Make =>
  events(name, (event, context) => (when(context) ? [] : [event]));

/** Sends events of one kind twice. */
export const repeated = (name: EventName, when: When = () => true): Make =>
  events(name, (event, context) => (when(context) ? [event, event] : [event]));

/** Sends events of one kind to further recipients. */
export const alsoTo = (
  name: EventName,
  whom: (context: Telling) => string | readonly string[] | Nothing,
): Make =>
  events(name, (event, context) => {
    const more = [whom(context) || []].flat();
    return [event, ...more.map((to) => ({ ...event, to }))];
  });

/** Sends events of one kind to other recipients in place of the right ones. */
export const addressed = (name: EventName, whom: (context: Telling) => readonly string[]): Make =>
  events(name, (event, context) => whom(context).map((to) => ({ ...event, to })));

/** Changes the payload of one kind of event. */
export const payloads = (name: EventName, change: Change): Make =>
  events(name, (event, context) => [{ ...event, data: change(event.data as Json, context) }]);

/** Sets fields of a payload to other values. */
export const setPayload = (name: EventName, fields: Fields): Make =>
  setPayloadWhen(name, () => true, fields);

export const setPayloadWhen = (name: EventName, when: When, fields: Fields): Make =>
  payloads(name, (data, context) => {
    if (!when(context)) return data;
    const changed = typeof fields === 'function' ? fields(data, context) : fields;
    return changed ? { ...data, ...changed } : data;
  });

/** Removes fields of a payload. */
export const dropPayload = (name: EventName, ...names: readonly string[]): Make =>
  dropPayloadWhen(name, () => true, ...names);

export const dropPayloadWhen = (name: EventName, when: When, ...names: readonly string[]): Make =>
  payloads(name, (data, context) => (when(context) ? without(data, ...names) : data));

/** Defects in the messages of streams as they are written. */

/** Another text for one kind of message; undefined drops it. */
export const setFrame =
  (
    name: FrameContext['event'],
    change: (text: string, context: FrameContext) => string | undefined,
  ): Make =>
  () => ({
    frame: (text, context) => (context.event === name ? change(text, context) : text),
  });

/** Heartbeats that are not sent. */
export const dropHeartbeat = (when: (context: FrameContext) => boolean): Make =>
  setFrame('heartbeat', (text, context) => (when(context) ? undefined : text));
