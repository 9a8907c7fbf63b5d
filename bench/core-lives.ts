import {
  type Command,
  initialState,
  type OutgoingEvent,
  policyOf,
  type State,
  step,
  type WorldConfig,
} from '../src/reference/core/index.ts';
import {
  standardBalances,
  standardCurrencies,
  standardOperator,
  standardParties,
} from '../src/reference/http/standard-world.ts';
import { random } from '../src/random/random.ts';
import type { EndpointName, PathParams } from '../src/spec/endpoints.ts';
import { formatTimestamp } from '../src/spec/forms.ts';
import { referenceAnswers } from '../src/spec/gaps/index.ts';
import { deadlines } from '../src/timeline/clock/deadline-heap.ts';
import { median } from './row.ts';

/** What the process tells its parent. */
export interface CoreLives {
  readonly perSecond: number;
  readonly events: number;
  readonly deadlines: number;
}

const drawn = random(3n, 'bench');
const parties = standardParties(drawn);
const config: WorldConfig = {
  assignment: referenceAnswers,
  operatorPartyId: standardOperator(drawn),
  parties: parties.map(({ partyId, role }) => ({ partyId, role })),
  currencies: standardCurrencies,
  openingBalances: standardBalances(parties, standardCurrencies),
  magicMemos: true,
};
const policy = policyOf(referenceAnswers);
const entropy = drawn.fork('entropy');

const partyOf = (name: string) => {
  const found = parties.find((one) => one.name === name);
  if (!found) throw new Error(`no party is called ${name}`);
  return { partyId: found.partyId, role: found.role };
};
const sender = partyOf('sender');
const maker = partyOf('maker_a');
const rival = partyOf('maker_b');
const order = {
  sender_custodian_party_id: partyOf('sender_custodian').partyId,
  intent_signature: 'ab12',
  receiver_party_id: partyOf('outsider').partyId,
  receiver_custodian_party_id: partyOf('receiver_custodian').partyId,
  source_currency: 'USD',
  target_currency: 'EUR',
  memo: 'bench',
};

/** Orders at once, and how long those take that are begun together. */
const batch = 20;
const settledAfterMs = 4_000;

/** A world of its own: so many orders, from their creation to the last deadline of each, through `step` alone. */
function live(orders: number): { readonly events: number; readonly deadlines: number } {
  let state: State = initialState(config, policy);
  let now = Date.UTC(2026, 0, 5, 9);
  let contracts = 0;
  let events: readonly OutgoingEvent[] = [];
  let told = 0;
  let fired = 0;
  const due = deadlines();

  function carryOut(command: Command, at: number) {
    const outcome = step(state, command, at);
    ({ state, events } = outcome);
    told += events.length;
    for (const deadline of outcome.deadlines) {
      due.add(deadline.at, () => {
        fired += 1;
        carryOut({ type: 'due', deadline, entropy: entropy.hex(32) }, deadline.at);
      });
    }
    return outcome.reply;
  }

  function fireUntil(instant: number): void {
    for (let next = due.peek(); next && next.instant <= instant; next = due.peek()) {
      due.remove(next);
      next.fire();
    }
  }

  function ask(
    caller: ReturnType<typeof partyOf>,
    endpoint: EndpointName,
    params: PathParams,
    body?: unknown,
  ): Readonly<Record<string, string>> {
    const reply = carryOut(
      { type: 'request', endpoint, caller, params, query: {}, body, entropy: entropy.hex(32) },
      now,
    );
    if (!reply?.ok) throw new Error(`${endpoint}: ${reply?.error.detail}`);
    return reply.data as Readonly<Record<string, string>>;
  }

  function accepted(): string {
    const source_contract_id = `00ff#${(contracts += 1)}`;
    const target_amount = `${contracts}.${contracts % 10}5`;
    const asked = { ...order, source_contract_id, target_amount, source_amount_max: '20000.00' };
    const { intent_id = '' } = ask(sender, 'order.create', {}, asked);
    const offer = {
      fx_rate: '0.9',
      target_amount,
      valid_until: formatTimestamp(now + 30_000),
    };
    const { quote_id = '' } = ask(maker, 'quote.submit', { intent_id }, offer);
    ask(rival, 'quote.submit', { intent_id }, { ...offer, fx_rate: '0.89' });
    ask(sender, 'quote.accept', { intent_id, quote_id });
    return intent_id;
  }

  for (let lived = 0; lived < orders; lived += batch) {
    const ids = Array.from({ length: batch }, accepted);
    now += settledAfterMs;
    fireUntil(now);
    for (const intent_id of ids) {
      const { status } = ask(sender, 'order.read', { intent_id });
      if (status !== 'SETTLED') throw new Error(`the order is ${status}`);
    }
  }
  fireUntil(Number.POSITIVE_INFINITY);
  return { events: told / orders, deadlines: fired / orders };
}

const orders = 10_000;
live(orders);
const rates: number[] = [];
let seen = { events: 0, deadlines: 0 };
for (let round = 0; round < 5; round += 1) {
  const before = process.cpuUsage();
  seen = live(orders);
  const { user, system } = process.cpuUsage(before);
  rates.push(orders / ((user + system) / 1e6));
}
process.send?.({ perSecond: median(rates), ...seen } satisfies CoreLives);
process.disconnect?.();
