import type { Random } from '../../random/random.ts';
import { endpoints } from '../../spec/endpoints.ts';
import { type Role, orderStates, quoteStates } from '../../spec/vocabulary.ts';
import {
  type Command,
  type CommandName,
  type CommandOf,
  type CreateCommand,
  type Validity,
  strayEndpoints,
} from '../plan.ts';
import { type Cost, drawMoney, drawRate } from './money.ts';
import { type Draws, type LikelyOrder, tokenLifetimeMs } from './population.ts';

export type DrawnCommand = { readonly by: string } & Command;
export type CreateStep = { readonly by: string } & CreateCommand;

const weighted = (random: Random, entries: readonly (readonly [CommandName, number])[]) => {
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.below(total);
  for (const [name, weight] of entries) {
    if (left < weight) return name;
    left -= weight;
  }
  return 'read';
};

const named = ({ parties }: Draws, ...roles: readonly Role[]): readonly string[] =>
  parties.filter(({ role }) => roles.includes(role)).map(({ name }) => name);

/** A party with a part in the order; sometimes any party. */
const sideOf = (draws: Draws, order: LikelyOrder): string =>
  draws.random.chance(0.9)
    ? draws.random.pick(
        [order.sender, order.custodian, order.receiverCustodian].filter((one) => one !== ''),
      )
    : draws.random.pick(draws.parties).name;

/** Draws one command of one party; undefined if nothing exists that it could be about. */
export function drawCommand(draws: Draws): DrawnCommand | undefined {
  const { random, swarm, population } = draws;
  // Most quotes would lapse if nobody were eager: a trade is what the service is for.
  const isEager = random.chance(swarm.eagerness) && population.hasUsableQuote(draws.now);
  const name = isEager ? 'accept' : weighted(random, swarm.commands);
  const anybody = random.pick(draws.parties).name;
  switch (name) {
    case 'create':
      return create(draws);
    case 'quote':
      return quote(draws);
    case 'accept':
      return accept(draws);
    case 'cancel': {
      const order = population.aim(name, ({ stage }) => stage === 'open');
      if (!order) return undefined;
      const by = random.chance(0.85) ? order.sender : anybody;
      if (by === order.sender && order.stage === 'open') order.stage = 'withdrawn';
      return { by, do: name, order: order.label };
    }
    case 'accept the proposal': {
      const order = population.aim(name, ({ stage }) => stage === 'open');
      if (!order) return undefined;
      return { by: random.chance(0.85) ? order.custodian : anybody, do: name, order: order.label };
    }
    case 'read':
    case 'list quotes': {
      const order = population.aim(name);
      if (!order) return undefined;
      const by = random.chance(0.6)
        ? sideOf(draws, order)
        : random.pick(named(draws, 'market-maker'));
      return { by, do: name, order: order.label };
    }
    case 'read settlement': {
      const order = population.aim(name, ({ acceptedAt }) => acceptedAt > 0);
      if (!order) return undefined;
      return { by: random.pick(named(draws, 'market-maker')), do: name, order: order.label };
    }
    case 'look': {
      const order = population.aim(name);
      return order && { by: sideOf(draws, order), do: name, order: order.label };
    }
    case 'list':
      return list(draws, anybody);
    case 'ask with its first token':
      // An old token is refused at every endpoint, whoever asks there.
      return random.chance(0.5)
        ? { by: anybody, do: 'stray', endpoint: random.pick(strayEndpoints), token: 'first' }
        : { by: anybody, do: name };
    case 'read stats':
    case 'ask who it is':
    case 'repeat':
      return { by: anybody, do: name };
    case 'stray': {
      const endpoint = random.pick(strayEndpoints);
      const order = random.chance(0.7) ? population.aim(name) : undefined;
      const by = order && random.chance(0.5) ? sideOf(draws, order) : anybody;
      const token = drawToken(draws);
      if (order) return { by, do: name, endpoint, order: order.label, ...token };
      // A party whose role may ask, so that only the order is wrong.
      return {
        by: random.pick(named(draws, ...endpoints[endpoint].roles)),
        do: name,
        endpoint,
        ...token,
      };
    }
    case 'burst':
      return { by: anybody, do: name, count: random.pick([3, 8, 25]) };
    case 'listen':
      return listen(draws, anybody);
    case 'stop listening': {
      const open = population.streams.filter(({ isOpen }) => isOpen);
      if (open.length === 0) return undefined;
      const stream = random.pick(open);
      stream.isOpen = false;
      return { by: stream.party, do: name, stream: stream.label };
    }
  }
}

/** Some requests are sent without a token; or with the first one of the party, which has ended after an hour. */
function drawToken({ random, now, startMs }: Draws): Pick<CommandOf<'stray'>, 'token'> {
  const isOld = now - startMs > tokenLifetimeMs;
  if (!random.chance(isOld ? 0.6 : 0.2)) return {};
  return { token: isOld && random.chance(0.7) ? 'first' : 'none' };
}

function create(draws: Draws): DrawnCommand | undefined {
  const { swarm, population } = draws;
  const open = population.orders.filter(({ stage }) => stage === 'open').length;
  return open < swarm.openOrders ? drawCreation(draws) : undefined;
}

/**
 * Draws the creation of an order by a drawn sender. `cost`: its cost compared with its maximum, at rate 1; drawn if
 * absent.
 */
export function drawCreation(draws: Draws, cost?: Cost): CreateStep {
  const { random, swarm, population, now } = draws;
  const [source = 'USD', target = 'EUR'] = random.shuffle(swarm.currencies);
  const institutions = named(draws, 'institution');
  const custodians = named(draws, 'custodian');
  const sender = random.pick(institutions);
  const own = custodians[institutions.indexOf(sender) % custodians.length] ?? '';
  const others = custodians.filter((name) => name !== own);
  // One custodian may serve both sides. Empty name: a custodian that the service does not know.
  const receiverCustodian =
    random.chance(0.9) && others.length > 0 ? random.pick(others) : random.pick([own, '']);
  const receiver = random.pick([...institutions.filter((name) => name !== sender), '']);
  const label = population.nextOrder();
  const drawn = drawMoney(random, { source, target }, random.chance(swarm.oddAmounts), cost);
  population.orders.push({
    label,
    sender,
    custodian: own,
    receiver,
    receiverCustodian,
    stage: 'open',
    expiresAt: now + draws.lifetimeMs,
    acceptedAt: 0,
    lookedAt: 0,
    quotes: [],
  });
  return {
    // Sometimes a party without permission tries to create an order: no order comes of that.
    by: random.chance(0.03) ? random.pick(draws.parties).name : sender,
    do: 'create',
    label,
    custodian: own,
    receiver,
    receiverCustodian,
    // The token decides who the sender is, not the body.
    ...(random.chance(0.03) && { senderInBody: random.pick(institutions) }),
    sourceCurrency: source,
    // Sometimes the currencies of both sides are the same.
    targetCurrency: random.chance(0.02) ? source : target,
    ...drawn,
    ...drawMemo(random.fork(`memo of ${label}`)),
  };
}

/**
 * Memo texts (2.2): characters with a special meaning elsewhere, many scripts, digits, and a text so long that a page
 * may cut it.
 */
const memos = [
  'Fees & charges <b>due</b> "now"',
  "O'Neil; 100 % \\ {{x}} %20",
  'żółw 支払い 🧾 e\u0301',
  '0012',
  'null',
  'Invoice 2030-0117, partial delivery; '.repeat(6).trim(),
] as const;

/** Most orders have the default memo. */
const drawMemo = (random: Random): Pick<CreateCommand, 'memo'> =>
  random.chance(0.85) ? {} : { memo: random.pick([null, null, ...memos]) };

function validityOf(draws: Draws): Validity {
  const { random, lifetimeMs } = draws;
  if (random.chance(0.6)) return { forMs: 30_000 };
  return random.pick<Validity>([
    { forMs: 2_000 },
    { forMs: 700 },
    { forMs: 1 },
    { forMs: lifetimeMs },
    { afterOrderMs: 0 },
    { afterOrderMs: -1 },
    { afterOrderMs: 20_000 },
  ]);
}

function quote(draws: Draws): DrawnCommand | undefined {
  const { random, population, swarm, now } = draws;
  const order = population.aim('quote', ({ stage }) => stage === 'open');
  if (!order) return undefined;
  if (draws.proposalsFirst && order.quotes.length === 0 && random.chance(0.5))
    return { by: order.custodian, do: 'accept the proposal', order: order.label };
  const label = population.nextQuote();
  const makers = named(draws, 'market-maker');
  // Sometimes a party without permission tries to quote: no quote comes of that.
  const bidders = new Set(order.quotes.map(({ maker }) => maker));
  const others = makers.filter((name) => !bidders.has(name));
  const rivals = others.length > 0 && random.chance(0.5) ? others : makers;
  const maker = random.pick(random.chance(0.04) ? draws.parties.map(({ name }) => name) : rivals);
  const validity = validityOf(draws);
  const validUntil =
    'forMs' in validity ? now + validity.forMs : order.expiresAt + validity.afterOrderMs;
  if (makers.includes(maker)) order.quotes.push({ label, maker, validUntil });
  const rate = drawRate(random, random.chance(swarm.oddAmounts));
  return { by: maker, do: 'quote', order: order.label, label, rate, validity };
}

function accept(draws: Draws): DrawnCommand | undefined {
  const { random, population, now } = draws;
  const order = population.aim(
    'accept',
    ({ stage, quotes }) =>
      stage === 'open' && quotes.some(({ validUntil }) => validUntil > now || random.chance(0.1)),
  );
  const aimed = order && population.aimQuote(order, now);
  if (!order || !aimed) return undefined;
  const by = random.chance(0.9)
    ? random.pick([order.sender, order.custodian])
    : random.pick(draws.parties).name;
  if (aimed.validUntil > now && order.stage === 'open') {
    order.stage = 'accepted';
    order.acceptedAt = now;
  }
  return { by, do: 'accept', order: order.label, quote: aimed.label };
}

function list(draws: Draws, by: string): DrawnCommand {
  const { random } = draws;
  const isMaker = named(draws, 'market-maker').includes(by);
  const what = isMaker ? random.pick(['requests', 'quotes', 'settlements'] as const) : 'orders';
  const states = what === 'orders' ? orderStates : what === 'quotes' ? quoteStates : undefined;
  return {
    by,
    do: 'list',
    what,
    ...(states && random.chance(0.4) && { status: random.pick(states) }),
    ...(random.chance(0.3) && { page: random.pick([1, 2, 3]) }),
    ...(random.chance(0.3) && { pageSize: random.pick([1, 2, 5, 50]) }),
  };
}

function listen(draws: Draws, by: string): DrawnCommand {
  const { random, population } = draws;
  const label = population.nextStream();
  const before = population.streams.filter(({ party }) => party === by);
  const resumed = before.length > 0 && random.chance(0.7) ? random.pick(before) : undefined;
  if (resumed) resumed.isOpen = false;
  const isMaker = named(draws, 'market-maker').includes(by);
  const order = !isMaker && random.chance(0.3) ? population.aim('listen') : undefined;
  population.streams.push({ label, party: by, isOpen: true });
  return {
    by,
    do: 'listen',
    label,
    ...(order && { order: order.label }),
    ...(resumed && { resumes: resumed.label }),
  };
}
