import { buildServer, type Tamper } from '../reference/http/index.ts';
import type { State } from '../reference/core/index.ts';
import { drawPlan } from '../simulation/draw/draw-plan.ts';
import { castAmong } from '../simulation/draw/cast.ts';
import { possibleFaults } from '../simulation/draw/target-plan.ts';
import type { SimulationOptions, WorldOutcome } from '../simulation/outcome.ts';
import type { Plan } from '../simulation/plan.ts';
import { type PlayOptions, runPlanOn, type WorldRun } from '../simulation/run-plan.ts';
import type { WorldTools } from '../simulation/run-world.ts';
import { parseSeed } from '../random/seed.ts';
import { cast, castNames, controls as controlNames } from '../spec/requirements/requirement.ts';
import { assign } from '../target/embedded/assignment.ts';
import { createReference } from '../target/embedded/create-reference.ts';
import { readTargetFile } from '../target/file/read-target-file.ts';
import { referenceTargetFile } from '../target/file/served-reference.ts';
import { openRemote } from '../target/remote/remote.ts';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import { FaultyNetworks } from '../client/faulty-network.ts';
import { judged } from './target-worlds.ts';

export interface HttpWorld {
  readonly run: WorldRun;
  /** Final state of the reference. */
  readonly state: State;
}

/** Only names of the standard cast can stand in a target file. */
const declarable = castNames.map((name) => ({ name, role: cast[name], skewMs: 0 }));

/** Plays a plan on its own reference: served on loopback, with its clock driven over HTTP. */
export async function playOverHttp(
  whole: Plan,
  options: Pick<PlayOptions, 'tamper' | 'oneAfterAnother'> = {},
): Promise<HttpWorld> {
  const plan = { ...whole, parties: castAmong(whole.parties, declarable) };
  const assignment = assign(plan.assignment);
  const world = createReference({
    clock: virtualClock(plan.startMs),
    seed: parseSeed(plan.seed) ?? 0n,
    assignment,
    cast: plan.parties,
    ...(options.tamper && { tamper: options.tamper }),
  });
  const server = buildServer(world);
  try {
    const addresses = await server.serve({ port: 0 });
    const signing = { alg: server.tokens.keys.alg, keyFile: 'key.json' };
    const text = referenceTargetFile({ addresses, clock: 'virtual', signing });
    const key = JSON.stringify(server.tokens.keys.signing.export({ format: 'jwk' }));
    const host = { env: {}, directory: '.', readText: () => key };
    const read = readTargetFile({ file: 'served.yaml', text }, host);
    if (!read.ok) throw new Error(JSON.stringify(read.errors));
    // The reference is our own, so no discovery is needed.
    const opened = await openRemote(
      { ...read.target, gaps: assignment },
      {
        listening: false,
        networks: new FaultyNetworks(),
      },
    );
    if (!opened.ok) throw new Error(opened.problems.join('\n'));
    try {
      const shared = { target: opened.target, disturbed: new Set<string>() };
      const run = await runPlanOn(plan, shared, options);
      return { run, state: world.state() };
    } finally {
      await opened.target.close();
    }
  } finally {
    await server.close();
  }
}

/** One seed over real HTTP. Its hash holds the moments at which the network answered: two runs may differ. */
export async function playSeedOverHttp(
  seed: string,
  options: SimulationOptions,
  tools: WorldTools = {},
): Promise<WorldOutcome> {
  const started = tools.hostMs?.() ?? 0;
  const controls = Object.fromEntries(controlNames.map((name) => [name, {}]));
  const clock = { kind: 'controlled', maxWaitMs: 0, offset: { least: 0, most: 0 } } as const;
  const possible: readonly string[] = possibleFaults({ clock, controls });
  const faults = options.faults?.filter((fault) => possible.includes(fault)) ?? possible;
  const plan = drawPlan(seed, { faults, steps: options.steps });
  const tamper: Tamper | undefined =
    options.mutation === undefined ? undefined : tools.tamperOf?.(options.mutation);
  const { run } = await playOverHttp(plan, { tamper });
  return judged(run, tools.rules, () => (tools.hostMs?.() ?? 0) - started).outcome;
}
