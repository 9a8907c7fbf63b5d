import { rootOf } from '../../spec/vocabulary.ts';
import type { RequirementReport, RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';

/** Filter of the shown requirements. Empty: all. */
export interface Filter {
  readonly words: string;
  readonly verdict: Verdict | '';
  /** Part of the document, without its sections: `4`. */
  readonly part: string;
  /** Party that took part in judging the requirement. */
  readonly party: string;
}

export const noFilter: Filter = { words: '', verdict: '', part: '', party: '' };

/** Parties that acted in each check, from the exchanges; a rule judges all of them. */
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

/** True if the party took part; if the exchanges are not known, a check that is named after the party counts. */
const isOf = ({ judged_by }: RequirementReport, party: string, partiesBy: PartiesBy): boolean =>
  judged_by.some((id) => partiesBy.get(id)?.has(party) ?? id.split('.').includes(party));
