import { correlationText } from '../../history/correlation.ts';
import type { RunReport } from '../../results/run-report.ts';
import { causesIn, failuresOf } from '../causes.ts';
import { excuseOf } from '../known.ts';
import { count } from '../labels.ts';
import { brokenChecks, endedSentence, outcomeSentence, unattributedFailures } from '../summary.ts';
import { loggable, printable } from './escape.ts';

type Level = 'error' | 'warning' | 'notice';

interface Annotation {
  readonly level: Level;
  readonly title: string;
  readonly message: string;
}

/** Maximum number of annotations of each level that GitHub shows for one step. */
const mostOfLevel = 10;
/** Maximum characters of a message: longer ones fill the page of a job without saying more. */
const longest = 1_000;

/** Message of a command, after the second `::`. Line breaks are encoded, so that it stays on one line. */
const data = (text: string): string =>
  loggable(printable(text)).replaceAll('\t', ' ').replaceAll('%', '%25').replaceAll('\n', '%0A');

/** Value of a property. Colons and commas are encoded, since they would end it. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}…` : text;

const lineOf = ({ level, title, message }: Annotation): string =>
  `::${level} title=${property(cut(title, 200))}::${data(cut(message, longest))}`;

function causeAnnotations(report: RunReport): readonly Annotation[] {
  return causesIn(report)
    .filter((cause) => excuseOf(cause) === undefined)
    .map((cause): Annotation => {
      const [first] = failuresOf(report, cause);
      const found = first ? `${first.source.id}: ${first.failure.message}` : cause.deviation;
      return {
        level: cause.outcome === 'fail' ? 'error' : 'warning',
        title: cause.title,
        message: [
          found,
          `requirements: ${cause.requirements.join(', ')}`,
          `cause: ${cause.id}`,
          ...(first?.failure.correlation ?? []).map(correlationText),
        ].join('\n'),
      };
    });
}

/** As many annotations as GitHub shows. The last one has the number of those left out. */
function bounded(level: Level, given: readonly Annotation[]): readonly Annotation[] {
  const some = given.filter((one) => one.level === level);
  if (some.length <= mostOfLevel) return some;
  const left = some.length - mostOfLevel + 1;
  const more = { level, title: `${count(left, 'more')}`, message: 'The report has all of them.' };
  return [...some.slice(0, mostOfLevel - 1), more];
}

/**
 * Commands for the log of a GitHub job, one per line: an error for each failing cause that is neither waived nor known,
 * and for anything else that fails the run; a warning for each cause that is one; a notice of the outcome.
 */
export function toAnnotations(report: RunReport): string {
  const error = (title: string, message: string): Annotation => ({
    level: 'error',
    title,
    message,
  });
  const waivers = (report.waivers ?? []).filter(({ status }) => status === 'broken');
  const { ended_early } = report.run;
  const all: readonly Annotation[] = [
    ...(ended_early ? [error('could not judge', endedSentence(ended_early))] : []),
    ...(report.preflight ?? []).map((problem) => error('could not judge', problem)),
    ...brokenChecks(report).map(({ id, reason = '' }) => error(`fault of assay in ${id}`, reason)),
    ...causeAnnotations(report),
    ...unattributedFailures(report).map(({ id, reason = 'it failed' }) => error(id, reason)),
    ...waivers.map(({ id, problem, reason }) => error(`waiver ${id}`, problem ?? reason)),
    { level: 'notice', title: `assay: ${report.target.name}`, message: outcomeSentence(report) },
  ];
  const levels: readonly Level[] = ['error', 'warning', 'notice'];
  return `${levels
    .flatMap((level) => bounded(level, all))
    .map(lineOf)
    .join('\n')}\n`;
}
