import {
  type Command,
  type Order,
  ordersOf,
  type OutgoingEvent,
  orderOf,
  type PartyRecord,
  type Policy,
  type Quote,
  quoteOf,
  quotesOf,
  type State,
} from '../src/reference/core/index.ts';
import type {
  ResponseContext,
  Tamper,
  TamperContext,
  TamperedEvent,
  WireAnswer,
} from '../src/reference/http/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { EventName } from '../src/spec/events.ts';
import type { Pagination } from '../src/spec/resources.ts';

/** What mutations are made of. Every maker returns a maker of tampers: each world gets a fresh one. */

export type Json = Readonly<Record<string, unknown>>;
export type Request = Extract<Command, { readonly type: 'request' }>;
type Make = () => Tamper;
type Where = EndpointName | readonly EndpointName[];

const covers = (where: Where, endpoint: EndpointName | undefined): boolean =>
  typeof where === 'string'
    ? where === endpoint
    : endpoint !== undefined && where.includes(endpoint);

type Sections = { readonly [K in keyof Policy]?: Partial<Policy[K]> };

/** Other rules: members of the policy's sections are replaced. */
export const rules =
  (change: (policy: Policy) => Sections): Make =>
  () => ({
    policy: (policy) => {
      const merged: Record<string, unknown> = { ...policy };
      for (const [name, section] of Object.entries(change(policy))) {
        merged[name] = { ...policy[name as keyof Policy], ...section };
      }
      return merged as unknown as Policy;
    },
  });

/** The envelope of a successful answer. */
export interface Envelope {
  readonly data: unknown;
  readonly pagination?: Pagination;
  readonly meta: Json;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const envelopeOf = (wire: WireAnswer): Envelope | undefined =>
  wire.status < 300 && isObject(wire.body) && 'data' in wire.body
    ? (wire.body as unknown as Envelope)
    : undefined;

/** Answers, refusals among them. */
export const answers =
  (where: Where, change: (wire: WireAnswer, context: ResponseContext) => WireAnswer): Make =>
  () => ({
    response: (wire, context) => (covers(where, context.endpoint) ? change(wire, context) : wire),
  });

/** The envelopes of successful answers. */
export const envelopes = (
  where: Where,
  change: (envelope: Envelope, context: ResponseContext) => unknown,
): Make =>
  answers(where, (wire, context) => {
    const envelope = envelopeOf(wire);
    return envelope ? { ...wire, body: change(envelope, context) } : wire;
  });

export interface ItemContext extends ResponseContext {
  /** Place on its page, from 0; 0 where it comes alone. */
  readonly index: number;
  /** Of lists. */
  readonly pagination?: Pagination;
}

/** Each resource that an endpoint answers with, alone or in a list. */
export const items = (where: Where, change: (item: Json, context: ItemContext) => unknown): Make =>
  envelopes(where, ({ data, ...rest }, context) => {
    const { pagination } = rest;
    const one = (item: unknown, index: number): unknown =>
      isObject(item)
        ? change(item, { ...context, index, ...(pagination && { pagination }) })
        : item;
    return { data: Array.isArray(data) ? data.map(one) : one(data, 0), ...rest };
  });

/** Lists with other items in them; their pages are cut anew. Undefined leaves a list as it is. */
export const lists = (
  where: Where,
  choose: (context: ResponseContext) => readonly unknown[] | undefined,
): Make =>
  envelopes(where, (envelope, context) => {
    const { pagination } = envelope;
    const all = pagination && choose(context);
    if (!all) return envelope;
    const { page, page_size: size } = pagination;
    return {
      ...envelope,
      data: all.slice((page - 1) * size, page * size),
      pagination: {
        ...pagination,
        total_items: all.length,
        total_pages: Math.ceil(all.length / size),
      },
    };
  });

/** Endpoints at which an order shows. */
export const orderAnswers: readonly EndpointName[] = [
  'order.create',
  'order.read',
  'order.list',
  'order.cancel',
  'quote.accept',
  'proposal.accept',
];

/** What is sent in place of one kind of event. */
export const events =
  (
    name: EventName,
    change: (event: OutgoingEvent, context: TamperContext) => readonly TamperedEvent[],
  ): Make =>
  () => ({
    event: (event, context) => (event.event === name ? change(event, context) : [event]),
  });

/** Events of one kind that are not sent. */
export const unsent = (
  name: EventName,
  when: (event: OutgoingEvent, context: TamperContext) => boolean,
): Make => events(name, (event, context) => (when(event, context) ? [] : [event]));

/** Another payload for one kind of event. */
export const payloads = (
  name: EventName,
  change: (data: Json, event: OutgoingEvent, context: TamperContext) => unknown,
): Make =>
  events(name, (event, context) => [
    { ...event, data: change(event.data as Json, event, context) },
  ]);

/** A request becomes another before the core sees it; undefined leaves it as it is. */
export const requests =
  (where: Where, change: (request: Request, context: TamperContext) => Request | undefined): Make =>
  () => ({
    command: (command, context) =>
      command.type === 'request' && covers(where, command.endpoint)
        ? (change(command, context) ?? command)
        : command,
  });

/** Lets a request pass as if somebody else had sent it. */
export const actingAs = (
  where: Where,
  whom: (
    request: Request,
    order: Order | undefined,
    context: TamperContext,
  ) => PartyRecord | undefined,
): Make =>
  requests(where, (request, context) => {
    const caller = whom(request, orderAt(request, context.state), context);
    return caller && { ...request, caller };
  });

export const senderOf = (order: Order): PartyRecord => ({
  partyId: order.senderPartyId,
  role: 'institution',
});

export const senderCustodianOf = (order: Order): PartyRecord => ({
  partyId: order.senderCustodianPartyId ?? '',
  role: 'custodian',
});

const orderAt = ({ params }: Request, state: State): Order | undefined =>
  params.intent_id === undefined ? undefined : orderOf(state, params.intent_id);

/** The order that a resource or a payload speaks of. */
export const orderIn = ({ state }: TamperContext, item: Json): Order | undefined =>
  typeof item.intent_id === 'string' ? orderOf(state, item.intent_id) : undefined;

export const quoteIn = ({ state }: TamperContext, item: Json): Quote | undefined =>
  typeof item.quote_id === 'string' ? quoteOf(state, item.quote_id) : undefined;

/** The order in the path of a request. */
export const orderAsked = ({ state, params }: ResponseContext): Order | undefined =>
  params.intent_id === undefined ? undefined : orderOf(state, params.intent_id);

export const quotesOn = ({ state }: TamperContext, intentId: string): readonly Quote[] =>
  quotesOf(state, intentId);

/** Orders of the sender with this party identifier, oldest first. */
export const ordersBy = ({ state }: TamperContext, partyId: string): readonly Order[] =>
  ordersOf(state).filter((order) => order.senderPartyId === partyId);

export const isOpen = ({ status }: Order): boolean => status === 'PENDING' || status === 'QUOTED';

/** Several tampers as one; no two may use the same hook. */
export const together =
  (...makes: readonly Make[]): Make =>
  () => {
    const made = makes.map((make) => make());
    return Object.assign({}, ...made) as Tamper;
  };

/** What a field holds, as text. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const without = (item: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/** A moment moved by so many milliseconds, as text. */
export const shifted = (moment: unknown, ms: number): string =>
  new Date(Date.parse(String(moment)) + ms).toISOString();

/** The views of a world, as its policy writes them. */
export const viewsOf = ({ state }: TamperContext): Policy['views'] => state.world.policy.views;

/** Views that see orders otherwise than they are. */
export const bentOrders = ({ views }: Policy, bend: (order: Order) => Order): Policy['views'] => ({
  ...views,
  order: (order) => views.order(bend(order)),
  acceptance: (order) => views.acceptance(bend(order)),
  rfqItem: (order) => views.rfqItem(bend(order)),
  rfqDetail: (order, active, own) => views.rfqDetail(bend(order), active, own),
});

/** The order that an event is about. */
export const orderOfEvent = (
  { intentId }: OutgoingEvent,
  { state }: TamperContext,
): Order | undefined => orderOf(state, intentId);

/** A party of a role that has no part in an order. */
export const stranger = (
  role: string,
  order: Order,
  { parties }: TamperContext,
): string | undefined =>
  parties.find(
    ({ partyId, role: own }) =>
      own === role &&
      ![order.senderPartyId, order.senderCustodianPartyId, order.receiverCustodianPartyId].includes(
        partyId,
      ),
  )?.partyId;
