import { suggestion } from '../../yaml/index.ts';
import { checkTarget } from '../check/check-target.ts';
import { suiteWith } from '../own-suite.ts';
import { type CommandInput, usageFailure } from '../command.ts';
import type { ExitCode } from '../terminal.ts';
import { explaining } from './explain.ts';
import type { ReplayFlags } from './flags.ts';

/** A scenario is replayed by its file, or by its id, which is the file without its ending. */
const isScenario = (word: string): boolean => /\.ya?ml$/.test(word) || word.includes('/');

/** Checks of a user may be called anything. */
const fileNameOf = (id: string): string => id.replaceAll(/[^\w.-]/g, '-');

/** Runs one check or one scenario. Explains each step, or exports a reproduction. */
export async function replay({ terminal, words, options }: CommandInput): Promise<ExitCode> {
  if (typeof options['journal'] === 'string')
    return (await import('./journal.ts')).replayJournal({ terminal, words, options });
  if (words[0] === undefined)
    throw usageFailure('nothing to replay', 'name a check, or a journal with --journal DIR');
  const [id] = words;
  const flags = options as unknown as ReplayFlags;
  if (isScenario(id)) {
    if (flags.explain || flags.export) {
      const next = 'a scenario is its own explanation: play it with --out for its timeline';
      throw usageFailure('--explain and --export are for checks', next);
    }
    return (await import('../play/command.ts')).playCommand({ terminal, words, options });
  }
  const suite = await suiteWith(flags.checks, terminal.cwd);
  const check = suite.checks.find((one) => one.id === id);
  if (!check) {
    const known = suite.checks.map((one) => one.id);
    const next = suggestion(id, known) ?? 'ids: assay check --dry-run';
    throw usageFailure(`there is no check ${JSON.stringify(id)}`, next);
  }
  const only = { ...flags, only: [id], out: flags.out ?? `reports/replay/${fileNameOf(id)}` };
  const explain = flags.explain ? explaining(id, terminal) : undefined;
  if (!flags.export) return checkTarget(only, terminal, undefined, { ...explain, check: id });
  const { exporting } = await import('./export.ts');
  return exporting(id, flags, terminal, (hooks) =>
    checkTarget(only, terminal, undefined, {
      check: id,
      onOpened: (target) => explain?.onOpened?.(target),
      onJudged: (target, report) => {
        explain?.onJudged?.(target, report);
        hooks.onJudged?.(target, report);
      },
    }),
  );
}
