import { loggable, printable } from '../../report/index.ts';
import { judgedText, teller } from '../../reproduce/explain.ts';
import { suggestion } from '../../yaml/index.ts';
import { checkTarget, type RunHooks } from '../check/check-target.ts';
import { type CommandInput, usageFailure } from '../command.ts';
import type { SeededFlags } from '../flags.ts';
import { suiteWith } from '../own-suite.ts';
import type { ExitCode, Terminal } from '../terminal.ts';

/** A scenario is replayed by its file, or by its id, which is the file without its ending. */
const isScenario = (word: string): boolean => /\.ya?ml$/.test(word) || word.includes('/');

/** Checks of a user may be called anything. */
const fileNameOf = (id: string): string => id.replaceAll(/[^\w.-]/g, '-');

/** Runs one check or one scenario. Explains each step, or exports a reproduction. */
export async function replay(input: CommandInput): Promise<ExitCode> {
  const { terminal, words } = input;
  const flags = input.flags as SeededFlags;
  if (flags.journal !== undefined)
    return (await import('./journal.ts')).replayJournal(flags.journal, flags, terminal);
  const [id] = words;
  if (id === undefined)
    throw usageFailure('nothing to replay', 'name a check, or a journal with --journal DIR');
  if (isScenario(id)) {
    if (flags.explain || flags.export) {
      const next = 'a scenario is its own explanation: play it with --out for its timeline';
      throw usageFailure('--explain and --export are for checks', next);
    }
    return (await import('../play/command.ts')).playCommand(input);
  }
  const suite = await suiteWith(flags.checks, terminal.cwd);
  const check = suite.checks.find((one) => one.id === id);
  if (!check) {
    const known = suite.checks.map((one) => one.id);
    const next = suggestion(id, known) ?? 'ids: assay check --dry-run';
    throw usageFailure(`there is no check ${JSON.stringify(id)}`, next);
  }
  const only = { ...flags, only: [id], out: flags.out ?? `reports/replay/${fileNameOf(id)}` };
  const explain = flags.explain ? [explaining(id, terminal)] : [];
  const run = (...hooks: readonly RunHooks[]): Promise<ExitCode> =>
    checkTarget(only, terminal, { one: { check: id, hooks: [...explain, ...hooks] } });
  if (!flags.export) return run();
  return (await import('./export.ts')).exporting(id, flags, terminal, run);
}

/** Prints the actions of a check while it runs, and its findings after it was judged. */
function explaining(check: string, terminal: Terminal): RunHooks {
  const told = new Set<string>();
  return {
    onOpened(target) {
      const tell = teller(check, target.secrets);
      target.history.watch((record) => {
        const text = tell(record);
        if (text === undefined || record.kind === 'end') return;
        told.add(record.id);
        terminal.out(loggable(printable(text)));
      });
    },
    onJudged(_, { checks, rules }) {
      const own = checks.filter(({ id }) => id === check);
      terminal.out(loggable(printable(`\n${judgedText([...own, ...rules], told)}\n`)));
    },
  };
}
