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
import { type Fault, isFault, type Plan, type PlannedStep } from '../plan.ts';
import { aftermath, type Aftermath } from './aftermath.ts';
import { acceptanceOf, idsIn, LabelRegistry } from './label-registry.ts';
import { carryOut, type CommandContext, type Effect, nothing } from './commands.ts';
import { controlAtCreation, type FaultContext, type InsideParts, strike } from './faults.ts';
import { type Restart } from './target-lives.ts';
import { expiryOf, instantOf } from './step-instant.ts';
import { Network } from '../../client/faulty-network.ts';
import { createSignal } from '../../timeline/signal.ts';

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
export async function playPlan(plan: Plan, stage: Stage): Promise<WorldRun> {
  const { target, assignment, random, options, inside, disturbed } = stage;
  const {
    timeline,
    controls,
    orderDefaults: defaults,
    networks = new Map<string, Network>(),
  } = target;
  const { steps } = plan;
  /** Index of its first record among those of the target. */
  const from = inside ? 0 : target.history.records.length;
  const book = new LabelRegistry(timeline);
  const effects: Effect[] = steps.map(() => nothing('it was not taken'));
  // A name may lie beyond the standard cast: the target takes any name.
  const partyOf = (name: string, by: string): Party => target.party(name as CastName, by);
  const present = plan.parties.filter(({ name }) => target.parties[name as CastName] !== undefined);
  const cast = present.map(({ name }) => partyOf(name, 'cast'));
  const firstTokens = new Map<string, string>(cast.map(({ name, token }) => [name, token]));
  const partyIds = new Map<string, string>(cast.map(({ name, partyId }) => [name, partyId]));
  const insistent = new Set<string>();
  const bodies = random.fork('bodies');
  const struck: Struck[] = [];
  const done = createSignal();
  let running = 0;
  const errors: { readonly error: unknown }[] = [];
  const commands: CommandContext = {
    timeline,
    assignment,
    book,
    hexOf(order) {
      const draws = bodies.fork(order);
      return (digits, field) => draws.fork(field).hex(digits);
    },
    partyIdOf: (name) => partyIds.get(name),
    firstToken: (name) => firstTokens.get(name),
    last: new Map(),
    insistent,
    defaults,
    controlFor: (order) => (inside ? undefined : controlAtCreation(steps, controls, order)),
    disturbed,
  };
  const faults: FaultContext = {
    timeline,
    ...(inside && { inside }),
    controls,
    book,
    networks,
    insistent,
    disturbed,
    onStruck(fault, intentId) {
      const precededBy = target.history.records.length - from;
      const order = intentId !== undefined && { intentId };
      struck.push({ fault, at: timeline.now(), precededBy, ...order });
    },
  };

  function observe(phase: Inside['phase'], step: number): void {
    // A killed target may have lost state that nobody was told about.
    if (!inside || inside.lives?.isUp === false) return;
    const now = timeline.now();
    const isLate = inside.outages.isLate(now);
    options.observe?.({ phase, step, now, world: inside.target.world, disturbed, isLate });
  }

  async function allDone(): Promise<void> {
    while (running > 0) await timeline.wait(done);
  }

  async function take(index: number, step: PlannedStep): Promise<Effect> {
    if (isFault(step)) {
      return strike(faults, step, () => {
        effects[index] = nothing('nothing followed that it could strike');
      });
    }
    const planned = present.find(({ name }) => name === step.by);
    if (!planned) return nothing('there is no such party');
    return carryOut(commands, planned, partyOf(step.by, driverOf(index)), step).catch(
      (error: unknown) => {
        if (error instanceof CircuitOpenError) return nothing(error.message);
        throw error;
      },
    );
  }

  /** Steps run side by side: the next one does not wait for the answer to this. */
  function begin(index: number, step: PlannedStep): void {
    const label = labelOf(step);
    if (label !== undefined) book.begin(label);
    running += 1;
    const act = async (): Promise<void> => {
      try {
        effects[index] = await take(index, step);
      } catch (error) {
        errors.push({ error });
      }
      if (label !== undefined) book.end(label);
      running -= 1;
      done.ring();
    };
    void timeline
      .background(driverOf(index), act)
      .catch((error: unknown) => void errors.push({ error }));
  }

  async function safety(): Promise<void> {
    const tokenEndMs = (party: string) => expiryOf(firstTokens.get(party));
    const moments = { book, assignment, now: () => timeline.now(), tokenEndMs };
    for (const [index, step] of steps.entries()) {
      // Before the moment is calculated: a slow host may let time go on while a request is under way.
      if (options.oneAfterAnother) await allDone();
      const instant = await instantOf(moments, step.at);
      if (instant > timeline.now()) {
        observe('steps', index);
        await timeline.until(instant);
      }
      begin(index, step);
    }
    await allDone();
  }

  async function liveness(): Promise<Aftermath> {
    for (const network of networks.values()) network.calm();
    inside?.lives?.calm();
    if (inside) await timeline.until(Math.max(timeline.now(), inside.outages.overMs));
    observe('aftermath', steps.length);
    const seen = await aftermath({
      timeline,
      random: random.fork('aftermath'),
      assignment,
      book,
      parties: present.map(({ name }) => partyOf(name, 'aftermath')),
      partyIdOf: commands.partyIdOf,
      ...(!inside && { longestWaitMs: target.clock.maxWaitMs }),
    });
    for (const { stream } of book.streams.values()) await stream.close();
    return seen;
  }

  function context(): OracleContext {
    if (!inside) return ruleContext(target, disturbed);
    const ids = new Set([...disturbed].map((id) => id.toLowerCase()));
    return {
      offset: { least: 0, most: 0 },
      answers: (gap) => assignment[gap],
      cast: Object.fromEntries(
        plan.parties.map(({ name, role }) => {
          const partyId = partyIds.get(name);
          return [name, { role, ...(partyId !== undefined && { partyId }) }];
        }),
      ),
      disturbed: (intentId) => ids.has(intentId.toLowerCase()),
    };
  }

  const startMs = timeline.now();
  observe('opening', 0);
  const after = await timeline.act('world', async () => {
    await safety();
    return liveness();
  });
  observe('end', steps.length);
  if (errors[0]) throw errors[0].error;
  return {
    plan,
    assignment,
    history: since(from, target.history),
    context: context(),
    effects,
    stepOf,
    aftermath: after,
    restarts: [],
    struck,
    ...idsIn(book),
    startMs,
    endMs: timeline.now(),
    secrets: target.secrets,
  };
}

/** Records since a world began, as if nothing had been recorded before. */
function since(from: number, history: History): History {
  if (from === 0) return history;
  const records = history.records.slice(from).map((record) => {
    if (record.kind !== 'exchange' || record.precededBy === undefined) return record;
    return { ...record, precededBy: Math.max(0, record.precededBy - from) };
  });
  return { records };
}
