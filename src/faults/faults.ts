import type { NetworkFault } from '../client/faulty-network.ts';
import {
  type CastName,
  castNames,
  type ControlName,
  controls,
} from '../spec/requirements/requirement.ts';
import { formatDuration, parseDuration } from '../yaml/index.ts';

/** A deliberate fault. */
export type FaultPlan =
  | OrderFault
  | PartyFault
  | RestartPlan
  /**
   * For `ms` milliseconds nothing can be stored, or the target's host stands still: requests wait, and deadlines are
   * carried out late.
   */
  | { readonly kind: 'fill disk' | 'pause host'; readonly ms: number };

/** A fault between one party and its backend. `drop`: the backend ends its streams. `delay`: all its answers are late. */
export type PartyFault = { readonly party: CastName } & (
  | NetworkFault
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay'; readonly ms: number }
);

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

/** The fault that each control of a target file causes. */
export const faultOf = {
  fail_settlement: { kind: 'revert', leg: 4 },
  stall_settlement: { kind: 'stall' },
  withdraw_order: { kind: 'withdraw' },
  fail_validation: { kind: 'invalid' },
} as const satisfies Record<ControlName, OrderFault>;

/** The control of a target file that causes a fault of an order. */
export const controlOf = ({ kind }: OrderFault): ControlName =>
  controls.find((name) => faultOf[name].kind === kind) as ControlName;

/** True if the fault affects an order, not a party or the whole target. */
export const isOrderFault = (fault: FaultPlan): fault is OrderFault =>
  Object.values(orderFaults).some(({ kind }) => kind === fault.kind);

/** True if the fault needs a target that restarts from stored data. */
export const isDiskFault = (fault: FaultPlan): boolean =>
  fault.kind === 'restart' || fault.kind === 'fill disk';

interface Form {
  /** Text before the party. */
  readonly words: string;
  /** Word between the party and the duration. Absent: there is none. */
  readonly by?: string;
  /** The duration need not be said, and is this one then, in milliseconds. */
  readonly usualMs?: number;
}

export const partyFaults: { readonly [kind in PartyFault['kind']]: Form } = {
  drop: { words: 'drop streams of' },
  delay: { words: 'delay answers of', by: 'by' },
  'request delayed': { words: 'delay next request of', by: 'by' },
  'answer delayed': { words: 'delay next answer of', by: 'by' },
  'request lost': { words: 'lose next request of', by: 'after', usualMs: 1_000 },
  'answer lost': { words: 'lose next answer of', by: 'after', usualMs: 1_000 },
  'streams break': { words: 'break streams of' },
  'streams stall': { words: 'stall streams of', by: 'for' },
  partition: { words: 'cut off', by: 'for' },
};

/** True if the fault affects a party or its network. */
export const isPartyFault = (fault: FaultPlan): fault is PartyFault => 'party' in fault;

/** True if the network alone causes the fault, so that it needs nothing of the target. */
export const isNetworkFault = (
  fault: FaultPlan,
): fault is NetworkFault & { readonly party: CastName } =>
  isPartyFault(fault) && fault.kind !== 'drop' && fault.kind !== 'delay';

function partyFaultFrom(said: string): PartyFault | undefined {
  for (const [kind, { words, by, usualMs }] of Object.entries(partyFaults)) {
    const pattern = new RegExp(`^${words} (\\w+)(?: ${by} (\\S+))?$`);
    const [, name, duration] = pattern.exec(said) ?? [];
    const party = castNames.find((one) => one === name);
    const ms = duration === undefined ? usualMs : parseDuration(duration);
    if (party && (ms !== undefined) === (by !== undefined))
      return { kind, party, ...(ms !== undefined && { ms }) } as PartyFault;
  }
  return undefined;
}

function wordsForPartyFault(fault: PartyFault): string {
  const { words, by, usualMs } = partyFaults[fault.kind];
  const ms = 'ms' in fault ? fault.ms : undefined;
  const lasts = ms === undefined || ms === usualMs ? '' : ` ${by} ${formatDuration(ms)}`;
  return `${words} ${fault.party}${lasts}`;
}

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
  const ofParty = partyFaultFrom(words);
  if (ofParty) return ofParty;
  const [, kind, lasts = ''] = /^(fill disk|pause host) for (\S+)$/.exec(words) ?? [];
  const ms = parseDuration(lasts);
  return ms === undefined ? restartFrom(words) : ({ kind, ms } as FaultPlan);
}

export function wordsForFault(fault: FaultPlan): string {
  if (isPartyFault(fault)) return wordsForPartyFault(fault);
  switch (fault.kind) {
    case 'revert':
      return `revert leg ${fault.leg}`;
    case 'stall':
      return 'stall settlement';
    case 'withdraw':
      return 'withdraw order';
    case 'invalid':
      return 'fail validation';
    case 'restart':
      return wordsForRestart(fault);
    case 'fill disk':
    case 'pause host':
      return `${fault.kind} for ${formatDuration(fault.ms)}`;
  }
}
