import { readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { within } from '../files.ts';
import { findScenarios, isYaml } from './scenario-files.ts';
import { type ExitCode, type Terminal, untilStopped } from '../terminal.ts';

/** Editors write a file in several steps: writes within this time are one change. */
const quietMs = 100;

/**
 * Scenario files of some folders with their write times. Other files are ignored: reports may go to the same folders.
 */
const stateOf = (folders: Iterable<string>): string =>
  [...folders]
    .flatMap((folder) =>
      readdirSync(folder)
        .filter(isYaml)
        .toSorted()
        .map((name) => {
          const stat = statSync(join(folder, name), { throwIfNoEntry: false });
          return `${join(folder, name)} ${stat?.mtimeMs} ${stat?.size}`;
        }),
    )
    .join('\n');

/** Plays again whenever a scenario file in one of the folders changes, until it is stopped. */
export async function watchFiles(
  words: readonly string[],
  terminal: Terminal,
  playOnce: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const files = findScenarios(words, terminal);
  const folders = new Set(files.map((file) => dirname(within(terminal.cwd, file))));
  const clock = systemClock();
  let played = stateOf(folders);
  let code = await playOnce();
  let running: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  const again = (): void => {
    cancel?.();
    cancel = clock.at(clock.now() + quietMs, () => {
      running = (running ?? Promise.resolve()).then(async () => {
        const now = stateOf(folders);
        if (now === played) return;
        played = now;
        terminal.out('');
        code = await playOnce();
      });
    });
  };
  const watchers = [...folders].map((folder) => watch(folder, again));
  terminal.err('watching; Ctrl-C ends it');
  await untilStopped(terminal);
  cancel?.();
  for (const one of watchers) one.close();
  await running;
  return code;
}
