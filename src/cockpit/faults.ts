import { type CastName, castNames } from '../spec/requirements/requirement.ts';
import type { FaultEntry } from './line-entry.ts';
import type { FaultShown } from './view/messages.ts';

/** Faults of orders as the scenario language says them. */
const orderFaults: Readonly<Record<string, FaultEntry>> = {
  'revert leg 1': { kind: 'revert', leg: 1 },
  'revert leg 2': { kind: 'revert', leg: 2 },
  'revert leg 3': { kind: 'revert', leg: 3 },
  'revert leg 4': { kind: 'revert', leg: 4 },
  'stall settlement': { kind: 'stall' },
  'withdraw order': { kind: 'withdraw' },
  'fail validation': { kind: 'invalid' },
};

/** So late a party answers where its answers are delayed, in milliseconds. */
const delayMs = 2_000;

const partyFaults: Readonly<Record<string, (party: CastName) => FaultEntry>> = {
  'drop streams': (party) => ({ kind: 'drop', party }),
  'delay answers by 2s': (party) => ({ kind: 'delay', party, ms: delayMs }),
  'delay no answers': (party) => ({ kind: 'delay', party, ms: 0 }),
};

/** What a person asked for; undefined where there is no such fault. */
export function faultNamed(name: string, party: string | undefined): FaultEntry | null | undefined {
  if (name === 'none') return null;
  const ofOrder = Object.hasOwn(orderFaults, name) ? orderFaults[name] : undefined;
  if (ofOrder) return ofOrder;
  const cast = castNames.find((one) => one === party);
  return cast && Object.hasOwn(partyFaults, name) ? partyFaults[name]?.(cast) : undefined;
}

/** The words of the scenario language for a fault. */
export function wordsOf(fault: FaultEntry): string {
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
      return `delay answers of ${fault.party} by ${fault.ms}ms`;
  }
}

/** All that the reference can be made to do. */
export const referenceFaults: readonly FaultShown[] = [
  ...Object.keys(orderFaults).map((fault) => ({
    fault,
    words: fault,
    of: 'order' as const,
    orders: ['this', 'next', 'all'] as const,
  })),
  ...Object.keys(partyFaults).map((fault) => ({ fault, words: fault, of: 'party' as const })),
];
