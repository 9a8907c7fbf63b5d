import { loggable, printable } from '../../report/index.ts';
import { judgedText, teller } from '../../reproduce/explain.ts';
import type { RunHooks } from '../check/check-target.ts';
import type { Terminal } from '../terminal.ts';

/** Prints the actions of a check while it runs, and its findings after it was judged. */
export function explaining(check: string, terminal: Terminal): RunHooks {
  let tell: ReturnType<typeof teller> = () => undefined;
  const told = new Set<string>();
  return {
    onOpened(target) {
      tell = teller(check, target.secrets);
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
