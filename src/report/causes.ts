import type {
  CauseReport,
  CheckReport,
  Failure,
  RequirementReport,
  RunReport,
} from '../results/run-report.ts';
import { count } from './labels.ts';

/** A cause with all that it is shown with. */
export interface ShownCause {
  readonly cause: CauseReport;
  /** From one; what the lines of requirements call it. */
  readonly number: number;
  /** The clause that says best what is wrong. */
  readonly clause: RequirementReport | undefined;
  /** The failure that shows it best, and who found it; absent where the report does not have it. */
  readonly shownBy: { readonly source: CheckReport; readonly failure: Failure } | undefined;
}

export function shownCauses(report: RunReport): ShownCause[] {
  const sources = new Map([...report.checks, ...report.rules].map((one) => [one.id, one]));
  const clauses = new Map(report.requirements.map((one) => [one.id, one]));
  return (report.causes ?? []).map((cause, place) => {
    const [first] = cause.failures;
    const source = sources.get(first?.source ?? '');
    const failure = source?.failures[first?.index ?? 0];
    return {
      cause,
      number: place + 1,
      clause: clauses.get(cause.about ?? cause.requirements[0] ?? ''),
      shownBy: source && failure && { source, failure },
    };
  });
}

/** "1 probable cause, 16 requirements"; undefined where nothing failed. */
export function causesSentence({ causes = [] }: RunReport): string | undefined {
  if (causes.length === 0) return undefined;
  const broken = new Set(causes.flatMap(({ requirements }) => requirements));
  return `${count(causes.length, 'probable cause')}, ${count(broken.size, 'requirement')}`;
}

/** The numbers of the causes that a requirement failed of. */
export const causesOfRequirement = (causes: readonly ShownCause[], id: string): readonly number[] =>
  causes.filter(({ cause }) => cause.requirements.includes(id)).map(({ number }) => number);
