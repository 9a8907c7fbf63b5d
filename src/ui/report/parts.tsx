import { partHeading, verdictLabels, verdictOrder } from '../../report/labels.ts';
import type { Verdict } from '../../results/verdicts.ts';
import type { ReportData } from './data.ts';
import { Table } from './markup.tsx';

interface PartsProps {
  readonly data: ReportData;
  /** Shows the requirements of a part and a verdict below. */
  readonly onChoose: (part: string, verdict?: Verdict) => void;
}

/** Counts over the fixed catalogue, never percentages, which could hide requirements that were left out. */
export function Parts({ data: { parts, report }, onChoose }: PartsProps) {
  const { requirements: totals } = report.totals;
  const columns = verdictOrder.filter(
    (verdict) => verdict === 'pass' || verdict === 'fail' || totals[verdict] > 0,
  );
  return (
    <Table label="Requirements by part" name="parts">
      <thead>
        <tr>
          <th scope="col">Part of the document</th>
          {columns.map((verdict) => (
            <th key={verdict} scope="col" class="number">
              {verdictLabels[verdict]}
            </th>
          ))}
          <th scope="col" class="number">
            all
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ part, counts, total }) => (
          <tr key={part}>
            <th scope="row">
              <a href="#requirements" onClick={() => onChoose(part)}>
                {partHeading(part)}
              </a>
            </th>
            {columns.map((verdict) => (
              <td key={verdict} class="number">
                {counts[verdict] === 0 ? (
                  <span class="zero">0</span>
                ) : (
                  <a
                    class={verdict}
                    href="#requirements"
                    aria-label={`${counts[verdict]} ${verdictLabels[verdict]} of ${partHeading(part)}`}
                    onClick={() => onChoose(part, verdict)}
                  >
                    {counts[verdict]}
                  </a>
                )}
              </td>
            ))}
            <td class="number soft">{total}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          {columns.map((verdict) => (
            <td key={verdict} class={`number ${totals[verdict] > 0 ? verdict : 'zero'}`}>
              {totals[verdict]}
            </td>
          ))}
          <td class="number soft">{report.requirements.length}</td>
        </tr>
      </tfoot>
    </Table>
  );
}
