import { partName } from '../../report/labels.ts';
import { Prose } from '../shared/prose.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';

/** A requirement in one line of a list, by its id. */
export function RequirementLine({ id, data }: { readonly id: string; readonly data: ReportData }) {
  const known = data.report.requirements.find((one) => one.id === id);
  return (
    <li>
      {known && <VerdictMark verdict={known.verdict} waived={known.waived} />} <code>{id}</code>{' '}
      {known && (
        <span class="soft">
          <Prose text={known.summary} /> ({partName(known.part)})
        </span>
      )}
    </li>
  );
}
