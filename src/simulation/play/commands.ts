import type { CallOptions, ListenOptions, Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { dataOf, fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { type OrderParts, orderBody } from '../../protocol/order-body.ts';
import { quoteBody, wholeAmount } from '../../protocol/quote-body.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import {
  type Command,
  type CommandName,
  type CommandOf,
  type CreateCommand,
  type Label,
  type PlannedParty,
  unknownOrder,
} from '../plan.ts';
import type { KnownOrder, LabelRegistry, OpenedStream } from './label-registry.ts';
import { expiryOf } from './step-instant.ts';

export type Effect =
  | { readonly took: true }
  /** Reason; equal reasons have equal words. */
  | { readonly took: false; readonly why: string };

export const took: Effect = { took: true };
export const nothing = (why: string): Effect => ({ took: false, why });

export interface CommandContext {
  readonly timeline: Pick<Timeline, 'now' | 'together'>;
  readonly assignment: Assignment;
  readonly book: LabelRegistry;
  /** Draws the identifiers of an order: they must be used only once. */
  readonly hexOf: (order: Label) => OrderParts['hex'];
  readonly partyIdOf: (name: string) => string | undefined;
  readonly firstToken: (party: string) => string | undefined;
  /** The last request of each party. */
  readonly last: Map<string, Request>;
  /** Parties that repeat a request without an answer. */
  readonly insistent: Set<string>;
  /** Fields that this target wants in every order. */
  readonly defaults: JsonObject;
  /** Fields of an order's creation that ask for a fault later. */
  readonly controlFor: (order: Label) => JsonObject | undefined;
  readonly disturbed: Set<string>;
}

export interface Sender extends Pick<Party, 'name' | 'role' | 'call'> {
  listen(options: ListenOptions): Promise<OpenedStream>;
}

export interface Request {
  readonly endpoint: EndpointName;
  readonly options: CallOptions;
}

export const noOrder = nothing('there is no such order');

const effectOf = (exchange: Exchange): Effect => {
  if (succeeded(exchange)) return took;
  return nothing(
    exchange.response ? `answered ${exchange.response.status}` : (exchange.error?.message ?? ''),
  );
};

/** Sends a request; once more if it had no answer and the party insists. */
async function send(context: CommandContext, party: Sender, request: Request): Promise<Exchange> {
  const { endpoint, options } = request;
  context.last.set(party.name, request);
  const exchange = await party.call(endpoint, options);
  if (!exchange.error || !context.insistent.delete(party.name)) return exchange;
  return party.call(endpoint, options);
}

/** Carries out one command as the party. The result of an earlier step that it needs must be known already. */
export async function carryOut(
  context: CommandContext,
  planned: PlannedParty,
  party: Sender,
  command: Command,
): Promise<Effect> {
  const { book } = context;
  if (isPlain(command)) {
    const effects: Effect[] = [];
    const requestsOf = plainCommands[command.do] as Plain<PlainCommand>;
    const requests = requestsOf(command, party.role, context.assignment);
    for (const { endpoint, order, token, ...options } of requests) {
      const known = order === undefined ? undefined : await book.order(order);
      const params = known && { params: { intent_id: known.intentId } };
      const credential = token && { credential: credentialOf(context, party, token) };
      const request = { endpoint, options: { ...options, ...params, ...credential } };
      const isMissing = order !== undefined && !known;
      effects.push(isMissing ? noOrder : effectOf(await send(context, party, request)));
    }
    return effects.find((effect) => !effect.took) ?? took;
  }
  const isMaker = party.role === 'market-maker';
  switch (command.do) {
    case 'create':
      return create(context, party, command);
    case 'quote':
      return quote(context, planned, party, command);
    case 'accept':
      return accept(context, party, command);
    case 'listen':
      return listen(context, party, command);
    case 'stop listening': {
      const known = await book.stream(command.stream);
      if (!known?.stream.isOpen) return nothing('the stream is not open');
      await known.stream.close();
      return took;
    }
    case 'ask with its first token':
      return askWithFirstToken(context, party);
    case 'repeat': {
      const last = context.last.get(party.name);
      return last ? effectOf(await send(context, party, last)) : nothing('it has sent nothing');
    }
    case 'burst': {
      const endpoint = isMaker ? 'rfq.list' : 'order.list';
      const calls = Array.from({ length: command.count }, (_, index) => {
        const call = () => party.call(endpoint);
        return [`${endpoint} ${index}`, call] as const;
      });
      const answers = await context.timeline.together(calls);
      return effectOf(answers[0] as Exchange);
    }
  }
}

/** A request without a body: for an order of the plan, for an id, or for no order at all. */
interface PlainRequest extends Pick<CallOptions, 'params' | 'query'> {
  readonly endpoint: EndpointName;
  readonly order?: Label;
  readonly token?: NonNullable<CommandOf<'stray'>['token']> | undefined;
}

type Plain<C> = (command: C, role: Role, assignment: Assignment) => readonly PlainRequest[];

/** Commands that send requests without a body, and do nothing else: their requests, in order. */
const plainCommands = {
  cancel: ({ order }) => [{ endpoint: 'order.cancel', order }],
  'accept the proposal': ({ order }) => [{ endpoint: 'proposal.accept', order }],
  read: ({ order }, role) => [{ endpoint: viewsOf(role)[0], order }],
  'list quotes': ({ order }, role) => [{ endpoint: viewsOf(role)[1], order }],
  'read settlement': ({ order }) => [{ endpoint: 'settlement.read', order }],
  look({ order }, role) {
    const [read, quotes, ...lists] = viewsOf(role);
    const settled = role === 'market-maker' ? (['settlement.read'] as const) : [];
    const ofOrder = [read, quotes, ...settled].map((endpoint) => ({ endpoint, order }));
    return [...ofOrder, ...lists.map((endpoint) => ({ endpoint }))];
  },
  list: (command, _, assignment) => [
    { endpoint: lists[command.what], query: queryOf(assignment, command) },
  ],
  'read stats': () => [{ endpoint: 'stats.read' }],
  'ask who it is': () => [{ endpoint: 'identity.read' }],
  stray({ endpoint, order, token }) {
    const about = order === undefined ? { params: { intent_id: unknownOrder } } : { order };
    return [{ endpoint, ...about, token }];
  },
} satisfies { readonly [N in CommandName]?: Plain<CommandOf<N>> };
type PlainCommand = CommandOf<keyof typeof plainCommands>;

const isPlain = (command: Command): command is PlainCommand =>
  Object.hasOwn(plainCommands, command.do);

/** Endpoints at which a role can see an order: those of one order first, then the lists. */
export const viewsOf = (role: Role) =>
  role === 'market-maker'
    ? (['rfq.read', 'rfq.quotes', 'rfq.list', 'quote.list'] as const)
    : (['order.read', 'order.quotes', 'order.list'] as const);

const lists = {
  orders: 'order.list',
  requests: 'rfq.list',
  quotes: 'quote.list',
  settlements: 'settlement.list',
} as const;

interface Page {
  readonly status?: string;
  readonly page?: number;
  readonly pageSize?: number;
}

/** Query of a page in the form that this target wants. */
export function queryOf(assignment: Assignment, { status, page, pageSize }: Page) {
  const first = Number(assignment['list.first_page']);
  const parameter = assignment['list.page_param'];
  const place =
    page === undefined
      ? undefined
      : parameter === 'offset'
        ? (page - 1) * (pageSize ?? 20)
        : page - 1 + first;
  return {
    ...(status !== undefined && { status }),
    ...(place !== undefined && { [parameter]: String(place) }),
    ...(pageSize !== undefined && { [assignment['list.page_size_param']]: String(pageSize) }),
  };
}

/** The fields of an order that a plan chooses; an undefined one is not sent. */
const contentOf = (command: CreateCommand) => ({
  source_currency: command.sourceCurrency,
  target_currency: command.targetCurrency,
  target_amount: command.targetAmount,
  source_amount_max: command.maximum,
  ...(command.memo !== undefined && { memo: command.memo ?? undefined }),
});

async function create(
  context: CommandContext,
  party: Sender,
  command: CreateCommand,
): Promise<Effect> {
  const { partyIdOf, book, timeline } = context;
  const control = context.controlFor(command.label);
  const body = orderBody({
    hex: context.hexOf(command.label),
    senderCustodian: partyIdOf(command.custodian),
    receiver: partyIdOf(command.receiver),
    receiverCustodian: partyIdOf(command.receiverCustodian),
    defaults: context.defaults,
    changes: {
      ...contentOf(command),
      ...(command.senderInBody !== undefined && {
        sender_party_id: partyIdOf(command.senderInBody),
      }),
      ...control,
    },
  });
  const exchange = await send(context, party, { endpoint: 'order.create', options: { body } });
  const intentId = textOf(fieldsOf(exchange), 'intent_id');
  if (intentId !== undefined) {
    if (control) context.disturbed.add(intentId);
    const expiresAt = parseTimestamp(textOf(fieldsOf(exchange), 'expires_at'));
    book.orders.set(command.label, {
      intentId,
      expiresAt: expiresAt ?? timeline.now() + 60_000,
      sender: party.name,
      create: command,
    });
  }
  return effectOf(exchange);
}

async function quote(
  context: CommandContext,
  { skewMs }: PlannedParty,
  party: Sender,
  command: Extract<Command, { readonly do: 'quote' }>,
): Promise<Effect> {
  const { book, assignment, timeline } = context;
  const order = await book.order(command.order);
  if (!order) return noOrder;
  const { validity, rate } = command;
  const validUntil =
    'forMs' in validity
      ? timeline.now() + skewMs + validity.forMs
      : order.expiresAt + validity.afterOrderMs;
  const answers = { get: (gap: keyof Assignment) => assignment[gap] };
  const amount = wholeAmount(order.create.targetAmount, rate, answers);
  const body = quoteBody(rate, amount, validUntil);
  const options = { params: { intent_id: order.intentId }, body };
  const exchange = await send(context, party, { endpoint: 'quote.submit', options });
  const quoteId = textOf(fieldsOf(exchange), 'quote_id');
  if (quoteId !== undefined)
    book.quotes.set(command.label, { maker: party.name, order, quoteId, validUntil });
  return effectOf(exchange);
}

async function accept(
  context: CommandContext,
  party: Sender,
  command: Extract<Command, { readonly do: 'accept' }>,
): Promise<Effect> {
  const order = await context.book.order(command.order);
  const taken = await context.book.quote(command.quote);
  if (!order || !taken) return order ? nothing('there is no such quote') : noOrder;
  const params = { intent_id: order.intentId, quote_id: taken.quoteId };
  const exchange = await send(context, party, { endpoint: 'quote.accept', options: { params } });
  noteAcceptance(order, exchange, context.timeline.now());
  return effectOf(exchange);
}

function noteAcceptance(order: KnownOrder, exchange: Exchange, now: number): void {
  if (dataOf(exchange) === undefined) return;
  order.acceptedAt ??= parseTimestamp(textOf(fieldsOf(exchange), 'quote_accepted_at')) ?? now;
}

async function listen(
  context: CommandContext,
  party: Sender,
  command: Extract<Command, { readonly do: 'listen' }>,
): Promise<Effect> {
  const { book } = context;
  const order = command.order === undefined ? undefined : await book.order(command.order);
  if (command.order !== undefined && !order) return noOrder;
  const before = command.resumes === undefined ? undefined : await book.stream(command.resumes);
  if (before?.stream.isOpen) await before.stream.close();
  const lastEventId = before?.stream.frames.findLast(({ eventId }) => eventId)?.eventId;
  const options: ListenOptions = {
    ...(order && { intentId: order.intentId }),
    ...(lastEventId !== undefined && { lastEventId }),
  };
  const stream = await party.listen(options);
  book.streams.set(command.label, { stream, party: party.name, order: command.order });
  return effectOf(stream.opened);
}

/** Within one second after its end, a token may still be accepted. */
const lateMs = 1_000;

const leftMsOf = (token: string | undefined, { timeline }: CommandContext): number =>
  (expiryOf(token) ?? Number.NaN) - timeline.now();

function credentialOf(context: CommandContext, { name }: Sender, which: 'none' | 'first') {
  if (which === 'none') return { label: which };
  const token = context.firstToken(name) ?? '';
  const leftMs = leftMsOf(token, context);
  const label = leftMs > 0 ? 'own' : leftMs < -lateMs ? 'expired token' : 'token at its end';
  return { label, token };
}

async function askWithFirstToken(context: CommandContext, party: Sender): Promise<Effect> {
  // A new token does not end an old one.
  if (leftMsOf(context.firstToken(party.name), context) > 0)
    await party.call('token.create', { credential: { label: 'none' } });
  const credential = credentialOf(context, party, 'first');
  const exchange = await party.call('identity.read', { credential });
  // An old token is sent to see a refusal, so a refusal counts as taken effect.
  return exchange.response ? took : effectOf(exchange);
}
