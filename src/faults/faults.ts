import type { NetworkFault } from '../client/faulty-network.ts';
import {
  type CastName,
  castNames,
  type ControlName,
  controls,
} from '../spec/requirements/requirement.ts';
import { formatDuration, parseDuration } from '../yaml/index.ts';

/**
 * A deliberate fault. Scenarios say it in words; plans of worlds hold it as it is, and may have parties beyond the cast.
 */
export type FaultPlan<Party extends string = CastName> =
  | OrderFault
  | PartyFault<Party>
  | RestartPlan
  /**
   * For `ms` milliseconds nothing can be stored, or the target's host stands still: requests wait, and deadlines are
   * carried out late.
   */
  | { readonly fault: 'disk full' | 'host pauses'; readonly ms: number };

/** A fault between one party and its backend. `streams drop`: the backend ends its streams. */
export type PartyFault<Party extends string = CastName> = { readonly party: Party } & (
  | NetworkFault
  | { readonly fault: 'streams drop' }
  | { readonly fault: 'all answers delayed'; readonly ms: number }
);

/** A fault of one order: an existing order, or the next one that is created. */
export type OrderFault =
  | { readonly fault: 'leg reverts'; readonly leg: 1 | 2 | 3 | 4 }
  | { readonly fault: 'settlement stalls' | 'operator withdraws' | 'validation fails' };

/**
 * The target is killed, and starts again after `ms` milliseconds. `tornBytes`: killed in the middle of its next write,
 * of which this number of bytes is lost; absent: killed at once.
 */
export interface RestartPlan {
  readonly fault: 'restart';
  readonly ms: number;
  readonly tornBytes?: number | undefined;
}

/** Names of faults in a scenario, in both directions: `faultFrom` reads the text that `wordsForFault` writes. */

export const orderFaults = {
  'revert leg 1': { fault: 'leg reverts', leg: 1 },
  'revert leg 2': { fault: 'leg reverts', leg: 2 },
  'revert leg 3': { fault: 'leg reverts', leg: 3 },
  'revert leg 4': { fault: 'leg reverts', leg: 4 },
  'stall settlement': { fault: 'settlement stalls' },
  'withdraw order': { fault: 'operator withdraws' },
  'fail validation': { fault: 'validation fails' },
} as const satisfies Readonly<Record<string, OrderFault>>;

/** The fault that each control of a target file causes. */
export const faultOf = {
  fail_settlement: { fault: 'leg reverts', leg: 4 },
  stall_settlement: { fault: 'settlement stalls' },
  withdraw_order: { fault: 'operator withdraws' },
  fail_validation: { fault: 'validation fails' },
} as const satisfies Record<ControlName, OrderFault>;

/** The control of a target file that causes a fault of an order. */
export const controlOf = ({ fault }: Pick<OrderFault, 'fault'>): ControlName =>
  controls.find((name) => faultOf[name].fault === fault) as ControlName;

const ofReference = {
  'settlement stalls': 'stall',
  'operator withdraws': 'withdraw',
  'validation fails': 'invalid',
} as const;

/** The fault in the form that the reference takes. */
export const referenceFault = (planned: OrderFault) =>
  planned.fault === 'leg reverts'
    ? ({ kind: 'revert', leg: planned.leg } as const)
    : ({ kind: ofReference[planned.fault] } as const);
export type ReferenceFault = ReturnType<typeof referenceFault>;

/** The fault that the reference was given. */
export const orderFaultOf = (given: ReferenceFault): OrderFault =>
  Object.values(orderFaults).find((one) => {
    const known = referenceFault(one);
    return (
      known.kind === given.kind &&
      ('leg' in known ? known.leg : 0) === ('leg' in given ? given.leg : 0)
    );
  }) as OrderFault;

/** True if the fault affects an order, not a party or the whole target. */
export const isOrderFault = (planned: FaultPlan): planned is OrderFault =>
  Object.values(orderFaults).some(({ fault }) => fault === planned.fault);

/** True if the fault needs a target that restarts from stored data. */
export const isDiskFault = ({ fault }: FaultPlan<string>): boolean =>
  fault === 'restart' || fault === 'disk full';

interface Form {
  /** Text before the party. */
  readonly words: string;
  /** Word between the party and the duration. Absent: there is none. */
  readonly by?: string;
  /** The duration need not be said, and is this one then, in milliseconds. */
  readonly usualMs?: number;
}

export const partyFaults: { readonly [name in PartyFault['fault']]: Form } = {
  'streams drop': { words: 'drop streams of' },
  'all answers delayed': { words: 'delay answers of', by: 'by' },
  'request delayed': { words: 'delay next request of', by: 'by' },
  'answer delayed': { words: 'delay next answer of', by: 'by' },
  'request lost': { words: 'lose next request of', by: 'after', usualMs: 1_000 },
  'answer lost': { words: 'lose next answer of', by: 'after', usualMs: 1_000 },
  'streams break': { words: 'break streams of' },
  'streams stall': { words: 'stall streams of', by: 'for' },
  partition: { words: 'cut off', by: 'for' },
};

/** True if the fault affects a party or its network. */
export const isPartyFault = <P extends string>(fault: FaultPlan<P>): fault is PartyFault<P> =>
  'party' in fault;

/** True if the network alone causes the fault, so that it needs nothing of the target. */
export const isNetworkFault = <P extends string>(
  planned: FaultPlan<P>,
): planned is NetworkFault & { readonly party: P } =>
  isPartyFault(planned) &&
  planned.fault !== 'streams drop' &&
  planned.fault !== 'all answers delayed';

function partyFaultFrom(said: string): PartyFault | undefined {
  for (const [fault, { words, by, usualMs }] of Object.entries(partyFaults)) {
    const pattern = new RegExp(`^${words} (\\w+)(?: ${by} (\\S+))?$`);
    const [, name, duration] = pattern.exec(said) ?? [];
    const party = castNames.find((one) => one === name);
    const ms = duration === undefined ? usualMs : parseDuration(duration);
    if (party && (ms !== undefined) === (by !== undefined))
      return { fault, party, ...(ms !== undefined && { ms }) } as PartyFault;
  }
  return undefined;
}

function wordsForPartyFault(fault: PartyFault<string>): string {
  const { words, by, usualMs } = partyFaults[fault.fault];
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
  return { fault: 'restart', ms, ...(inWrite !== undefined && { tornBytes: Number(lost) }) };
}

function wordsForRestart({ ms, tornBytes }: RestartPlan): string {
  const write = tornBytes === undefined ? '' : ' in the next write';
  const lost = tornBytes ? ` without its last ${tornBytes} bytes` : '';
  return `restart${write}${lost}${ms === 0 ? '' : ` after ${formatDuration(ms)}`}`;
}

/** Returns undefined if no fault has this name. */
export function faultFrom(words: string): FaultPlan | undefined {
  const ofOrder = Object.entries(orderFaults).find(([one]) => one === words);
  if (ofOrder) return ofOrder[1];
  const ofParty = partyFaultFrom(words);
  if (ofParty) return ofParty;
  const [, said, lasts = ''] = /^(fill disk|pause host) for (\S+)$/.exec(words) ?? [];
  const ms = parseDuration(lasts);
  if (ms === undefined) return restartFrom(words);
  return { fault: said === 'fill disk' ? 'disk full' : 'host pauses', ms };
}

export function wordsForFault(planned: FaultPlan<string>): string {
  if (isPartyFault(planned)) return wordsForPartyFault(planned);
  switch (planned.fault) {
    case 'leg reverts':
      return `revert leg ${planned.leg}`;
    case 'settlement stalls':
      return 'stall settlement';
    case 'operator withdraws':
      return 'withdraw order';
    case 'validation fails':
      return 'fail validation';
    case 'restart':
      return wordsForRestart(planned);
    case 'disk full':
      return `fill disk for ${formatDuration(planned.ms)}`;
    case 'host pauses':
      return `pause host for ${formatDuration(planned.ms)}`;
  }
}
