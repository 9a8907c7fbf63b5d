import { random } from '../../src/random/random.ts';
import { load, type Scenario } from '../../src/scenario/language/load.ts';
import { play, type Played } from '../../src/scenario/run/play.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import type { Party } from '../../src/client/contract.ts';
import type { GapId } from '../../src/spec/gaps/index.ts';
import { assign } from '../../src/target/embedded/assignment.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/** A scenario of these steps; `more`: other keys of the file. */
export function scenario(steps: string, more = ''): Scenario {
  const text = `scenario: x\n${more}steps:\n${steps}`;
  const loaded = load(
    { file: 'x.yaml', text },
    { read: () => ({ reason: 'none' }), resolve: (_, path) => path },
  );
  const [first] = loaded.ok ? loaded.scenarios : [];
  if (!first) throw new Error(JSON.stringify(loaded));
  return first;
}

interface ReferenceOptions {
  readonly tamper?: Tamper;
  readonly changes?: { readonly [id in GapId]?: string };
  readonly maxWaitMs?: number;
  /** Of the scenario's draws. */
  readonly seed?: bigint;
  /** Played as if it were a target about which nothing more is known. */
  readonly stranger?: boolean;
  /** Changes what a party sees of the target. */
  readonly through?: (party: Party, now: () => number) => Party;
  /** The target file declares that nobody else uses the target. */
  readonly alone?: boolean;
}

/** Plays it on the embedded reference. */
export async function played(which: Scenario, world: ReferenceOptions = {}): Promise<Played> {
  const answers = assign(world.changes ?? {});
  const opened = await openEmbedded({
    seed: 1n,
    assignment: answers,
    listening: false,
    ...(world.tamper && { tamper: world.tamper }),
    ...(world.maxWaitMs !== undefined && { maxWaitMs: world.maxWaitMs }),
  });
  try {
    const known = { get: (gap: GapId) => (world.stranger ? undefined : answers[gap]) };
    const { signing, ...others } = { ...opened, answers: known };
    return await play(which, {
      target: {
        ...others,
        ...(world.through && {
          party: (...which) =>
            world.through?.(opened.party(...which), () => opened.timeline.now()) ??
            opened.party(...which),
        }),
        ...(world.alone && { alone: true }),
        ...(signing && !world.stranger && { signing }),
      },
      random: random(world.seed ?? 1n),
      ...(world.stranger ? {} : { reference: opened.hooks }),
    });
  } finally {
    await opened.close();
  }
}
