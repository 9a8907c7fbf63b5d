import type { CampaignSummary, SimulationOptions } from '../outcome.ts';

/** Identity of the code that plays the worlds: only findings of the same code can be counted together. */
export type Suite = CampaignSummary['suite'];

/** Canonical form of the options: names of faults sorted and without duplicates, keys in a fixed order. */
export const canonicalOptions = (options: SimulationOptions): SimulationOptions => ({
  depth: options.depth,
  ...(options.faults && { faults: [...new Set(options.faults)].toSorted() }),
  ...(options.mutation !== undefined && { mutation: options.mutation }),
  ...(options.steps !== undefined && { steps: options.steps }),
  ...(options.target !== undefined && { target: options.target }),
  ...(options.checks && { checks: [...new Set(options.checks)].toSorted() }),
});

export const sameOptions = (one: SimulationOptions, other: SimulationOptions): boolean =>
  JSON.stringify(canonicalOptions(one)) === JSON.stringify(canonicalOptions(other));

export const sameSuite = (one: Suite, other: Suite): boolean =>
  one.version === other.version && one.digest === other.digest;

export const showSuite = ({ version, digest }: Suite): string =>
  `${version} (${digest.slice(0, 12)})`;

/** Options as words of a command line, without those that have their default. */
export const optionWords = ({
  depth,
  faults,
  mutation,
  steps,
  target,
  checks = [],
}: SimulationOptions): string =>
  [
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(depth === 'process' || target !== undefined ? [] : [`--depth ${depth}`]),
    ...(faults ? [`--faults ${faults.join(',').replaceAll(' ', '-') || 'none'}`] : []),
    ...(mutation === undefined ? [] : [`--mutation ${mutation}`]),
    ...(steps === undefined ? [] : [`--steps ${steps}`]),
    ...checks.map((file) => `--checks ${file}`),
  ].join(' ');
