import { dirname, join } from 'node:path';
import { type KnownParty, readRecordings, type Recording } from '../recording/index.ts';
import {
  evidenceFor,
  historyStream,
  mergeReports,
  readReport,
  type RunReport,
} from '../report/index.ts';
import { auditRecording } from '../run/audit.ts';
import { filesBeside, readText } from '../run/read-text.ts';
import { cast } from '../spec/requirements/index.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { chooseTarget } from './choose-target.ts';
import { type CommandInput, readAll, usageFailure } from './command.ts';
import { tryDirectory, within } from './files.ts';
import type { Flags } from './flags.ts';
import { isPartialHistory } from './history-draft.ts';
import { rulesWith } from './own-rules.ts';
import { baselineFrom, reportFrom, withKnown } from './read-report.ts';
import { conclude } from './report-files.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { waiversFrom } from './waivers.ts';

/** Judges recordings, offline. */
export async function audit({ terminal, words, flags }: CommandInput): Promise<ExitCode> {
  const { date, wallMs, secrets } = terminal;
  const [startedAt, startedWallMs] = [date(), wallMs()];
  const [{ target, known }, given, waivers, baseline] = readAll(
    () => knownOf(flags, terminal),
    () => (flags.report === undefined ? undefined : reportFrom(flags.report, terminal)),
    () => waiversFrom(flags.waivers, terminal),
    () => baselineFrom(flags.baseline, terminal),
  );
  const rules = await rulesWith(flags.checks, terminal.cwd);
  const recordings = load(words, known, terminal);
  if (flags.out !== undefined) tryDirectory(terminal.cwd, flags.out);
  const found = target || words.length > 1 ? undefined : reportOfRun(words, recordings, terminal);
  const report = given ?? found;
  const inputs = {
    ...(rules && { rules }),
    name: words.join(', '),
    startedAt,
    startedWallMs,
    date,
    wallMs,
    secrets,
    ...(target && { target }),
    ...(report && { report }),
  };
  const reports = recordings.map((recording) => auditRecording({ recording, ...inputs }));
  const merged = mergeReports(reports);
  if (!merged.ok)
    throw usageFailure(
      `the recordings do not belong together: ${merged.problem}`,
      'audit them one by one',
    );
  const [only] = reports.length === 1 ? reports : [];
  const audited = only ?? merged.report;
  const scope = { suiteIds: new Set(audited.rules.map(({ id }) => id)), extent: 'part' } as const;
  const judged = withKnown(audited, waivers, baseline, scope);
  const records = recordings.flatMap((one) => one.records);
  return conclude(
    {
      report: judged,
      history: () => historyStream(records, judged, secrets),
      shown: secrets.maskHistory(evidenceFor(judged, { records })),
    },
    flags,
    flags.json ? { ...terminal, out: () => undefined } : terminal,
    terminal.out,
  );
}

function knownOf(
  flags: Flags,
  terminal: Terminal,
): { readonly target?: TargetFile; readonly known: readonly KnownParty[] } {
  const chosen = chooseTarget(flags, terminal);
  if (chosen.kind === 'file') return { target: chosen.file, known: chosen.file.participants };
  if (chosen.kind === 'embedded') return { known: [] };
  return {
    known: chosen.urls.map(({ name, baseUrl }) => {
      if (name) return { name, baseUrl, role: cast[name] };
      throw usageFailure(
        `--base-url ${baseUrl}: nobody is asked here, so its role is not known`,
        `name the party, as in --base-url sender=${baseUrl}`,
      );
    }),
  };
}

const nextIfTooLong =
  'record for a shorter time, or export only the requests to the backends (filter by their address)';

function load(
  names: readonly string[],
  known: readonly KnownParty[],
  { cwd, secrets }: Terminal,
): readonly Recording[] {
  const next = 'give .har files of a browser or proxy, or the history.jsonl of a run';
  const files = readAll(
    ...names.map((name) => () => {
      const read = readText(within(cwd, name), 'record.bytes');
      if (read.ok) return { name, text: read.text, beside: filesBeside(within(cwd, name)) };
      throw usageFailure(`${name}: ${read.reason}`, read.limit ? nextIfTooLong : next);
    }),
  );
  const result = readRecordings(files, known, secrets);
  if (!result.ok) throw usageFailure(result.problems.join('\n  '), next);
  if (result.recordings.every(({ records }) => records.length > 0)) return result.recordings;
  const why = result.recordings.flatMap(({ limits }) => limits).map((limit) => `\n  ${limit}`);
  throw usageFailure(
    `${names.join(', ')}: no exchange with a known party is recorded there${why.join('')}`,
    'name the parties: --target FILE, or --base-url sender=URL',
  );
}

/** A HAR of a run contains its report. A history.jsonl usually has a report.json beside it. */
function reportOfRun(
  [name = '']: readonly string[],
  [recording]: readonly Recording[],
  { cwd }: Terminal,
): RunReport | undefined {
  if (recording?.report !== undefined) {
    const own = readReport(JSON.stringify(recording.report));
    return own.ok ? own.value : undefined;
  }
  if (!name.endsWith('.jsonl') || isPartialHistory(name)) return undefined;
  const read = readText(join(dirname(within(cwd, name)), 'report.json'), 'record.bytes');
  const result = read.ok ? readReport(read.text) : undefined;
  return result?.ok ? result.value : undefined;
}
