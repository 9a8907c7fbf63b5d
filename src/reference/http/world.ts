import type { Command, Deadline, Fault, PartyRecord, Reply } from '../core/contract.ts';
import {
  balancesOf,
  type Policy,
  policyOf,
  saveState,
  type State,
  type WorldConfig,
} from '../core/index.ts';
import {
  createMachine,
  createWriter,
  type EventTail,
  eventTails,
  type EventTails,
  type JournalOwner,
  type JournalWriter,
  type Damage,
  type OpenJournal,
  type PlacedRecord,
  PendingDeadlines,
  replayRecords,
  retainedEvents,
} from '../journal/index.ts';
import type { Cancel, Clock } from '../../timeline/clock/clock.ts';
import { deadlines } from '../../timeline/clock/deadline-heap.ts';
import type { Random } from '../../random/random.ts';
import { type EndpointName, endpoints, type PathParams } from '../../spec/endpoints.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { tamperHooks } from './tamper-hooks.ts';
import { standardBalanceOfOthers, standardBalances, standardCurrencies } from './standard-world.ts';
import type { Problem } from './wire/problems.ts';
import type { RecoveryTamper, Tamper, TamperContext, TamperedEvent } from './tamper.ts';

/** One participant backend: a party, and where it is found. */
export interface PartySpec extends PartyRecord {
  readonly name: string;
  /** Its first path segment where all share one port, without slashes. */
  readonly prefix: string;
}

export interface WorldOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly assignment: Assignment;
  readonly parties: readonly PartySpec[];
  /** Party identifier of the operator. */
  readonly operator: string;
  /** In place of the one that the assignment makes. */
  readonly policy?: Policy;
  readonly tamper?: Tamper;
  /**
   * What the world goes on from and writes to: it answers and sends only what is on disk. Without one, it lasts as long
   * as its process.
   */
  readonly journal?: OpenJournal;
  /** In place of what the world draws: 32 hexadecimal digits for each command, those of a journal that is told again. */
  readonly entropy?: () => string;
  /** In place of the standard currencies, opening balances and magic memos. */
  readonly config?: Partial<Pick<WorldConfig, 'currencies' | 'openingBalances' | 'magicMemos'>>;
}

interface WorldRequest {
  readonly endpoint: EndpointName;
  readonly caller: PartyRecord;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Listener = (event: TamperedEvent) => void;

/** A reply of the core, or that nothing can be kept for now and nothing has happened. */
export type Answer = Reply | { readonly ok: false; readonly error: Problem };

/** Owner of the one state: carries out what the core answers, in the order of time. */
export interface World {
  readonly options: WorldOptions;
  /** What the core started from, whole. */
  readonly config: WorldConfig;
  /** Tells this life of the world from those before it that have the same journal: 1 for the first. */
  readonly epoch: number;
  /** Never goes back, even where the host's clock does. */
  now(): number;
  state(): State;
  /** What a party of this name holds: decimal strings by currency. */
  balances(name: string): Readonly<Record<string, string>>;
  /** Calls back with the answer once all that it tells of is on disk; before it returns, where there is no journal. */
  ask(request: WorldRequest, answer: (answer: Answer) => void): void;
  /** For a world without a journal. */
  request(request: WorldRequest): Reply;
  /** Sets (or with null takes back) how settlement fails for one order, the `next` one or `all`; calls back as `ask`. */
  fault(target: string, fault: Fault | null, answer?: (answer: Answer) => void): void;
  /** Keeps in the journal that a virtual clock has come so far; calls back once that, and all before, is on disk. */
  keepTime(done: (outcome: 'kept' | 'lost') => void): void;
  /** Hands over every event for one party, in order, as it happens. */
  subscribe(partyId: string, listener: Listener): Cancel;
  /** The last events that were sent to a party, in this life or before; undefined where there is no journal. */
  sent(partyId: string): EventTail | undefined;
  tamperContext(party?: PartyRecord, endpoint?: EndpointName): TamperContext;
  /** Calls back once nothing that was asked so far waits for the disk, or nothing ever will again. */
  settled(done: () => void): void;
  /** Forgets what is to come; nothing fires afterwards, and nothing more is written. */
  close(): void;
}

/** The shell asks for no id where the core can assign none. */
const noEntropy = '0'.repeat(32);

/** How long a deadline waits that could not be kept. */
const retryMs = 1000;

const unavailable: Answer = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'the journal has no room, and nothing has happened: ask again later',
    headers: { 'retry-after': '1' },
  },
};

export function createWorld(options: WorldOptions): World {
  const { clock, tamper, journal } = options;
  const config = journal?.head.config ?? worldConfigOf(options);
  const policy = options.policy ?? policyOf(options.assignment);
  const listeners = new Map<string, Set<Listener>>();
  const counts = new Map<string, number>();
  const memory = new Map<string, unknown>();
  const { parties } = config;
  const contents = journal?.contents;
  const epoch = journal?.epoch ?? 1;
  const bent = tamper?.recovery;
  const life = bent?.sameDraws ? 1 : epoch;
  const stream = randomOfLife({ epoch: life }, options.random.fork('entropy'));
  const entropy = options.entropy ?? (() => stream.hex(32));
  let due = deadlines();
  let latest = Math.max(clock.now(), contents?.at ?? Number.NEGATIVE_INFINITY);
  let armedFor = Number.POSITIVE_INFINITY;
  let cancelTimer: Cancel | undefined;
  const delayed = new Set<Cancel>();
  let recovering = false;
  const pending = journal && new PendingDeadlines();
  const machine = createMachine({
    config,
    startedAt: journal?.head.startedAt ?? latest,
    hooks: tamperHooks(tamper, policy, tamperContext),
    snapshot: contents?.snapshot,
    pending,
  });

  function now(): number {
    latest = Math.max(latest, clock.now());
    return latest;
  }

  const count = (key: string): number => {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };

  function tamperContext(party?: PartyRecord, endpoint?: EndpointName): TamperContext {
    return {
      now: latest,
      state: machine.state,
      parties,
      ...(party && { party }),
      ...(endpoint && { endpoint }),
      count,
      memory,
    };
  }

  const kept = journal && pending && keeping(journal, pending);

  function armTimer(): void {
    const wanted = due.peek()?.instant ?? Number.POSITIVE_INFINITY;
    const instant = Math.max(wanted, kept?.retryAt() ?? wanted);
    if (instant >= armedFor) return;
    cancelTimer?.();
    armedFor = instant;
    cancelTimer = clock.at(instant, () => {
      armedFor = Number.POSITIVE_INFINITY;
      fireDue(now());
      kept?.writer.commit();
    });
  }

  function schedule(deadline: Deadline): void {
    due.add(deadline.at, () => {
      const command = { type: 'due', deadline, entropy: entropy() } as const;
      apply(command, Math.max(deadline.at, machine.carriedOut));
    });
  }

  /**
   * Each deadline is carried out as of its own moment, however late the host is. A command at a moment comes after
   * all that was due by then, so the core never sees time go back.
   */
  function fireDue(instant: number): void {
    try {
      for (let next = due.peek(); next && next.instant <= instant; next = due.peek()) {
        due.remove(next);
        latest = Math.max(latest, next.instant);
        next.fire();
      }
    } finally {
      armTimer();
    }
  }

  function apply(command: Command, at: number): Reply {
    const { reply, events, deadlines: asked, effect } = machine.apply(command, at);
    kept?.note(command, at, events.length, effect);
    for (const deadline of asked) schedule(deadline);
    for (const event of events) publish(event);
    return reply;
  }

  function publish(event: TamperedEvent): void {
    if (!tamper?.event && !tamper?.eventDelayMs) return deliver(event);
    const party = parties.find(({ partyId }) => partyId === event.to);
    const context = tamperContext(party);
    const sent = tamper.event ? tamper.event(event as never, context) : [event];
    for (const one of sent) {
      const delay = tamper.eventDelayMs?.(one, context) ?? 0;
      if (delay > 0 && !recovering) runLater(delay, () => deliver(one));
      else deliver(one);
    }
  }

  function runLater(ms: number, work: () => void): void {
    const cancel = clock.at(latest + ms, () => {
      delayed.delete(cancel);
      work();
    });
    delayed.add(cancel);
  }

  function deliver(event: TamperedEvent): void {
    if (kept) kept.whenKept(() => send(event));
    else send(event);
  }

  function send(event: TamperedEvent): void {
    kept?.tails.push(event);
    for (const listener of listeners.get(event.to) ?? []) listener(event);
  }

  function fireDueAndApply(command: Command, answer: (answer: Answer) => void): void {
    const instant = now();
    fireDue(instant);
    const reply = apply(command, instant);
    armTimer();
    if (!kept) return answer(reply);
    kept.writer.after((outcome) => answer(outcome === 'kept' ? reply : unavailable));
    kept.writer.commit();
  }

  /** What a world does beside, where it has a journal. */
  function keeping(open: OpenJournal, waiting: PendingDeadlines) {
    const tails: EventTails = eventTails(retainedEvents, contents?.snapshot?.tails);
    let durable = { state: machine.state, carriedOut: machine.carriedOut };
    let retryAt = Number.NEGATIVE_INFINITY;
    /** What is there was read from the disk, and is for good. */
    const mark = (): void => {
      durable = { state: machine.state, carriedOut: machine.carriedOut };
      waiting.keep(waiting.changes);
    };
    const owner: JournalOwner = {
      seal(purpose) {
        const moment = { state: machine.state, carriedOut: machine.carriedOut };
        const { changes: done } = waiting;
        const whole = purpose === 'snapshot' && {
          at: latest,
          carriedOut: moment.carriedOut,
          epoch,
          state: saveState(moment.state),
          deadlines: waiting.list(),
        };
        return {
          keep() {
            durable = moment;
            waiting.keep(done);
            retryAt = Number.NEGATIVE_INFINITY;
          },
          ...(whole && { snapshot: () => ({ ...whole, tails: tails.all() }) }),
        };
      },
      rollBack() {
        waiting.rollBack();
        Object.assign(machine, durable);
        retryAt = now() + retryMs;
        rearm();
      },
    };
    const writer: JournalWriter = createWriter(open, owner);
    return {
      tails,
      writer,
      mark,
      retryAt: () => retryAt,
      whenKept: (work: () => void): void =>
        writer.after((outcome) => {
          if (outcome === 'kept') work();
        }),
      note(command: Command, at: number, events: number, effect: 'some' | 'none'): void {
        // A tamper may remember what had no effect.
        if (!changes(command) || (effect === 'none' && !tamper)) return;
        writer.append({ kind: 'command', at, command, events });
      },
    };
  }

  /** Waits for all that is pending, and for nothing else. */
  function rearm(): void {
    due = deadlines();
    for (const deadline of pending?.list() ?? []) schedule(deadline);
    cancelTimer?.();
    armedFor = Number.POSITIVE_INFINITY;
    armTimer();
  }

  /** What a defect makes of all that was recovered. */
  function misread(recovery: RecoveryTamper): void {
    machine.state = recovery.state?.(machine.state, tamperContext()) ?? machine.state;
    if (!recovery.deadline || !pending) return;
    for (const deadline of pending.list()) {
      const other = recovery.deadline(deadline, tamperContext());
      if (other === deadline) continue;
      pending.remove(deadline);
      if (other) pending.add(other);
    }
  }

  function recoverFrom(records: readonly PlacedRecord[], keeper: NonNullable<typeof kept>): void {
    recovering = true;
    const damage = replayRecords(records, machine, {
      before({ at }) {
        latest = at;
      },
      after(_, { events }) {
        for (const event of events)
          for (const one of bent?.event?.(event, tamperContext()) ?? [event]) publish(one);
      },
    });
    if (damage) throw new JournalMismatch(damage);
    recovering = false;
    if (bent) misread(bent);
    latest = Math.max(clock.now(), contents?.at ?? latest);
    keeper.mark();
    rearm();
    // What came due while nobody was there happens now, as of its own moment.
    fireDue(now());
    keeper.writer.commit();
  }
  function ask(request: WorldRequest, answer: (answer: Answer) => void): void {
    const draws = endpoints[request.endpoint].method !== 'GET';
    fireDueAndApply(
      { type: 'request', ...request, entropy: draws ? entropy() : noEntropy },
      answer,
    );
  }

  if (kept && contents) recoverFrom(contents.records, kept);

  return {
    options,
    config,
    epoch,
    now,
    state: () => machine.state,
    balances: (name) => {
      const party = options.parties.find((one) => one.name === name);
      return party ? balancesOf(machine.state, party.partyId) : {};
    },
    ask,
    request(asked) {
      let reply: Answer | undefined;
      ask(asked, (answer) => (reply = answer));
      if (!reply || (!reply.ok && reply.error.code === 'unavailable'))
        throw new Error('a world with a journal answers later');
      return reply as Reply;
    },
    fault(target, fault, answer = ignored) {
      fireDueAndApply({ type: 'fault', target, fault }, answer);
    },
    keepTime(done) {
      if (!kept) return done('kept');
      kept.writer.append({ kind: 'clock', at: now() });
      kept.writer.after(done);
      kept.writer.commit();
    },
    subscribe(partyId, listener) {
      const all = listeners.get(partyId) ?? new Set();
      listeners.set(partyId, all.add(listener));
      return () => all.delete(listener);
    },
    sent: (partyId) => kept?.tails.of(partyId),
    tamperContext,
    settled(done) {
      if (!kept || kept.writer.stopped) done();
      else kept.writer.after(() => done());
    },
    close() {
      kept?.writer.stop();
      cancelTimer?.();
      cancelTimer = undefined;
      armedFor = Number.NEGATIVE_INFINITY;
      for (const cancel of delayed) cancel();
    },
  };
}

/** Reads leave the state as it was. */
const changes = (command: Command): boolean =>
  command.type !== 'request' || endpoints[command.endpoint].method !== 'GET';

/** A stream of draws that no other life of the same world draws from. */
export const randomOfLife = ({ epoch }: Pick<World, 'epoch'>, random: Random): Random =>
  epoch === 1 ? random : random.fork(`epoch ${epoch}`);

const ignored = (): void => undefined;

/** A journal that this version of the core would tell otherwise than it was. */
export class JournalMismatch extends Error {
  readonly damage: Damage;
  constructor(damage: Damage) {
    super(damage.reason);
    this.damage = damage;
  }
}

/** What the core of a world starts from. */
export function worldConfigOf({
  assignment,
  config,
  operator,
  parties,
}: Pick<WorldOptions, 'assignment' | 'config' | 'operator' | 'parties'>): WorldConfig {
  const records = parties.map(({ partyId, role }) => ({ partyId, role }));
  const currencies = config?.currencies ?? standardCurrencies;
  return {
    assignment,
    operatorPartyId: operator,
    parties: records,
    currencies,
    openingBalances: config?.openingBalances ?? standardBalances(records, currencies),
    // A configuration that says who holds what says all of it.
    ...(!config?.openingBalances && { openingBalanceOfOthers: standardBalanceOfOthers(records) }),
    magicMemos: config?.magicMemos ?? true,
  };
}
