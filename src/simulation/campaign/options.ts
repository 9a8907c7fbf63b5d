import type { CampaignSummary, SimulationOptions } from '../outcome.ts';

/** Which code plays the worlds: only what the same code found can be counted together. */
export type Suite = CampaignSummary['suite'];

/** Options in the one form that equal ones have: names of faults sorted and each once, keys in order. */
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

/** Options as words of a command line, those left out that are as usual. */
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
