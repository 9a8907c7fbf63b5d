import { formatDuration } from '../../yaml/index.ts';
import type {
  LetStep,
  MeanwhileStep,
  RepeatStep,
  Step,
  TogetherStep,
  UseStep,
  WaitStep,
} from '../language/steps/index.ts';
import { copySaved, parameterTypes } from '../language/check.ts';
import { act } from './act.ts';
import { asEach } from './as-each.ts';
import { type Env, evaluate, valueOf } from './evaluate.ts';
import { makeFault } from './faults.ts';
import { end, fail, Halt } from './halt.ts';
import { mismatches } from './match.ts';
import { sees } from './expect-events.ts';
import { note, type StepContext, tooLong } from './session.ts';
import { coerced, itemsOf, shownValue, type Value } from './values.ts';

/** @param run Runs one step of the list. */
export async function runSteps(
  steps: readonly Step[],
  ctx: StepContext,
  run = runStep,
): Promise<void> {
  const { session } = ctx;
  for (const [index, step] of steps.entries()) {
    session.budget.step();
    if (step.kind === 'meanwhile') return meanwhile(step, steps.slice(index + 1), ctx, run);
    try {
      await run(step, ctx);
    } catch (caught) {
      if (caught instanceof Halt) caught.logged ??= session.log.length;
      throw caught;
    }
    session.reference?.look?.();
  }
}

export async function runStep(step: Exclude<Step, MeanwhileStep>, ctx: StepContext): Promise<void> {
  switch (step.kind) {
    case 'act':
      return act(step, ctx);
    case 'sees':
      return sees(step, ctx);
    case 'assert': {
      const value = evaluate(step.value, ctx);
      const found = mismatches(step.is, value, ctx, step.value.source);
      if (found[0]) fail(found[0].at, 'the value is not what is expected', { mismatches: found });
      return;
    }
    case 'wait':
      return wait(step, ctx);
    case 'together':
      return together(step, ctx);
    case 'fault':
      return makeFault(step, ctx);
    case 'repeat':
      return repeat(step, ctx);
    case 'as_each':
      return asEach(step, ctx, runSteps);
    case 'let':
      return name(step, ctx);
    case 'use':
      return use(step, ctx);
    case 'broken':
      throw new Error('a step that could not be read was run');
  }
}

async function wait(step: WaitStep, ctx: StepContext): Promise<void> {
  const { session } = ctx;
  const { timeline, clock } = session.target;
  const now = timeline.now();
  const moment = momentOf(step, now, ctx);
  if (moment === undefined) {
    return fail(step.at, `this is no ${step.how === 'for' ? 'duration' : 'moment'}`);
  }
  const ms = moment - now;
  const reason = tooLong(ms, clock);
  if (reason !== undefined) return end('out_of_scope', reason);
  await timeline.until(moment);
  note(session, { at: step.at, says: `wait ${formatDuration(Math.max(0, ms))}` });
}

function momentOf(step: WaitStep, now: number, ctx: StepContext): number | undefined {
  if (typeof step.value === 'number') return now + step.value;
  const value = evaluate(step.value, ctx);
  if (step.how === 'until') return value.kind === 'time' ? value.ms : undefined;
  return value.kind === 'duration' ? now + value.ms : undefined;
}

interface Branch {
  readonly steps: readonly Step[];
  readonly env: Env;
}

/** Values that a branch saves are available after all branches. */
async function together(step: TogetherStep, ctx: StepContext): Promise<void> {
  const { env } = ctx;
  const before = new Map(env);
  const branches = step.branches.map((steps) => ({ steps, env: new Map(env) }));
  for (const index of await sideBySide(step, branches, ctx)) {
    copySaved((branches[index] as Branch).env, before, env);
  }
}

/** Runs the steps beside the rest of their list. Values that they save are available after both. */
async function meanwhile(
  { at, steps }: MeanwhileStep,
  rest: readonly Step[],
  ctx: StepContext,
  run: typeof runStep,
): Promise<void> {
  const { session, env } = ctx;
  note(session, { at, says: 'meanwhile' });
  const before = new Map(env);
  const own = new Map(env);
  const beside = { ...ctx, concurrent: true };
  // Without it, thousands in a row would nest on the stack.
  await Promise.resolve();
  try {
    await session.target.timeline.together([
      [`${session.id} line ${at.line}`, () => runSteps(steps, { ...beside, env: own }, run)],
      [`${session.id} after line ${at.line}`, () => runSteps(rest, beside, run)],
    ]);
  } finally {
    copySaved(own, before, env);
  }
}

/** Runs branches side by side. The seed draws the order in which they begin; the log shows it, and it is returned. */
async function sideBySide(
  { kind, at }: TogetherStep | RepeatStep,
  branches: readonly Branch[],
  ctx: StepContext,
): Promise<readonly number[]> {
  const { session } = ctx;
  const random = session.random.fork(`together ${at.line} ${session.drawn.length}`);
  const order = random.shuffle(branches.map((_, index) => index));
  const drawn = order.map((index) => index + 1).join(', ');
  session.drawn.push(`line ${at.line}: ${drawn}`);
  note(session, { at, says: kind, outcome: `in the order ${drawn}` });
  await session.target.timeline.together(
    order.map((index) => {
      const { steps, env } = branches[index] as Branch;
      return [
        `${session.id} branch ${index + 1}`,
        () => runSteps(steps, { ...ctx, env, concurrent: true }),
      ] as const;
    }),
  );
  return order;
}

async function repeat(step: RepeatStep, ctx: StepContext): Promise<void> {
  const { timeline } = ctx.session.target;
  const startedAt = timeline.now();
  const rounds = roundsOf(step, ctx).map((value) => {
    const env: Env = new Map(ctx.env);
    return { steps: step.steps, env: step.as ? env.set(step.as.value, value) : env };
  });
  if (step.at_once) {
    await sideBySide(step, rounds, ctx);
    return;
  }
  for (const [round, { steps, env }] of rounds.entries()) {
    if (step.every) await timeline.until(startedAt + round * step.every.value);
    await runSteps(steps, { ...ctx, env });
  }
}

/** Value of each round: its number, or its item. */
function roundsOf({ times }: RepeatStep, ctx: StepContext): readonly Value[] {
  if (typeof times === 'number')
    return Array.from({ length: times }, (_, round) => ({ kind: 'count', count: round + 1 }));
  return itemsOf(evaluate(times, ctx)) ?? fail(times.at, 'this is no list');
}

function name(step: LetStep, ctx: StepContext): void {
  for (const { key, value } of step.values) {
    const worked = valueOf(value, ctx);
    ctx.env.set(key, worked);
    note(ctx.session, { at: step.at, says: `let ${key}`, outcome: shownValue(worked) });
  }
}

/** A template sees only its parameters; its user gets only the values that it saves from it. */
async function use(step: UseStep, ctx: StepContext): Promise<void> {
  const { session, env } = ctx;
  const template = session.templates.get(step.template.value);
  if (!template) throw new Error(`a template that was not checked: ${step.template.value}`);
  const own: Env = new Map();
  for (const { key, value } of template.value.takes ?? []) {
    const given = step.with?.find((one) => one.key === key)?.value ?? value.default;
    const from = given === value.default ? { ...ctx, env: new Map() } : ctx;
    const { kind } = parameterTypes[value.kind.value];
    if (given) own.set(key, coerced(valueOf(given, from), kind));
  }
  await runSteps(template.value.steps, { ...ctx, env: own });
  for (const { key, value: saved } of step.save ?? []) {
    const value = own.get(key);
    if (value) env.set(saved.value, value);
  }
}
