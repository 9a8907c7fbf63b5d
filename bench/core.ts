import { pathToFileURL } from 'node:url';
import { median, type Row } from './row.ts';
import { type Command, initialState, type State, step } from '../src/reference/core/index.ts';
import type { EndpointName, PathParams } from '../src/spec/endpoints.ts';
import { formatTimestamp } from '../src/spec/forms.ts';
import { referenceAnswers } from '../src/spec/gaps/index.ts';

const start = Date.UTC(2026, 0, 1);
const makers = ['1', '2', '3'].map((n) => `Maker::${n}`);
const huge = '99999999999999';
const caller = {
  sender: { partyId: 'Sender::1', role: 'institution' },
  custodian: { partyId: 'Custodian::1', role: 'custodian' },
  maker: { partyId: makers[0] as string, role: 'market-maker' },
} as const;

/** A world with so many open orders, and the commands of the mix against it. */
class Bench {
  readonly name: string;
  readonly open: number;
  #state: State;
  #drawn = 0;
  #picked = 12_345;
  readonly #ids: string[] = [];

  constructor(open: number) {
    this.open = open;
    this.name = `${open.toLocaleString('en')} open orders`;
    this.#state = initialState({
      parties: [...Object.values(caller), ...makers.slice(1).map(makerParty)],
      operatorPartyId: 'Operator::1',
      assignment: { ...referenceAnswers, 'order.lifetime': '3600s' },
      currencies: { USD: 2, EUR: 2 },
      openingBalances: [
        { partyId: 'Sender::1', currency: 'USD', amount: huge },
        ...makers.map((partyId) => ({ partyId, currency: 'EUR', amount: huge })),
      ],
      magicMemos: false,
    });
    for (let n = 0; n < open; n += 1) this.#create();
  }

  /** One round of the mix; its number of commands is the same whatever the size. */
  round(): number {
    this.#create();
    const intent_id = this.#pick();
    this.#ask('custodian', 'order.read', { intent_id });
    this.#ask('sender', 'order.list', {}, undefined, { page: String(1 + (this.#picked % 40)) });
    this.#ask('maker', 'rfq.list');
    const quote = this.#ask('maker', 'quote.submit', { intent_id }, offer);
    const { quote_id } = quote as { quote_id: string };
    this.#ask('custodian', 'quote.accept', { intent_id, quote_id });
    this.#due({ at: start, kind: 'settlement-start', intentId: intent_id, quoteId: quote_id });
    for (const leg of [1, 2, 3, 4] as const) {
      this.#due({ at: start, kind: 'settlement-leg', intentId: intent_id, quoteId: quote_id, leg });
    }
    return 11;
  }

  #create(): void {
    const { intent_id } = this.#ask('sender', 'order.create', {}, order) as { intent_id: string };
    this.#ids.push(intent_id);
  }

  /** Some open order, anywhere among them; it will not stay open. */
  #pick(): string {
    this.#picked = (this.#picked * 48_271) % 2_147_483_647;
    const place = this.#picked % this.#ids.length;
    const id = this.#ids[place] as string;
    this.#ids[place] = this.#ids.at(-1) as string;
    this.#ids.pop();
    return id;
  }

  #ask(
    as: keyof typeof caller,
    endpoint: EndpointName,
    params: PathParams = {},
    body?: unknown,
    query: Readonly<Record<string, string>> = {},
  ): unknown {
    const entropy = this.#entropy();
    const command: Command = {
      type: 'request',
      caller: caller[as],
      endpoint,
      params,
      query,
      body,
      entropy,
    };
    const { state, reply } = step(this.#state, command, start);
    if (!reply?.ok) throw new Error(`${endpoint}: ${reply?.error.detail}`);
    this.#state = state;
    return reply.data;
  }

  #due(deadline: Extract<Command, { type: 'due' }>['deadline']): void {
    const command: Command = { type: 'due', deadline, entropy: this.#entropy() };
    this.#state = step(this.#state, command, start + 1000).state;
  }

  #entropy(): string {
    this.#drawn += 1;
    return Math.imul(this.#drawn, 2_654_435_761)
      .toString(16)
      .replace('-', 'f')
      .padEnd(12, '7')
      .concat(this.#drawn.toString(16).padStart(20, '0'));
  }
}

const makerParty = (partyId: string) => ({ partyId, role: 'market-maker' }) as const;

const order = {
  sender_custodian_party_id: 'Custodian::1',
  intent_signature: 'ab12',
  receiver_party_id: 'Receiver::1',
  receiver_custodian_party_id: 'Custodian::2',
  source_contract_id: 'ab#0',
  source_currency: 'USD',
  target_currency: 'EUR',
  target_amount: '100.00',
  source_amount_max: '150.00',
};
const offer = {
  fx_rate: '0.9',
  target_amount: '100.00',
  valid_until: formatTimestamp(start + 60_000),
};

const rounds = 200;

/** Microseconds a command, over one batch. */
function costOf(bench: Bench): number {
  const began = performance.now();
  let commands = 0;
  for (let round = 0; round < rounds; round += 1) commands += bench.round();
  return ((performance.now() - began) * 1000) / commands;
}

/** Cost of a command among few and many open orders, in turns so that noise falls on both. */
export async function benchCore(batches = 60): Promise<Row[]> {
  const many = new Bench(1_000_000);
  const few = new Bench(1_000);
  const found: { readonly few: number; readonly many: number }[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    const one = { few: costOf(few), many: costOf(many) };
    if (batch >= batches / 6) found.push(one);
  }
  const perSecond = (cost: number): number => Math.round(1_000_000 / cost);
  return [
    ...[few, many].map((bench) => ({
      name: `core commands among ${bench.name}`,
      value: perSecond(median(found.map((one) => (bench === few ? one.few : one.many)))),
      unit: 'commands/s',
      aim: '',
    })),
    {
      name: 'cost of a core command among 1,000,000 open orders',
      value: median(found.map((one) => one.many / one.few)),
      unit: 'x among 1,000',
      aim: '<= 1.3',
    },
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, value, unit, aim } of await benchCore()) {
    process.stdout.write(`${name}: ${value.toFixed(2)} ${unit} ${aim}\n`);
  }
}
