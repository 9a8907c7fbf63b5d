import { orderBody } from '../../protocol/order-body.ts';
import { quoteBody, wholeAmount } from '../../protocol/quote-body.ts';
import { isObject, type JsonObject, textOf } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { parseSeed } from '../../random/seed.ts';
import {
  type InvariantMoment,
  type InsideViolation,
  insideViolations,
  orderOf,
  ordersOf,
} from '../../reference/core/index.ts';
import type { PartySpec, Tamper, World } from '../../reference/http/index.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import { parseTimestamp } from '../../spec/forms.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { limits } from '../../spec/limits.ts';
import { isTerminal } from '../../spec/states.ts';
import { assign } from '../../target/embedded/assignment.ts';
import { createReference } from '../../target/embedded/create-reference.ts';
import { type VirtualClock, virtualClock } from '../../timeline/clock/virtual-clock.ts';
import {
  type CommandStep,
  type Fault,
  isFault,
  type Landmark,
  type Plan,
  type PlannedStep,
} from '../plan.ts';
import {
  contentOf,
  type Effect,
  isPlain,
  noOrder,
  nothing,
  requestsOf,
  took,
} from '../play/commands.ts';
import { dayMs, legsOf } from '../play/step-instant.ts';
import { type WorldEnd, worldEnd } from './outcome.ts';

const noTokens = 'the core knows no tokens';

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
  readonly violations: readonly InsideViolation[];
  readonly end: WorldEnd;
  /** Number of requests sent to the core. */
  readonly requests: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** Faults that strike the core. All other faults strike between the core and its parties. */
export const coreFaults = [
  'leg reverts',
  'settlement stalls',
  'operator withdraws',
  'validation fails',
] as const;

interface Known {
  readonly id: string;
  readonly expiresAt: number;
  readonly targetAmount: string;
  acceptedAt?: number;
}

interface Request {
  readonly endpoint: EndpointName;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The state is checked after this many steps, and at the end. Each check costs as much as the world has orders. */
const lookEvery = 64;

/** Plays a plan on the core alone. Each step begins after the one before has ended. */
export function runOnCore(plan: Plan, { tamper }: CoreOptions = {}): CoreRun {
  return new CorePlayer(plan, tamper).play();
}

class CorePlayer {
  readonly #plan: Plan;
  readonly #clock: VirtualClock;
  readonly #world: World;
  readonly #assignment: Assignment;
  readonly #parties: ReadonlyMap<string, PartySpec>;
  readonly #orders = new Map<string, Known>();
  readonly #quotes = new Map<string, { readonly id: string; readonly validUntil: number }>();
  readonly #streams = new Map<string, number>();
  readonly #last = new Map<string, Request>();
  readonly #violations: InsideViolation[] = [];
  #seen: InvariantMoment;
  #requests = 0;

  constructor(plan: Plan, tamper: Tamper | undefined) {
    const seed = parseSeed(plan.seed);
    if (seed === undefined) throw new RangeError(`not a seed: ${plan.seed}`);
    this.#plan = plan;
    this.#clock = virtualClock(plan.startMs);
    this.#assignment = assign(plan.assignment);
    this.#world = createReference({
      clock: this.#clock,
      seed,
      assignment: this.#assignment,
      cast: plan.parties,
      ...(tamper && { tamper }),
    });
    this.#parties = new Map(this.#world.options.parties.map((party) => [party.name, party]));
    this.#seen = this.#moment();
  }

  play(): CoreRun {
    const { steps, startMs } = this.#plan;
    const effects = steps.map((step, index): Effect => {
      const instant = this.#instantOf(step);
      if (instant > this.#clock.now()) this.#clock.advanceTo(instant);
      if (index % lookEvery === lookEvery - 1) this.#look();
      return isFault(step) ? this.#strike(step) : this.#carryOut(step);
    });
    this.#clock.advanceTo(this.#restMs());
    this.#look();
    const idsOf = (map: ReadonlyMap<string, { readonly id: string }>) =>
      new Map([...map].map(([label, { id }]) => [label, id]));
    const parties = new Map([...this.#parties].map(([name, { partyId }]) => [name, partyId]));
    const names = { orders: idsOf(this.#orders), quotes: idsOf(this.#quotes), parties };
    const end = worldEnd(this.#world.state(), names);
    this.#world.close();
    return {
      plan: this.#plan,
      effects,
      violations: this.#violations,
      end,
      requests: this.#requests,
      startMs,
      endMs: this.#clock.now(),
    };
  }

  #moment(): InvariantMoment {
    return { state: this.#world.state(), now: this.#clock.now() };
  }

  #look(): void {
    const moment = this.#moment();
    this.#violations.push(...insideViolations(this.#seen, moment));
    this.#seen = moment;
  }

  /** The moment when every order has ended and all events of it are delivered. */
  #restMs(): number {
    const windowMs = Number.parseInt(this.#assignment['settlement.window'], 10) * 1_000;
    let latest = this.#clock.now();
    // Orders of repeated creations have no label.
    for (const order of ordersOf(this.#world.state())) {
      if (isTerminal(order.status)) continue;
      const end = order.accepted ? order.accepted.acceptedAt + windowMs : order.expiresAt;
      latest = Math.max(latest, end);
    }
    return latest + tolerance.eventDeliveryMs;
  }

  #instantOf({ at }: PlannedStep): number {
    const now = this.#clock.now();
    if ('afterMs' in at) return now + at.afterMs;
    return Math.max(now, (this.#landmark(at.near) ?? now + at.leadMs) - at.leadMs);
  }

  #landmark(near: Landmark): number | undefined {
    const now = this.#clock.now();
    switch (near.of) {
      case 'expires_at':
        return this.#orders.get(near.order)?.expiresAt;
      case 'valid_until':
        return this.#quotes.get(near.quote)?.validUntil;
      case 'settlement window': {
        const accepted = this.#orders.get(near.order)?.acceptedAt;
        const windowMs = Number.parseInt(this.#assignment['settlement.window'], 10) * 1_000;
        return accepted === undefined ? undefined : accepted + windowMs;
      }
      case 'next leg': {
        const accepted = this.#orders.get(near.order)?.acceptedAt;
        if (accepted === undefined) return undefined;
        const moments = legsOf(this.#assignment).map((ms) => accepted + ms);
        return moments.find((instant) => instant > now);
      }
      // Expiry of the token that every party would have got at the start of the world.
      case 'token expiry': {
        const seconds = Number.parseInt(this.#assignment['token.lifetime'], 10);
        return (Math.floor(this.#plan.startMs / 1_000) + seconds) * 1_000;
      }
      case 'heartbeat': {
        const opened = this.#streams.get(near.stream);
        if (opened === undefined) return undefined;
        const every = limits.heartbeatIntervalMs;
        return opened + (Math.floor((now - opened) / every) + 1) * every;
      }
      case 'end of day':
        return (Math.floor(now / dayMs) + 1) * dayMs;
    }
  }

  #ask(party: PartySpec, request: Request): JsonObject | undefined {
    this.#requests += 1;
    const reply = this.#world.request({ caller: party, ...request });
    if (!reply.ok) return undefined;
    return isObject(reply.data) ? reply.data : {};
  }

  #send(party: PartySpec, request: Request): JsonObject | undefined {
    this.#last.set(party.name, request);
    return this.#ask(party, request);
  }

  #carryOut(step: CommandStep): Effect {
    const party = this.#parties.get(step.by);
    if (!party) return nothing('there is no such party');
    if (isPlain(step)) {
      const effects = requestsOf(step, party.role, this.#assignment).map((one): Effect => {
        const { endpoint, order, params = {}, query = {}, credential } = one;
        if (credential) return nothing(noTokens);
        const known = order === undefined ? undefined : this.#orders.get(order);
        if (order !== undefined && !known) return noOrder;
        const about = known ? { intent_id: known.id } : params;
        return effectOf(this.#send(party, { endpoint, params: about, query }));
      });
      return effects.find((effect) => !effect.took) ?? took;
    }
    const isMaker = party.role === 'market-maker';
    switch (step.do) {
      case 'create':
        return this.#create(party, step);
      case 'quote':
        return this.#quote(party, step);
      case 'accept':
        return this.#accept(party, step);
      case 'listen':
        if (step.order === undefined || this.#orders.has(step.order))
          this.#streams.set(step.label, this.#clock.now());
        return nothing(noStreams);
      case 'stop listening':
        return nothing(noStreams);
      case 'ask with its first token':
        return nothing(noTokens);
      case 'repeat': {
        const last = this.#last.get(party.name);
        return last ? effectOf(this.#send(party, last)) : nothing('it has sent nothing');
      }
      case 'burst': {
        const endpoint = isMaker ? 'rfq.list' : 'order.list';
        let answer: JsonObject | undefined;
        for (let call = 0; call < step.count; call += 1)
          answer = this.#ask(party, { endpoint, params: {}, query: {} });
        return effectOf(answer);
      }
    }
  }

  #create(party: PartySpec, step: Extract<CommandStep, { readonly do: 'create' }>): Effect {
    const idOf = (name: string): string | undefined => this.#parties.get(name)?.partyId;
    const body = orderBody({
      // Must be unique; the value does not matter, since nobody sees it.
      hex: (digits) => String(this.#requests).padStart(digits, '0'),
      senderCustodian: idOf(step.custodian),
      receiver: idOf(step.receiver),
      receiverCustodian: idOf(step.receiverCustodian),
      changes: contentOf(step),
    });
    const data = this.#send(party, { endpoint: 'order.create', params: {}, query: {}, body });
    const id = data && textOf(data, 'intent_id');
    if (data && id !== undefined) {
      const expiresAt = parseTimestamp(textOf(data, 'expires_at')) ?? this.#clock.now() + 60_000;
      this.#orders.set(step.label, { id, expiresAt, targetAmount: step.targetAmount });
    }
    return effectOf(data);
  }

  #quote(party: PartySpec, step: Extract<CommandStep, { readonly do: 'quote' }>): Effect {
    const order = this.#orders.get(step.order);
    if (!order) return noOrder;
    const { validity, rate } = step;
    const skewMs = this.#plan.parties.find(({ name }) => name === step.by)?.skewMs ?? 0;
    const validUntil =
      'forMs' in validity
        ? this.#clock.now() + skewMs + validity.forMs
        : order.expiresAt + validity.afterOrderMs;
    const answers = { get: (gap: keyof Assignment) => this.#assignment[gap] };
    const body = quoteBody(rate, wholeAmount(order.targetAmount, rate, answers), validUntil);
    const params = { intent_id: order.id };
    const data = this.#send(party, { endpoint: 'quote.submit', params, query: {}, body });
    const id = data && textOf(data, 'quote_id');
    if (id !== undefined) this.#quotes.set(step.label, { id, validUntil });
    return effectOf(data);
  }

  #accept(party: PartySpec, step: Extract<CommandStep, { readonly do: 'accept' }>): Effect {
    const order = this.#orders.get(step.order);
    const quote = this.#quotes.get(step.quote);
    if (!order || !quote) return order ? nothing('there is no such quote') : noOrder;
    const params = { intent_id: order.id, quote_id: quote.id };
    const data = this.#send(party, { endpoint: 'quote.accept', params, query: {} });
    if (data)
      order.acceptedAt ??= parseTimestamp(textOf(data, 'quote_accepted_at')) ?? this.#clock.now();
    return effectOf(data);
  }

  #strike(fault: Fault): Effect {
    const kind = faultKinds[fault.fault];
    if (!('order' in fault) || kind === undefined)
      return nothing('the core alone has none of that');
    const known = this.#orders.get(fault.order);
    if (!known) return noOrder;
    const order = orderOf(this.#world.state(), known.id);
    if (!order || isTerminal(order.status)) return nothing('the order has ended');
    const leg = fault.fault === 'leg reverts' ? fault.leg : 1;
    this.#world.fault(known.id, kind === 'revert' ? { kind, leg } : { kind });
    return took;
  }
}

const noStreams = 'the core has no streams';
const effectOf = (data: JsonObject | undefined): Effect => (data ? took : nothing('refused'));

const faultKinds: {
  readonly [name in Fault['fault']]?: 'revert' | 'stall' | 'withdraw' | 'invalid';
} = {
  'leg reverts': 'revert',
  'settlement stalls': 'stall',
  'operator withdraws': 'withdraw',
  'validation fails': 'invalid',
};
