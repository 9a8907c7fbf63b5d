import { suggestion } from '../yaml/index.ts';
import { UsageError } from './usage-error.ts';

/**
 * Refuses unknown options: a misspelt option would otherwise be ignored silently.
 * @param names every option of the call
 * @throws UsageError `options`
 */
export function refuseUnknownOptions<Name extends string>(
  given: { readonly [name in Name]?: unknown },
  names: Readonly<Record<Name, true>>,
): void {
  const known = Object.keys(names);
  const problems = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const next = suggestion(name, known) ?? `it takes ${known.join(', ')}`;
      return `${JSON.stringify(name)} is no option\n  next: ${next}`;
    });
  if (problems.length > 0) throw new UsageError('options', problems);
}
