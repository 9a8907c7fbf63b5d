import type { Command, Deadline, Fault, PartyRecord, Reply } from '../core/contract.ts';
import {
  balancesOf,
  initialState,
  type StepOutcome,
  type Policy,
  policyOf,
  type State,
  step,
  type WorldConfig,
} from '../core/index.ts';
import type { Cancel, Clock } from '../../timeline/clock/clock.ts';
import { deadlines } from '../../timeline/clock/deadline-heap.ts';
import type { Random } from '../../random/random.ts';
import { type EndpointName, endpoints, type PathParams } from '../../spec/endpoints.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { standardBalanceOfOthers, standardBalances, standardCurrencies } from './standard-world.ts';
import type { JournalSink } from './journal.ts';
import type { Tamper, TamperContext, TamperedEvent } from './tamper.ts';

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
  readonly journal?: JournalSink;
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

/** Owner of the one state: carries out what the core answers, in the order of time. */
export interface World {
  readonly options: WorldOptions;
  /** What the core started from, whole. */
  readonly config: WorldConfig;
  /** Never goes back, even where the host's clock does. */
  now(): number;
  state(): State;
  /** What a party of this name holds: decimal strings by currency. */
  balances(name: string): Readonly<Record<string, string>>;
  request(request: WorldRequest): Reply;
  /** Sets (or with null takes back) how settlement fails for one order, the `next` one or `all`. */
  fault(target: string, fault: Fault | null): void;
  /** Hands over every event for one party, in order, as it happens. */
  subscribe(partyId: string, listener: Listener): Cancel;
  tamperContext(party?: PartyRecord, endpoint?: EndpointName): TamperContext;
  /** Forgets what is to come; nothing fires afterwards. */
  close(): void;
}

/** The shell asks for no id where the core can assign none. */
const noEntropy = '0'.repeat(32);

export function createWorld(options: WorldOptions): World {
  const { clock, tamper, journal } = options;
  const config = configOf(options);
  const policy = options.policy ?? policyOf(options.assignment);
  const entropy = options.random.fork('entropy');
  const due = deadlines();
  const listeners = new Map<string, Set<Listener>>();
  const counts = new Map<string, number>();
  const memory = new Map<string, unknown>();
  const { parties } = config;
  let state = initialState(config, tamper?.policy?.(policy) ?? policy);
  let latest = clock.now();
  /** The moment as of which the core was last asked: behind `latest` where the host was late. */
  let carriedOut = latest;
  let armedFor = Number.POSITIVE_INFINITY;
  let cancelTimer: Cancel | undefined;
  const delayed = new Set<Cancel>();

  function now(): number {
    latest = Math.max(latest, clock.now());
    return latest;
  }

  const count = (key: string): number => {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };

  const tamperContext = (party?: PartyRecord, endpoint?: EndpointName): TamperContext => ({
    now: latest,
    state,
    parties,
    ...(party && { party }),
    ...(endpoint && { endpoint }),
    count,
    memory,
  });

  function armTimer(): void {
    const instant = due.peek()?.instant ?? Number.POSITIVE_INFINITY;
    if (instant >= armedFor) return;
    cancelTimer?.();
    armedFor = instant;
    cancelTimer = clock.at(instant, () => {
      armedFor = Number.POSITIVE_INFINITY;
      fireDue(now());
    });
  }

  function schedule(deadline: Deadline): void {
    const altered = tamper?.deadline ? tamper.deadline(deadline, tamperContext()) : deadline;
    if (altered)
      due.add(altered.at, () => apply(dueCommand(altered), Math.max(altered.at, carriedOut)));
  }

  const dueCommand = (deadline: Deadline): Command => ({
    type: 'due',
    deadline,
    entropy: entropy.hex(32),
  });

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
    const party = command.type === 'request' ? command.caller : undefined;
    const endpoint = command.type === 'request' ? command.endpoint : undefined;
    const altered = tamper?.command
      ? tamper.command(command, tamperContext(party, endpoint))
      : command;
    if (!altered)
      return { ok: false, error: { code: 'not_found', detail: 'there is no such thing' } };
    carriedOut = at;
    let outcome: StepOutcome = step(state, altered, at);
    if (tamper?.outcome) outcome = tamper.outcome(outcome, altered, tamperContext(party, endpoint));
    if (changes(altered)) journal?.({ at, command: altered });
    state = outcome.state;
    for (const deadline of outcome.deadlines) schedule(deadline);
    for (const event of outcome.events) publish(event);
    return outcome.reply ?? { ok: true, status: 200 };
  }

  function publish(event: TamperedEvent): void {
    if (!tamper?.event && !tamper?.eventDelayMs) return deliver(event);
    const party = parties.find(({ partyId }) => partyId === event.to);
    const context = tamperContext(party);
    const sent = tamper.event ? tamper.event(event as never, context) : [event];
    for (const one of sent) {
      const delay = tamper.eventDelayMs?.(one, context) ?? 0;
      if (delay > 0) runLater(delay, () => deliver(one));
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
    for (const listener of listeners.get(event.to) ?? []) listener(event);
  }

  function fireDueAndApply(command: Command): Reply {
    const instant = now();
    fireDue(instant);
    const reply = apply(command, instant);
    armTimer();
    return reply;
  }

  return {
    options,
    config,
    now,
    state: () => state,
    balances: (name) => {
      const party = options.parties.find((one) => one.name === name);
      return party ? balancesOf(state, party.partyId) : {};
    },
    request: (request) =>
      fireDueAndApply({
        type: 'request',
        ...request,
        entropy: endpoints[request.endpoint].method === 'GET' ? noEntropy : entropy.hex(32),
      }),
    fault(target, fault) {
      fireDueAndApply({ type: 'fault', target, fault });
    },
    subscribe(partyId, listener) {
      const all = listeners.get(partyId) ?? new Set();
      listeners.set(partyId, all.add(listener));
      return () => all.delete(listener);
    },
    tamperContext,
    close() {
      cancelTimer?.();
      cancelTimer = undefined;
      armedFor = Number.NEGATIVE_INFINITY;
      for (const cancel of delayed) cancel();
    },
  };
}

/** Reads leave the state as it was and need no place in a journal. */
const changes = (command: Command): boolean =>
  command.type !== 'request' || endpoints[command.endpoint].method !== 'GET';

function configOf({ assignment, config, operator, parties }: WorldOptions): WorldConfig {
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
