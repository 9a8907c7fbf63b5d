import type { Exchange, RecordedResponse } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { balancesOf, orderOf, ordersOf, quoteOf, type State } from '../../reference/core/index.ts';
import type { PartySpec, Tamper, World } from '../../reference/http/index.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { isTerminal } from '../../spec/states.ts';
import { assign } from '../../target/embedded/assignment.ts';
import { createReference } from '../../target/embedded/create-reference.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import { referenceFault } from '../../faults/faults.ts';
import { watchInvariants } from '../judge/invariant-watch.ts';
import type { WorldFinding } from '../outcome.ts';
import { type CommandStep, type Fault, isFault, type Plan, seedOf } from '../plan.ts';
import {
  type CommandContext,
  carryOut,
  type Effect,
  noOrder,
  nothing,
  type Sender,
  took,
} from '../play/commands.ts';
import { idsIn, LabelRegistry } from '../play/label-registry.ts';
import { instantOf, windowMsIn } from '../play/step-instant.ts';

const noTokens = 'the core knows no tokens';
const noStreams = 'the core has no streams';

export interface CoreOptions {
  /**
   * The reference with one defect, made anew for each world. A defect of tokens, streams or answers never shows here.
   */
  readonly tamper?: Tamper | undefined;
}

/** Result of a plan on the core alone: no tokens, no streams, no HTTP, and no history that rules could judge. */
export interface CoreRun {
  readonly plan: Plan;
  readonly effects: readonly Effect[];
  readonly findings: readonly WorldFinding[];
  readonly end: WorldEnd;
  readonly endMs: number;
}

/** End state of a world, by the labels of its plan. It is the same at every depth. */
export interface WorldEnd {
  readonly orders: Readonly<Record<string, OrderEnd>>;
  readonly quotes: Readonly<Record<string, string>>;
  /** Holdings by party and currency, as decimal strings; only those that changed. */
  readonly holdings: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface OrderEnd {
  readonly status: string;
  readonly reason?: string;
  /** Label of the quote that settled the order or is to settle it. */
  readonly quote?: string;
}

/** Ids of orders and quotes by label, and party identifiers by name. */
type Names = Readonly<Record<'orders' | 'quotes' | 'parties', ReadonlyMap<string, string>>>;

/** The state is checked after this many steps, and at the end. Each check costs as much as the world has orders. */
const lookEvery = 64;

/** A party whose requests go to the core without tokens, and which has no streams. */
function senderOf(world: World, now: () => number, party: PartySpec): Sender {
  const { name, role } = party;
  const ended = (response?: RecordedResponse, why?: string): Exchange => ({
    kind: 'exchange',
    id: '',
    by: '',
    party: name,
    role,
    params: {},
    query: {},
    auth: 'own',
    request: { method: '', path: '', headers: {} },
    sent: now(),
    received: now(),
    response,
    error: why === undefined ? undefined : { code: 'aborted', message: why },
  });
  return {
    name: name as CastName,
    role,
    async call(endpoint, { params = {}, query = {}, body } = {}) {
      const reply = world.request({ caller: party, endpoint, params, query, body });
      if (!reply.ok) return ended(undefined, 'refused');
      return ended({ status: reply.status, headers: {}, body: reply });
    },
    listen: async () => ({
      opened: ended(undefined, noStreams),
      isOpen: false,
      frames: [],
      close: async () => {},
    }),
  };
}

/** Plays a plan on the core alone. Each step begins after the one before has ended. */
export async function runOnCore(plan: Plan, { tamper }: CoreOptions = {}): Promise<CoreRun> {
  const seed = seedOf(plan);
  const clock = virtualClock(plan.startMs);
  const now = (): number => clock.now();
  const assignment = assign(plan.assignment);
  const made = { clock, seed, assignment, cast: plan.parties, ...(tamper && { tamper }) };
  const world = createReference(made);
  const parties = new Map(world.options.parties.map((party) => [party.name, party]));
  // Nothing is ever under way when a step asks for it.
  const book = new LabelRegistry({ wait: async () => 'rung' });
  const watch = watchInvariants();
  const look = (): void => watch.observe({ world, now: now(), isLate: false });
  let drawn = 0;
  const commands: CommandContext = {
    timeline: {
      now,
      async together(calls) {
        const answers = [];
        for (const [, call] of calls) answers.push(await call());
        return answers;
      },
    },
    assignment,
    book,
    hexOf: () => (digits) => String((drawn += 1)).padStart(digits, '0'),
    partyIdOf: (name) => parties.get(name)?.partyId,
    firstToken: () => undefined,
    last: new Map(),
    insistent: new Set(),
    defaults: {},
    controlFor: () => undefined,
    disturbed: new Set(),
  };
  const lifetimeMs = Number.parseInt(assignment['token.lifetime'], 10) * 1_000;
  // Expiry of the token that every party would have got at the start of the world.
  const tokenEndMs = (): number => Math.floor(plan.startMs / 1_000) * 1_000 + lifetimeMs;

  const senders = new Map([...parties].map(([name, party]) => [name, senderOf(world, now, party)]));

  async function take(step: CommandStep): Promise<Effect> {
    const planned = plan.parties.find(({ name }) => name === step.by);
    const sender = senders.get(step.by);
    if (!planned || !sender) return nothing('there is no such party');
    const isOfTokens = step.do === 'stray' && step.token !== undefined;
    if (isOfTokens || step.do === 'ask with its first token') return nothing(noTokens);
    if (step.do === 'stop listening') return nothing(noStreams);
    const effect = await carryOut(commands, planned, sender, step);
    return step.do === 'listen' ? nothing(noStreams) : effect;
  }

  function strike(fault: Fault): Effect {
    if (!('order' in fault)) return nothing('the core alone has none of that');
    const id = book.orders.get(fault.order)?.intentId;
    if (id === undefined) return noOrder;
    const order = orderOf(world.state(), id);
    if (!order || isTerminal(order.status)) return nothing('the order has ended');
    world.fault(id, referenceFault(fault));
    return took;
  }

  /** The moment when every order has ended and all events of it are delivered. Some orders have no label. */
  function restMs(): number {
    const ends = ordersOf(world.state())
      .filter(({ status }) => !isTerminal(status))
      .map(({ accepted, expiresAt }) =>
        accepted ? accepted.acceptedAt + windowMsIn(assignment) : expiresAt,
      );
    return Math.max(now(), ...ends) + tolerance.eventDeliveryMs;
  }

  look();
  const effects: Effect[] = [];
  for (const [index, step] of plan.steps.entries()) {
    const instant = await instantOf({ book, assignment, now, tokenEndMs }, step.at);
    if (instant > now()) clock.advanceTo(instant);
    if (index % lookEvery === lookEvery - 1) look();
    effects.push(isFault(step) ? strike(step) : await take(step));
  }
  clock.advanceTo(restMs());
  look();
  const end = worldEnd(world.state(), {
    ...idsIn(book),
    parties: new Map([...parties].map(([name, { partyId }]) => [name, partyId])),
  });
  world.close();
  return { plan, effects, findings: watch.findings(), end, endMs: now() };
}

export function worldEnd(state: State, { orders, quotes, parties }: Names): WorldEnd {
  const labels = new Map([...quotes].map(([label, id]) => [id, label]));
  const orderEnds = [...orders].flatMap(([label, id]): [string, OrderEnd][] => {
    const order = orderOf(state, id);
    if (!order) return [];
    const { status, failureReason: reason, accepted } = order;
    const quote = accepted && labels.get(accepted.quoteId);
    return [[label, { status, ...(reason && { reason }), ...(quote !== undefined && { quote }) }]];
  });
  return {
    orders: Object.fromEntries(orderEnds),
    quotes: Object.fromEntries(
      [...quotes].map(([label, id]) => [label, quoteOf(state, id)?.status ?? 'none']),
    ),
    holdings: Object.fromEntries([...parties].map(([name, id]) => [name, balancesOf(state, id)])),
  };
}
