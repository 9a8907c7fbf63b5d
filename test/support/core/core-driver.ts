import type { EndpointName, PathParams } from '../../../src/spec/endpoints.ts';
import { formatTimestamp } from '../../../src/spec/forms.ts';
import { type Assignment, referenceAnswers } from '../../../src/spec/gaps/index.ts';
import { cast, type CastName, castNames } from '../../../src/spec/requirements/requirement.ts';
import type { OrderState } from '../../../src/spec/vocabulary.ts';
import type {
  Command,
  Deadline,
  Fault,
  OutgoingEvent,
  PartyRecord,
  Reply,
  WorldConfig,
} from '../../../src/reference/core/contract.ts';
import { type Policy, policyOf } from '../../../src/reference/core/policy/index.ts';
import { orderOf } from '../../../src/reference/core/state-queries.ts';
import { initialState, type State } from '../../../src/reference/core/state.ts';
import { step } from '../../../src/reference/core/step.ts';

export const epoch = Date.UTC(2026, 0, 1);

const partyId = (name: CastName): string =>
  `${name}::${(castNames.indexOf(name) + 160).toString(16)}`;
export const parties = Object.fromEntries(
  castNames.map((name) => [name, { partyId: partyId(name), role: cast[name] }]),
) as Readonly<Record<CastName, PartyRecord>>;
export const receiver = 'Receiver::beef';

export const orderBody = {
  sender_custodian_party_id: parties.sender_custodian.partyId,
  intent_signature: 'c0ffee',
  receiver_party_id: receiver,
  receiver_custodian_party_id: parties.receiver_custodian.partyId,
  source_contract_id: 'abc123#0',
  source_currency: 'USD',
  target_currency: 'EUR',
  target_amount: '100.00',
  source_amount_max: '150.00',
  memo: 'rent',
};

export function configOf(answers: Partial<Assignment> = {}): WorldConfig {
  return {
    parties: Object.values(parties),
    operatorPartyId: 'Operator::00',
    assignment: { ...referenceAnswers, ...answers },
    currencies: { USD: 2, EUR: 2, JPY: 0, KWD: 3 },
    openingBalances: Object.values(parties)
      .filter(({ role }) => role !== 'custodian')
      .flatMap((party) =>
        ['USD', 'EUR', 'JPY'].map((currency) => ({
          partyId: party.partyId,
          currency,
          amount: '100000',
        })),
      ),
    magicMemos: true,
  };
}

export interface RecordedEvent extends OutgoingEvent {
  readonly at: number;
}

type Data = Record<string, unknown>;

/** Drives the core: sends requests as any party, moves time, and fires due deadlines. */
export class CoreDriver {
  state: State;
  now = epoch;
  readonly events: RecordedEvent[] = [];
  /** All commands, so that they can be repeated. */
  readonly log: { readonly command: Command; readonly now: number }[] = [];
  #due: Deadline[] = [];
  #drawn = 0;

  constructor(answers: Partial<Assignment> = {}, bend: (policy: Policy) => Policy = (p) => p) {
    const config = configOf(answers);
    this.state = initialState(config, bend(policyOf(config.assignment)));
  }

  do(command: Command): Reply | undefined {
    this.log.push({ command, now: this.now });
    const { state, reply, events, deadlines } = step(this.state, command, this.now);
    this.state = state;
    this.events.push(...events.map((event) => ({ ...event, at: this.now - epoch })));
    this.#due = [...this.#due, ...deadlines].sort((one, other) => one.at - other.at);
    return reply;
  }

  ask(
    as: CastName,
    endpoint: EndpointName,
    params: PathParams = {},
    more: { body?: unknown; query?: Record<string, string> } = {},
  ): Reply {
    const reply = this.do({
      type: 'request',
      endpoint,
      caller: parties[as],
      params,
      query: more.query ?? {},
      body: more.body,
      entropy: this.entropy(),
    });
    if (reply === undefined) throw new Error('a request was not answered');
    return reply;
  }

  /** The data of a reply that must be a success. */
  get(
    as: CastName,
    endpoint: EndpointName,
    params: PathParams = {},
    more: { body?: unknown; query?: Record<string, string> } = {},
  ): Data {
    const reply = this.ask(as, endpoint, params, more);
    if (!reply.ok) throw new Error(`${endpoint} was refused: ${JSON.stringify(reply.error)}`);
    return reply.data as Data;
  }

  list(
    as: CastName,
    endpoint: EndpointName,
    params: PathParams = {},
    query: Record<string, string> = {},
  ): readonly Data[] {
    return this.get(as, endpoint, params, { query }) as unknown as readonly Data[];
  }

  /** The code of a refusal, `ok` of a success. */
  code(...call: Parameters<CoreDriver['ask']>): string {
    const reply = this.ask(...call);
    return reply.ok ? 'ok' : reply.error.code;
  }

  create(body: Record<string, unknown> = {}): string {
    const data = this.get('sender', 'order.create', {}, { body: { ...orderBody, ...body } });
    return data.intent_id as string;
  }

  offer(more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      fx_rate: '0.8',
      target_amount: '100.00',
      valid_until: formatTimestamp(this.now + 20_000),
      ...more,
    };
  }

  quote(intent_id: string, as: CastName = 'maker_a', more: Record<string, unknown> = {}): string {
    const body = this.offer(more);
    return this.get(as, 'quote.submit', { intent_id }, { body }).quote_id as string;
  }

  accept(intent_id: string, quote_id: string, as: CastName = 'sender'): Data {
    return this.get(as, 'quote.accept', { intent_id, quote_id });
  }

  fault(target: string, fault: Fault | null): void {
    this.do({ type: 'fault', target, fault });
  }

  status(intentId: string): OrderState | undefined {
    return orderOf(this.state, intentId)?.status;
  }

  /** Moves time, firing what falls due at its own moment. */
  wait(ms: number): void {
    const end = this.now + ms;
    for (let next = this.#due[0]; next && next.at <= end; next = this.#due[0]) {
      this.#due = this.#due.slice(1);
      this.now = Math.max(this.now, next.at);
      this.do({ type: 'due', deadline: next, entropy: this.entropy() });
    }
    this.now = end;
  }

  /** An order brought to a state by the plainest way. */
  orderIn(state: OrderState): { readonly intent_id: string; readonly quote_id: string } {
    const intent_id = this.create();
    const quote_id = this.quote(intent_id);
    const drive: Record<OrderState, () => void> = {
      PENDING: () => undefined,
      QUOTED: () => this.accept(intent_id, quote_id),
      EXECUTING: () => {
        this.accept(intent_id, quote_id);
        this.wait(600);
      },
      SETTLED: () => {
        this.accept(intent_id, quote_id);
        this.wait(5000);
      },
      EXPIRED: () => this.wait(60_000),
      FAILED: () => {
        this.get('sender', 'order.cancel', { intent_id });
      },
    };
    drive[state]();
    return { intent_id, quote_id };
  }

  /** Events about one order since a mark: `addressee event`, in order. */
  eventsSince(since = 0): readonly string[] {
    return this.events.slice(since).map(({ to, event }) => `${to.split('::')[0]} ${event}`);
  }

  entropy(): string {
    this.#drawn += 1;
    return this.#drawn.toString(16).padStart(12, '0').padEnd(32, '5');
  }
}
