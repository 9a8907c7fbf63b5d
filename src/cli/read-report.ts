import { dirname, join } from 'node:path';
import { readHistory } from '../history/jsonl.ts';
import type { MaskedHistory } from '../history/secrets/secrets.ts';
import { type NamedReport, readReport, type RunReport } from '../report/index.ts';
import { readText } from '../run/read-text.ts';
import { isCampaign } from '../simulation/campaign/read.ts';
import { usageFailure } from './command.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';

/** True if the files are campaign summaries. Throws if some are and some are not: they cannot be merged. */
export function areCampaigns(names: readonly string[], { cwd }: Pick<Terminal, 'cwd'>): boolean {
  const campaigns = names.filter((name) => {
    const read = readText(within(cwd, name), 'record.bytes');
    return read.ok && isCampaign(read.text);
  });
  if (campaigns.length === 0 || campaigns.length === names.length) return campaigns.length > 0;
  const what = `${campaigns.join(', ')} ${campaigns.length === 1 ? 'is' : 'are'} of assay simulate, the others are not`;
  throw usageFailure(what, 'give files of one kind');
}

/** Reads the report.json that a command line names. `given`: its name in messages. */
export function reportFrom(
  name: string,
  { cwd, secrets }: Pick<Terminal, 'cwd' | 'secrets'>,
  given = name,
): RunReport {
  const read = readText(within(cwd, name), 'record.bytes');
  if (!read.ok)
    throw usageFailure(`${given}: ${read.reason}`, 'assay check writes reports/report.json');
  const result = readReport(secrets.maskText(read.text));
  if (result.ok) return result.report;
  throw usageFailure(`${given}: ${result.problem}`, 'give a report.json of assay check');
}

/** Reads the history.jsonl beside a report.json. Without it a report shows no exchanges. */
export function historyBeside(
  name: string,
  { cwd, secrets }: Pick<Terminal, 'cwd' | 'secrets'>,
): MaskedHistory | undefined {
  const beside = readText(join(dirname(within(cwd, name)), 'history.jsonl'), 'record.bytes');
  const history = beside.ok ? readHistory(beside.text) : undefined;
  return history?.ok ? secrets.maskHistory(history) : undefined;
}

/** The earlier run that a command line names. */
export const baselineFrom = (
  name: string | undefined,
  terminal: Pick<Terminal, 'cwd' | 'secrets'>,
): NamedReport | undefined =>
  name === undefined
    ? undefined
    : { file: name, report: reportFrom(name, terminal, `--baseline ${name}`) };
