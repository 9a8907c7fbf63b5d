import { checks } from '../../conformance/index.ts';
import { allRules } from '../oracle/index.ts';
import { idsOf, loadOwnSuite, type OwnSuite } from '../run/own-suite.ts';
import { type CommandFailure, failWith, usageFailure } from './command.ts';
import { within } from './files.ts';

/**
 * The suite with the checks and rules of the `--checks` files.
 * @param directory base of relative file names
 */
export async function suiteWith(
  files: readonly string[] = [],
  directory: string,
): Promise<OwnSuite> {
  const taken = idsOf({ checks, rules: allRules });
  const own: OwnSuite[] = [];
  const problems: CommandFailure[] = [];
  for (const file of files) {
    const read = await loadOwnSuite(file, within(directory, file), taken);
    if (read.ok) own.push(read.suite);
    else
      problems.push(
        ...read.problems.map(({ what, next }) => usageFailure(`--checks ${what}`, next)),
      );
  }
  failWith(problems);
  return {
    checks: [...checks, ...own.flatMap((one) => one.checks)],
    rules: [...allRules, ...own.flatMap((one) => one.rules)],
  };
}
