import { parentPort, workerData } from 'node:worker_threads';
import { load, type Scenario } from '../../scenario/language/load.ts';
import { playOnReference } from '../../run/play-embedded.ts';
import { sourcesIn } from '../../run/scenario-sources.ts';
import type { PlayedScenario, PlayInputs } from '../../run/play-run.ts';

/** A thread that plays scenarios by their names, one at a time, from texts that were found good before. */

export interface ThreadInputs extends Omit<PlayInputs, 'onPlayed'> {
  readonly cwd: string;
  /** The text of every file, by its name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Values from the command line, by name. */
  readonly values: ReadonlyMap<string, string>;
}

export interface ToThread {
  readonly file: string;
  readonly id: string;
}

type Sendable = Omit<PlayedScenario, 'played'> & {
  readonly played: Omit<PlayedScenario['played'], 'scenario'>;
};

export type FromThread = { readonly judged: Sendable } | { readonly broke: unknown };

const inputs = workerData as ThreadInputs;
const sources = sourcesIn(
  inputs.cwd,
  (file) => inputs.texts.get(file) ?? { reason: 'it was not read' },
  inputs.values,
);

function scenarioOf({ file, id }: ToThread): Scenario {
  const loaded = load({ file, text: inputs.texts.get(file) ?? '' }, sources);
  const found = loaded.ok ? loaded.scenarios.find((one) => one.id === id) : undefined;
  if (!found) throw new Error(`${id} is not in ${file} any more`);
  return found;
}

async function answer(asked: ToThread): Promise<FromThread> {
  try {
    const { played, ...rest } = await playOnReference(scenarioOf(asked), inputs);
    const { scenario: _, ...sendable } = played;
    return { judged: { ...rest, played: sendable } };
  } catch (broke) {
    return { broke };
  }
}

parentPort?.on('message', (asked: ToThread) => {
  void answer(asked).then((said) => parentPort?.postMessage(said));
});
