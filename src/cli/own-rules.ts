import type { Rule } from '../oracle/index.ts';

/**
 * The rules of the suite with those of `--checks`; undefined without these files, so that no command loads the suite
 * needlessly.
 */
export async function rulesWith(
  files: readonly string[] | undefined,
  directory: string,
): Promise<readonly Rule[] | undefined> {
  if (files === undefined) return undefined;
  const { suiteWith } = await import('./own-suite.ts');
  return (await suiteWith(files, directory)).rules;
}
