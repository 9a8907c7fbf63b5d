import type { ChosenTarget } from '../run/open.ts';
import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import { urlProblem } from '../target/file/values.ts';
import { suggestion } from '../yaml/index.ts';
import { type LoadedTarget, reading, type TargetAddresses } from './targets.ts';
import { UsageError } from './usage-error.ts';

/**
 * The target to open; the embedded reference by default. Kept apart from the public `targets.ts`, so that no
 * declaration of the package leads into the target's types.
 */
export function chosenFrom(target: LoadedTarget | TargetAddresses | undefined): ChosenTarget {
  if (target === undefined) return { kind: 'embedded' };
  if (reading in target) return target[reading] as ChosenTarget;
  if ('baseUrls' in target) return { kind: 'urls', urls: urlsOf(target) };
  const next = 'give what loadTarget resolves to, or { baseUrls: { sender: "http://..." } }';
  throw new UsageError('target', [`target is neither a loaded file nor addresses: ${next}`]);
}

function urlsOf({ baseUrls }: TargetAddresses) {
  const given = Object.entries(baseUrls);
  const problems = given.flatMap(([name, url]) => {
    if (!castNames.some((one) => one === name)) {
      const hint = suggestion(name, castNames) ?? `one of ${castNames.join(', ')}`;
      return [`target.baseUrls.${name} is not of the cast: ${hint}`];
    }
    const problem = urlProblem(url);
    return problem === undefined ? [] : [`target.baseUrls.${name}: ${problem}`];
  });
  if (given.length === 0) problems.push('target.baseUrls names no party');
  if (problems.length > 0) throw new UsageError('target', problems);
  return given.map(([name, url]) => ({
    name: name as CastName,
    baseUrl: url.replace(/\/+$/, ''),
  }));
}
