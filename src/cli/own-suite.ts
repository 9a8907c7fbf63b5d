import { checks } from '../../conformance/index.ts';
import { allRules } from '../oracle/index.ts';
import { idsOf, loadOwnSuite, type OwnSuite } from '../run/own-suite.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';
import { complain } from './complain.ts';

/** The suite with what the files of `--checks` add to it; undefined after having said what is wrong with them. */
export async function suiteWith(
  files: readonly string[] | undefined,
  terminal: Terminal,
): Promise<OwnSuite | undefined> {
  const suite: OwnSuite = { checks, rules: allRules };
  if (!files) return suite;
  const taken = idsOf(suite);
  const own: OwnSuite[] = [];
  let isWrong = false;
  for (const file of files) {
    const read = await loadOwnSuite(file, within(terminal.cwd, file), taken);
    if (read.ok) own.push(read.suite);
    else {
      isWrong = true;
      for (const { what, next } of read.problems) complain(terminal, `--checks ${what}`, next);
    }
  }
  if (isWrong) return undefined;
  return {
    checks: [...checks, ...own.flatMap((one) => one.checks)],
    rules: [...allRules, ...own.flatMap((one) => one.rules)],
  };
}
