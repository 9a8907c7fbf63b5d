import type { CauseReport, CheckReport, RequirementReport } from './run-report.ts';

/** What probably broke: for now one cause for each requirement that failed or was warned of. */
export function causesOf(
  requirements: readonly RequirementReport[],
  judges: readonly CheckReport[],
): CauseReport[] {
  return requirements.flatMap(({ id, summary, verdict }): CauseReport[] => {
    if (verdict !== 'fail' && verdict !== 'warn') return [];
    const failures = judges.flatMap(({ id: source, failures: all }) =>
      all.flatMap(({ requirement, outcome }, index) =>
        requirement === id && outcome === verdict ? [{ source, index }] : [],
      ),
    );
    return [
      {
        id,
        title: summary,
        outcome: verdict,
        place: {},
        deviation: 'departs from the document',
        requirements: [id],
        failures,
      },
    ];
  });
}
