import type { Candidate } from './candidates.ts';
import type { Group } from './cover.ts';
import type { Deviation } from './deviation.ts';

/** What changes what happens next, so that more goes wrong with the same order. */
const behavioural: ReadonlySet<string> = new Set<Deviation>([
  'fault',
  'let through',
  'refused',
  'wrong state',
  'too much',
  'left out',
]);

const isBehavioural = ({ leaf, members }: Group): boolean =>
  leaf === 'status' || members.some(({ failure }) => behavioural.has(failure.deviation ?? ''));

const requirementsOf = ({ members }: Group): number =>
  new Set(members.map(({ requirement }) => requirement)).size;

/** Hands groups that follow from a more telling one over to it. */
export function withConsequences(groups: readonly Group[]): Group[] {
  const sorted = groups.toSorted(
    (one, other) => requirementsOf(other) - requirementsOf(one) || other.members.length - one.members.length,
  );
  const kept: { group: Group; ties: Set<string> }[] = [];
  for (const group of sorted) {
    const home = kept.find(({ group: cause, ties }) => follows(group, cause, ties));
    if (!home) {
      kept.push({ group, ties: tiesOf(group.members) });
      continue;
    }
    home.group = { ...home.group, members: [...home.group.members, ...group.members] };
  }
  return kept.map(({ group }) => group);
}

const tiesOf = (members: readonly Candidate[]): Set<string> =>
  new Set(members.flatMap(({ ties }) => [...ties]));

function follows(group: Group, cause: Group, ties: ReadonlySet<string>): boolean {
  const isTied = ({ ties: own }: Candidate): boolean => [...own].some((tie) => ties.has(tie));
  if (!group.members.every(isTied)) return false;
  if (isBehavioural(cause)) return true;
  // Several fields of one answer that are wrong in the same way, as two that were swapped.
  return group.where === cause.where && deviationIn(group) === deviationIn(cause);
}

const deviationIn = ({ members }: Group): string | undefined => members[0]?.failure.deviation;
