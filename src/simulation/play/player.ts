import type { Party } from '../../client/contract.ts';
import { CircuitOpenError } from '../../client/circuit-breaker.ts';
import type { History } from '../../history/records.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import type { OracleContext } from '../../oracle/trace/history-view.ts';
import { random as randomOf } from '../../random/random.ts';
import type { Tamper, World } from '../../reference/http/index.ts';
import { type Assignment } from '../../spec/gaps/index.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { ruleContext } from '../../suite/engine/apply-rules.ts';
import type { OpenedTarget } from '../../target/opened-target.ts';
import { type Fault, isFault, type Plan, type PlannedParty, type PlannedStep } from '../plan.ts';
import { aftermath, type Aftermath } from './aftermath.ts';
import { acceptanceOf, LabelRegistry } from './label-registry.ts';
import { carryOut, type CommandContext, type Effect, nothing } from './commands.ts';
import { controlAtCreation, type FaultContext, type InsideParts, strike } from './faults.ts';
import { type Restart } from './target-lives.ts';
import { instantOf } from './step-instant.ts';
import { Network } from './network.ts';
import { createSignal } from '../../timeline/signal.ts';

/** Options for playing a plan. */
export interface PlayOptions {
  /** The reference with one defect, made anew for each world. */
  readonly tamper?: Tamper | undefined;
  /** Other identities for some parties, by their names: only their party identifiers differ. */
  readonly identities?: ReadonlyMap<string, string>;
  /**
   * Each step begins after the one before has ended, and not side by side: a plan is played in this way on the core
   * alone.
   */
  readonly oneAfterAnother?: true;
  /** Called whenever nothing is under way: before time moves on, and at the end. */
  readonly observe?: (inside: Inside) => void;
  /** Called after each restart. */
  readonly restarted?: (restart: Restart) => void;
}

/** The target seen from the inside. */
export interface Inside {
  /** `opening`: before the first step. `aftermath`: after the last one. `end`: when everything has come to rest. */
  readonly phase: 'opening' | 'steps' | 'aftermath' | 'end';
  /** Index of the step that comes next. */
  readonly step: number;
  readonly now: number;
  readonly world: World;
  /** Intent ids of orders that a fault has pushed off their path so far. */
  readonly disturbed: ReadonlySet<string>;
  /** True if an action that was due before now may not have happened yet, because the target's host is paused. */
  readonly isLate: boolean;
}

/** Result of a plan, with everything that is needed to judge it. */
export interface WorldRun {
  readonly plan: Plan;
  readonly assignment: Assignment;
  readonly history: History;
  /** Facts for the rules that the history does not contain. */
  readonly context: OracleContext;
  /** One for each step of the plan. */
  readonly effects: readonly Effect[];
  /** The step that caused an exchange, or opened the stream of a frame; undefined if no step did. */
  readonly stepOf: (id: string) => number | undefined;
  readonly aftermath: Aftermath;
  readonly restarts: readonly Omit<Restart, 'before' | 'after'>[];
  /** The faults that struck the target or an order of it, in their order. */
  readonly struck: readonly Struck[];
  /** Intent ids by label, and ids of quotes. */
  readonly orders: ReadonlyMap<string, string>;
  readonly quotes: ReadonlyMap<string, string>;
  readonly startMs: number;
  readonly endMs: number;
  /** Secrets that must not be written to a report. */
  readonly secrets: Secrets;
}

/** A fault at the moment at which it struck. */
export interface Struck {
  readonly fault: Fault;
  readonly at: number;
  /** Number of records in the history at that moment. */
  readonly precededBy: number;
  /** Intent id of the order that it struck; absent if it struck the whole target. */
  readonly intentId?: string;
}

/** A target that many worlds are played on, one after the other. */
export interface SharedTarget {
  readonly target: OpenedTarget;
  readonly networks: ReadonlyMap<string, Network>;
  /**
   * Intent ids of orders that were pushed off their path, of all worlds: later worlds see the orders of earlier ones in
   * lists.
   */
  readonly disturbed: Set<string>;
}

/** Label that other steps may wait for. */
const labelOf = (step: PlannedStep): string | undefined => {
  if (isFault(step)) return undefined;
  if (step.do === 'accept') return acceptanceOf(step.order);
  return 'label' in step ? step.label : undefined;
};

const driverOf = (step: number): string => `step ${step}`;

const stepOf = (id: string): number | undefined => {
  const match = /^step (\d+)#/.exec(id);
  return match ? Number(match[1]) : undefined;
};

export interface Stage extends SharedTarget {
  readonly assignment: Assignment;
  readonly random: ReturnType<typeof randomOf>;
  readonly options: PlayOptions;
  /** Only for the embedded reference. */
  readonly inside?: InsideParts;
}

/** Plays one plan: its steps, then the aftermath. */
export class Player {
  readonly #plan: Plan;
  readonly #stage: Stage;
  readonly #book: LabelRegistry;
  readonly #effects: Effect[];
  readonly #firstTokens: ReadonlyMap<string, string>;
  readonly #partyIds: ReadonlyMap<string, string>;
  readonly #commands: CommandContext;
  readonly #faults: FaultContext;
  readonly #struck: Struck[] = [];
  readonly #done = createSignal();
  /** Index of its first record among those of the target. */
  readonly #from: number;
  #running = 0;
  #broke: { readonly error: unknown } | undefined;

  constructor(plan: Plan, stage: Stage) {
    const { target, assignment, random, networks, inside, disturbed } = stage;
    const { timeline, controls, orderDefaults: defaults } = target;
    this.#from = inside ? 0 : target.history.records.length;
    this.#plan = plan;
    this.#stage = stage;
    this.#book = new LabelRegistry(timeline);
    this.#effects = plan.steps.map(() => nothing('it was not taken'));
    const parties = this.#present().map(({ name }) => this.#party(name, 'cast'));
    this.#firstTokens = new Map(parties.map(({ name, token }) => [name, token]));
    this.#partyIds = new Map(parties.map(({ name, partyId }) => [name, partyId]));
    const insistent = new Set<string>();
    this.#commands = {
      timeline,
      assignment,
      book: this.#book,
      random: random.fork('bodies'),
      partyIdOf: (name) => this.#partyIds.get(name),
      firstToken: (name) => this.#firstTokens.get(name),
      last: new Map(),
      insistent,
      defaults,
      controlFor: (order) => (inside ? undefined : controlAtCreation(plan.steps, controls, order)),
      disturbed,
    };
    this.#faults = {
      timeline,
      ...(inside && { inside }),
      controls,
      book: this.#book,
      networks,
      insistent,
      disturbed,
      onStruck: (fault, intentId) => {
        this.#struck.push({
          fault,
          at: timeline.now(),
          precededBy: target.history.records.length - this.#from,
          ...(intentId !== undefined && { intentId }),
        });
      },
    };
  }

  /** The name may lie beyond the standard cast: the target takes any name. */
  #present(): readonly PlannedParty[] {
    const { parties } = this.#stage.target;
    return this.#plan.parties.filter(({ name }) => parties[name as CastName] !== undefined);
  }

  /** The cast allows names beyond `CastName`. */
  #party(name: string, by: string): Party {
    return this.#stage.target.party(name as CastName, by);
  }

  #observe(phase: Inside['phase'], step: number): void {
    const { options, target, inside, disturbed } = this.#stage;
    // A killed target may have lost state that nobody was told about.
    if (!inside || inside.lives?.isUp === false) return;
    options.observe?.({
      phase,
      step,
      now: target.timeline.now(),
      world: inside.target.world,
      disturbed,
      isLate: inside.outages.isLate(target.timeline.now()),
    });
  }

  async play(): Promise<WorldRun> {
    const { target } = this.#stage;
    const startMs = target.timeline.now();
    this.#observe('opening', 0);
    const after = await target.timeline.act('world', async () => {
      await this.#safety();
      return this.#liveness();
    });
    this.#observe('end', this.#plan.steps.length);
    if (this.#broke) throw this.#broke.error;
    return {
      plan: this.#plan,
      assignment: this.#stage.assignment,
      history: this.#history(),
      context: this.#context(),
      effects: this.#effects,
      stepOf,
      aftermath: after,
      restarts: [],
      struck: this.#struck,
      orders: new Map([...this.#book.orders].map(([label, { intentId }]) => [label, intentId])),
      quotes: new Map([...this.#book.quotes].map(([label, { quoteId }]) => [label, quoteId])),
      startMs,
      endMs: target.timeline.now(),
      secrets: target.secrets,
    };
  }

  async #safety(): Promise<void> {
    const { steps } = this.#plan;
    const { timeline } = this.#stage.target;
    const moments = {
      book: this.#book,
      assignment: this.#stage.assignment,
      now: () => timeline.now(),
      firstToken: this.#commands.firstToken,
    };
    for (const [index, step] of steps.entries()) {
      // Before the moment is calculated: a slow host may let time go on while a request is under way.
      if (this.#stage.options.oneAfterAnother) await this.#allDone();
      const instant = await instantOf(moments, step.at);
      if (instant > timeline.now()) {
        this.#observe('steps', index);
        await timeline.until(instant);
      }
      this.#begin(index, step);
    }
    await this.#allDone();
  }

  async #allDone(): Promise<void> {
    const { timeline } = this.#stage.target;
    while (this.#running > 0) await timeline.wait(this.#done);
  }

  /** Steps run side by side: the next one does not wait for the answer to this. */
  #begin(index: number, step: PlannedStep): void {
    const label = labelOf(step);
    if (label !== undefined) this.#book.begin(label);
    this.#running += 1;
    const act = async (): Promise<void> => {
      try {
        this.#effects[index] = await this.#take(index, step);
      } catch (error) {
        this.#broke ??= { error };
      }
      if (label !== undefined) this.#book.end(label);
      this.#running -= 1;
      this.#done.ring();
    };
    void this.#stage.target.timeline.background(driverOf(index), act).catch((error: unknown) => {
      this.#broke ??= { error };
    });
  }

  async #take(index: number, step: PlannedStep): Promise<Effect> {
    if (isFault(step)) {
      return strike(this.#faults, step, () => {
        this.#effects[index] = nothing('nothing followed that it could strike');
      });
    }
    const planned = this.#present().find(({ name }) => name === step.by);
    if (!planned) return nothing('there is no such party');
    return carryOut(this.#commands, planned, this.#party(step.by, driverOf(index)), step).catch(
      (error: unknown) => {
        if (error instanceof CircuitOpenError) return nothing(error.message);
        throw error;
      },
    );
  }

  async #liveness(): Promise<Aftermath> {
    const { target, networks, assignment, inside } = this.#stage;
    for (const network of networks.values()) network.calm();
    inside?.lives?.calm();
    if (inside) await target.timeline.until(Math.max(target.timeline.now(), inside.outages.overMs));
    this.#observe('aftermath', this.#plan.steps.length);
    const seen = await aftermath({
      timeline: target.timeline,
      assignment,
      book: this.#book,
      parties: this.#present().map(({ name }) => this.#party(name, 'aftermath')),
      partyIdOf: this.#commands.partyIdOf,
      ...(!this.#stage.inside && { longestWaitMs: target.clock.maxWaitMs }),
    });
    for (const { stream } of this.#book.streams.values()) await stream.close();
    return seen;
  }

  /** Records since this world began, as if nothing had been recorded before. */
  #history(): History {
    const { history } = this.#stage.target;
    const from = this.#from;
    if (from === 0) return history;
    const records = history.records.slice(from).map((record) => {
      if (record.kind !== 'exchange' || record.precededBy === undefined) return record;
      return { ...record, precededBy: Math.max(0, record.precededBy - from) };
    });
    return { records };
  }

  #context(): OracleContext {
    const { assignment, inside, target } = this.#stage;
    if (!inside) return ruleContext(target, this.#stage.disturbed);
    const disturbed = new Set([...this.#stage.disturbed].map((id) => id.toLowerCase()));
    return {
      offset: { least: 0, most: 0 },
      answers: (gap) => assignment[gap],
      cast: Object.fromEntries(
        this.#plan.parties.map(({ name, role }) => {
          const partyId = this.#partyIds.get(name);
          return [name, { role, ...(partyId !== undefined && { partyId }) }];
        }),
      ),
      disturbed: (intentId) => disturbed.has(intentId.toLowerCase()),
    };
  }
}
