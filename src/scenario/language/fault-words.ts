import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { formatDuration, parseDuration } from '../../yaml/index.ts';

export type FaultPlan =
  | OrderFault
  | { readonly kind: 'drop'; readonly party: CastName }
  | { readonly kind: 'delay'; readonly party: CastName; readonly ms: number }
  | RestartPlan
  /** Nothing can be stored for this long, in milliseconds. */
  | { readonly kind: 'fill disk'; readonly ms: number };

/** A fault of one order: an existing order, or the next one that is created. */
export type OrderFault =
  | { readonly kind: 'revert'; readonly leg: 1 | 2 | 3 | 4 }
  | { readonly kind: 'stall' | 'withdraw' | 'invalid' };

/**
 * The target is killed, and starts again after `ms` milliseconds. `lostBytes`: killed in the middle of its next write,
 * of which this number of bytes is lost; absent: killed at once.
 */
export interface RestartPlan {
  readonly kind: 'restart';
  readonly ms: number;
  readonly lostBytes?: number;
}

/** Names of faults in a scenario, in both directions: `faultFrom` reads the text that `wordsForFault` writes. */

export const orderFaults = {
  'revert leg 1': { kind: 'revert', leg: 1 },
  'revert leg 2': { kind: 'revert', leg: 2 },
  'revert leg 3': { kind: 'revert', leg: 3 },
  'revert leg 4': { kind: 'revert', leg: 4 },
  'stall settlement': { kind: 'stall' },
  'withdraw order': { kind: 'withdraw' },
  'fail validation': { kind: 'invalid' },
} as const satisfies Readonly<Record<string, OrderFault>>;

/** True if the fault affects an order, not a party or the whole target. */
export const isOrderFault = (fault: FaultPlan): fault is OrderFault =>
  Object.values(orderFaults).some(({ kind }) => kind === fault.kind);

/** True if the fault needs a target that restarts from stored data. */
export const isDiskFault = (fault: FaultPlan): boolean =>
  fault.kind === 'restart' || fault.kind === 'fill disk';

const castNamed = (text: string | undefined): CastName | undefined =>
  castNames.find((name) => name === text);

const restartForm =
  /^restart(?<inWrite> in the next write(?: without its last (?<lost>\d{1,9}) bytes)?)?(?: after (?<after>\S+))?$/;

function restartFrom(words: string): RestartPlan | undefined {
  const { inWrite, lost = '0', after = '0ms' } = restartForm.exec(words)?.groups ?? {};
  const ms = parseDuration(after);
  if (!restartForm.test(words) || ms === undefined) return undefined;
  return { kind: 'restart', ms, ...(inWrite !== undefined && { lostBytes: Number(lost) }) };
}

function wordsForRestart({ ms, lostBytes }: RestartPlan): string {
  const write = lostBytes === undefined ? '' : ' in the next write';
  const lost = lostBytes ? ` without its last ${lostBytes} bytes` : '';
  return `restart${write}${lost}${ms === 0 ? '' : ` after ${formatDuration(ms)}`}`;
}

/** Returns undefined if no fault has this name. */
export function faultFrom(words: string): FaultPlan | undefined {
  const ofOrder = Object.entries(orderFaults).find(([one]) => one === words);
  if (ofOrder) return ofOrder[1];
  const dropped = castNamed(/^drop streams of (\w+)$/.exec(words)?.[1]);
  if (dropped) return { kind: 'drop', party: dropped };
  const [, slow, by = ''] = /^delay answers of (\w+) by (\S+)$/.exec(words) ?? [];
  const [party, ms] = [castNamed(slow), parseDuration(by)];
  if (party && ms !== undefined) return { kind: 'delay', party, ms };
  const fullMs = parseDuration(/^fill disk for (\S+)$/.exec(words)?.[1] ?? '');
  return fullMs === undefined ? restartFrom(words) : { kind: 'fill disk', ms: fullMs };
}

export function wordsForFault(fault: FaultPlan): string {
  switch (fault.kind) {
    case 'revert':
      return `revert leg ${fault.leg}`;
    case 'stall':
      return 'stall settlement';
    case 'withdraw':
      return 'withdraw order';
    case 'invalid':
      return 'fail validation';
    case 'drop':
      return `drop streams of ${fault.party}`;
    case 'delay':
      return `delay answers of ${fault.party} by ${formatDuration(fault.ms)}`;
    case 'restart':
      return wordsForRestart(fault);
    case 'fill disk':
      return `fill disk for ${formatDuration(fault.ms)}`;
  }
}
