import { rootOf } from '../../spec/vocabulary.ts';
import type { RequirementReport, RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';

/** Which requirements are shown. Empty: all. */
export interface Filter {
  readonly words: string;
  readonly verdict: Verdict | '';
  /** Of the document, without its sections: `4`. */
  readonly part: string;
  /** Who took part in judging it. */
  readonly party: string;
}

export const noFilter: Filter = { words: '', verdict: '', part: '', party: '' };

/** Which parties acted under each check, from the exchanges; a rule looks at all of them. */
export type PartiesBy = ReadonlyMap<string, ReadonlySet<string>>;

export function filtered(
  { requirements }: RunReport,
  { words, verdict, part, party }: Filter,
  partiesBy: PartiesBy,
): readonly RequirementReport[] {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  return requirements.filter((one) => {
    if (verdict !== '' && one.verdict !== verdict) return false;
    if (part !== '' && rootOf(one.part) !== part) return false;
    if (party !== '' && !isOf(one, party, partiesBy)) return false;
    const text = `${one.id} ${one.summary} ${one.part} ${one.reason ?? ''}`.toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

/** A check named after a party is of it, too, where the exchanges are not known. */
const isOf = ({ judged_by }: RequirementReport, party: string, partiesBy: PartiesBy): boolean =>
  judged_by.some((id) => partiesBy.get(id)?.has(party) ?? id.split('.').includes(party));
