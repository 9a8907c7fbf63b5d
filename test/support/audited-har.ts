import type { History } from '../../src/history/records.ts';
import { allRules } from '../../src/oracle/index.ts';
import { readRecordings, type RecordedFile } from '../../src/recording/index.ts';
import { judgeHistory } from '../../src/run/judge-history.ts';
import { fullTrade } from './oracle/findings-and-edits.ts';
import { attachedBodies, type HarForm, recordedAsHar } from './recorded-as-har.ts';

const baseUrlOf = (party: string): string => `https://fx.example/${party}`;

export const roles = new Map(
  fullTrade().records.flatMap((one) => (one.kind === 'exchange' ? [[one.party, one.role]] : [])),
);
const known = [...roles].map(([name, role]) => ({ name, role, baseUrl: baseUrlOf(name) }));

interface FileOptions {
  readonly form?: HarForm;
  readonly parties?: readonly string[];
  readonly leaveTokensOut?: true;
  readonly change?: (text: string) => string;
}

/** The HAR file of a history as an exporter writes it. */
export function fileOf(
  { records }: History,
  { form = 'chrome', parties, change, ...tokens }: FileOptions = {},
): RecordedFile {
  const kept = records.filter(({ party }) => !parties || parties.includes(party));
  const text = recordedAsHar(kept, { baseUrlOf, form, ...tokens });
  const bodies = attachedBodies(kept, { baseUrlOf });
  const beside = (name: string) => {
    const body = bodies.get(name);
    return body === undefined ? undefined : Buffer.from(body);
  };
  return { name: `${form}.har`, text: change ? change(text) : text, beside };
}

/** Judges recordings of one target by all rules. */
export function audited(files: readonly RecordedFile[]) {
  const result = readRecordings(files, known);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  const [recording] = result.recordings;
  if (!recording) throw new Error('nothing was read');
  const { records, recorded, limits } = recording;
  const judged = judgeHistory({ records }, allRules, recorded ? { recorded } : {});
  const having = (verdict: string) => judged.requirements.filter((one) => one.verdict === verdict);
  const broken = judged.rules.filter(({ verdict }) => verdict === 'error');
  if (broken.length > 0) throw new Error(broken[0]?.reason);
  return {
    records,
    limits: limits.join('\n'),
    failing: having('fail').map(({ id, reason }) => `${id}: ${reason}`),
    passing: having('pass').length,
  };
}
