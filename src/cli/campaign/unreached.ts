import type { ListUnreached } from '../../simulation/campaign/text.ts';
import { coverageOfMet } from '../../combinations/coverage.ts';
import { lives } from '../../combinations/factors.ts';
import { grouped } from '../../simulation/campaign/text.ts';
import { unreachedIn } from '../../simulation/catalogue.ts';
import { encounterName, encounters } from '../../simulation/encounters.ts';

const widest = 110;

/** Coverage of pairs and triples of circumstances in the life of an order. */
function combinationLines(met: readonly string[]): readonly string[] {
  const all = new Set(met);
  const [pairs, triples] = ([2, 3] as const).map((strength) => coverageOfMet(all, lives, strength));
  if (!pairs || !triples) return [];
  const share = (what: string, { met: some, admissible }: typeof pairs): string =>
    `${grouped(some)} of ${grouped(admissible)} ${what}`;
  return [
    `Circumstances of an order's life that came together: ${share('pairs', pairs)}, ${share('triples', triples)}.`,
  ];
}

/** Encounters that differ in the state of the order alone share an entry. */
function inShort(missing: readonly string[]): readonly string[] {
  const states = new Map<string, string[]>();
  const names = new Set(missing);
  for (const encounter of encounters) {
    const name = encounterName(encounter);
    if (!names.delete(name)) continue;
    const common = `tried: ${encounter.operation} by ${encounter.side} on`;
    states.set(common, [...(states.get(common) ?? []), encounter.state]);
  }
  return [...names, ...[...states].map(([common, some]) => `${common} ${some.join(', ')}`)];
}

/**
 * The only link from campaigns to the catalogue of situations. Separate from the worlds, so that a report loads none.
 */
export const listUnreached: ListUnreached = ({ reached, worlds, options, met }) => {
  const { missing, of } = unreachedIn(reached, options);
  if (worlds === 0) return [];
  const together = combinationLines(met);
  if (missing.length === 0)
    return [`All ${of} situations of the catalogue came about.`, ...together];
  const lines = [''];
  for (const name of inShort(missing)) {
    const last = lines.at(-1) ?? '';
    const longer = last === '' ? name : `${last}; ${name}`;
    if (longer.length > widest) lines.push(name);
    else lines[lines.length - 1] = longer;
  }
  return [
    `${of - missing.length} of ${of} situations came about. Nothing is claimed of the others:`,
    ...lines.map((line) => `  ${line}`),
    ...together,
  ];
};
