import { orderBody } from '../../protocol/order-body.ts';
import { random as randomOf } from '../../random/random.ts';
import { parseSeed } from '../../random/seed.ts';
import { insideViolations } from '../../reference/core/invariants.ts';
import { ordersOf, saveState } from '../../reference/core/index.ts';
import { deadlinesOf, escrowsOf } from '../../reference/core/state-queries.ts';
import type { Tamper, World } from '../../reference/http/index.ts';
import {
  type MemoryStore,
  memoryStore,
  type OpenJournal,
  openJournal,
} from '../../reference/journal/index.ts';
import { assign } from '../../target/embedded/assignment.ts';
import { createReference, referenceHead } from '../../target/embedded/create-reference.ts';
import { virtualClock } from '../../timeline/clock/virtual-clock.ts';
import type { WorldFinding } from '../outcome.ts';
import type { Plan } from '../plan.ts';
import type { Inside } from '../run-plan.ts';
import { kindOfMessage } from './causes.ts';

/** One seed in so many writes a journal, and is started again from it now and then, aside from what goes on. */
const probedEvery = 10n;

/** Other seeds than those that are played twice. */
export const probesRestarts = (seed: string): boolean =>
  (parseSeed(seed) ?? 0n) % probedEvery === 7n;

/** At which shares of its steps a world is started again; at its end as well. */
const shares = [0.25, 0.5, 0.75] as const;

/** Moments between the legs of a settlement are few: so often a world is started again at one, whenever it comes. */
const mostHolds = 2;

/** After so long every deadline of an order that was open has passed, at the usual lifetimes. */
const laterMs = 150_000;

export interface RestartProbe {
  readonly journal: OpenJournal;
  readonly observe: (inside: Inside) => void;
  findings(): readonly WorldFinding[];
}

interface Found {
  readonly what: string;
  readonly message: string;
}

/**
 * Starts a world again from its journal, as after a kill, and compares what is there with what was: state, the events
 * that streams can be resumed from, deadlines, identifiers.
 * @param tamper made anew for each life
 */
export function probeRestarts(plan: Plan, tamper: () => Tamper | undefined): RestartProbe {
  const store = memoryStore();
  const journal = opened(plan, store, plan.startMs);
  const found = new Map<string, Found>();
  let next = 0;
  let holdsLeft = mostHolds;
  return {
    journal,
    observe(inside) {
      const isDue =
        inside.phase === 'end' || inside.step >= (shares[next] ?? 1) * plan.steps.length;
      const holds = holdsLeft > 0 && escrowsOf(inside.world.state()).size > 0;
      if (inside.isLate || isDueNow(inside) || !(isDue || holds)) return;
      if (isDue) next += 1;
      if (holds) holdsLeft -= 1;
      for (const one of differences(plan, store, inside, tamper())) {
        const cause = `${one.what} · ${kindOfMessage(one.message)}`;
        if (!found.has(cause)) found.set(cause, one);
      }
    },
    findings: () =>
      [...found].map(([cause, { what, message }]) => ({
        cause,
        rule: what,
        requirements: [],
        message,
        exchanges: [],
        blame: 'defect',
      })),
  };
}

/** What is due in this very millisecond may not have happened yet, and would happen at once after a restart. */
const isDueNow = ({ world, now }: Inside): boolean =>
  deadlinesOf(world.state()).some(({ at }) => at <= now);

const madeOf = (plan: Plan) => ({
  seed: parseSeed(plan.seed) ?? 0n,
  assignment: assign(plan.assignment),
  cast: plan.parties,
});

/** A store in memory answers at once, so the journal is open when this returns. */
function opened(plan: Plan, store: MemoryStore, at: number): OpenJournal {
  const head = referenceHead({ ...madeOf(plan), clock: 'virtual', startedAt: plan.startMs });
  let journal: OpenJournal | undefined;
  openJournal({ store, head, at }, (opening) => {
    if (opening.kind === 'open') journal = opening.journal;
  });
  if (!journal) throw new Error('a journal in memory could not be opened');
  return journal;
}

const filesOf = (store: MemoryStore): ReadonlyMap<string, Uint8Array> =>
  new Map(store.list().map((name) => [name, store.read(name)]));

function* differences(
  plan: Plan,
  store: MemoryStore,
  { world, now }: Inside,
  tamper: Tamper | undefined,
): Iterable<Found> {
  const clock = virtualClock(now);
  const journal = opened(plan, memoryStore({ files: filesOf(store) }), now);
  const again = createReference({ ...madeOf(plan), clock, journal, ...(tamper && { tamper }) });
  try {
    yield* otherState(world, again);
    yield* otherEvents(world, again);
    yield* usedIds(world, again);
    const before = { state: again.state(), now };
    clock.advanceTo(now + laterMs);
    for (const { invariant, message } of insideViolations(before, {
      state: again.state(),
      now: clock.now(),
    }))
      yield { what: `restart.${invariant}`, message: `after a restart, ${message}` };
  } finally {
    again.close();
  }
}

function* otherState(world: World, again: World): Iterable<Found> {
  const [before, after] = [saveState(world.state()), saveState(again.state())];
  for (const name of ['orders', 'quotes', 'settlements', 'holdings', 'faults'] as const) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    yield { what: `restart.${name}`, message: `after a restart, ${name} are not what they were` };
  }
}

function* otherEvents(world: World, again: World): Iterable<Found> {
  for (const { partyId, role } of world.config.parties) {
    const [before, after] = [world.sent(partyId), again.sent(partyId)];
    if (JSON.stringify(before) === JSON.stringify(after)) continue;
    const message = `after a restart, the events that a ${role} can be told again are not those that were sent`;
    yield { what: 'restart.events', message };
  }
}

/** A new order must not get an identifier that is in use. */
function* usedIds(world: World, again: World): Iterable<Found> {
  const sender = again.config.parties.find(({ role }) => role === 'institution');
  const custodian = again.config.parties.find(({ role }) => role === 'custodian')?.partyId;
  if (!sender) return;
  const draws = randomOf(1n, 'after a restart');
  const body = orderBody({
    hex: (digits, field) => draws.fork(field).hex(digits),
    senderCustodian: custodian,
    receiver: sender.partyId,
    receiverCustodian: custodian,
  });
  const known = new Set(ordersOf(world.state()).map(({ id }) => id));
  try {
    const request = {
      endpoint: 'order.create',
      caller: sender,
      params: {},
      query: {},
      body,
    } as const;
    again.ask(request, () => undefined);
  } catch (error) {
    // The core lets no identifier come twice.
    const message = `after a restart, an order could not be created: ${String(error)}`;
    yield { what: 'restart.identifiers', message };
    return;
  }
  const [latest] = ordersOf(again.state()).slice(known.size);
  if (latest && known.has(latest.id)) {
    const message = 'after a restart, an order got the identifier of another';
    yield { what: 'restart.identifiers', message };
  }
}
