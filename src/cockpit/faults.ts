import { faultFrom, orderFaults } from '../faults/faults.ts';
import type { FaultEntry } from './line-entry.ts';
import type { FaultShown } from './view/messages.ts';

/** Faults of a party: the name on the page, and the text in a scenario. */
const partyFaults: Readonly<Record<string, (party: string) => string>> = {
  'drop streams': (party) => `drop streams of ${party}`,
  'delay answers by 2s': (party) => `delay answers of ${party} by 2s`,
  'delay no answers': (party) => `delay answers of ${party} by 0ms`,
};

/** The fault with this name; null for `none`, undefined if there is none. */
export function faultNamed(name: string, party = ''): FaultEntry | null | undefined {
  if (name === 'none') return null;
  const ofParty = Object.hasOwn(partyFaults, name) ? partyFaults[name]?.(party) : undefined;
  const isKnown = Object.hasOwn(orderFaults, name) || ofParty;
  return isKnown ? (faultFrom(ofParty ?? name) as FaultEntry | undefined) : undefined;
}

/** All faults of the reference. */
export const referenceFaults: readonly FaultShown[] = [
  ...Object.keys(orderFaults).map((fault) => ({
    fault,
    of: 'order' as const,
    orders: ['this', 'next', 'all'] as const,
  })),
  ...Object.keys(partyFaults).map((fault) => ({ fault, of: 'party' as const })),
];
