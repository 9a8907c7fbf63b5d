import type { Waiver } from '../report/index.ts';
import {
  parseYaml,
  Problems,
  renderSourceErrors,
  type SourceError,
  type SourceText,
  type YamlNode,
} from '../yaml/index.ts';
import { type Deviation, deviations } from '../spec/deviations.ts';
import { CommandFailure } from './command.ts';
import { textOf } from './files.ts';
import type { Terminal } from './terminal.ts';

type WaiversResult =
  | { readonly ok: true; readonly waivers: readonly Waiver[] }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

const shape =
  'a list of waivers, each with a cause and a reason, or with id, reason and deviation or message';

const keys = {
  required: ['reason'],
  optional: ['cause', 'id', 'deviation', 'message', 'until'],
} as const;

/** Words that a waiver holds, by key. */
const meanings = {
  reason: 'why the failure is accepted',
  cause: 'the id of a cause, as the report names it',
  id: 'the id of a check, a scenario, a rule or a requirement',
  deviation: 'the kind of departure, as the report names it',
  message: "the failure's message",
} as const;

function readDeviation(
  node: YamlNode | undefined,
  text: string | undefined,
  problems: Problems,
): Deviation | undefined {
  if (node === undefined || text === undefined) return undefined;
  const known = Object.keys(deviations) as Deviation[];
  return known.find((one) => one === text) ?? problems.wrong(node, `one of ${known.join(', ')}`);
}

/** A day of the calendar, as `2027-03-31`. */
function readDay(node: YamlNode, problems: Problems): string | undefined {
  const text = node.kind === 'scalar' ? node.written : '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? text : problems.wrong(node, 'a day, as 2027-03-31');
}

/** Waives all failures of a cause, or those of one id with one deviation or message. */
function readWaiver(item: YamlNode, problems: Problems): Waiver | undefined {
  const fields = problems.fields<keyof typeof meanings | 'until'>(item, 'a waiver', keys);
  if (!fields) return undefined;
  const words = (key: keyof typeof meanings): string | undefined => {
    const node = fields[key];
    const text = problems.text(node, meanings[key]);
    return text?.trim() === '' && node ? problems.wrong(node, 'some words') : text;
  };
  const [reason, cause, id] = [words('reason'), words('cause'), words('id')];
  const until = fields.until && readDay(fields.until, problems);
  const message = words('message');
  const deviation = readDeviation(fields.deviation, words('deviation'), problems);
  const ending = until !== undefined && { until };
  if (fields.cause) {
    const other = fields.id ?? fields.deviation ?? fields.message;
    if (other) {
      const hint = 'write two waivers, or leave out what the other one needs';
      return problems.wrong(other, 'nothing beside a cause but its reason', hint);
    }
    return cause === undefined || reason === undefined ? undefined : { cause, reason, ...ending };
  }
  const lacks = (key: string) =>
    problems.add(item.place, `a waiver without a cause lacks "${key}"`);
  if (!fields.id) lacks('id');
  if (!fields.message && !fields.deviation) lacks('message');
  if (id === undefined || reason === undefined || (!message && !deviation)) return undefined;
  return { id, reason, ...(deviation && { deviation }), ...(message && { message }), ...ending };
}

/** Reads `waivers: [{ cause, reason }, { id, reason, message }]`; everything that is wrong with it at once. */
export function readWaivers(source: SourceText): WaiversResult {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const problems = new Problems(source.file);
  const top = problems.fields(parsed.tree, 'a waivers file', { required: ['waivers'] });
  const list = top?.waivers;
  if (list && list.kind !== 'list') problems.wrong(list, shape);
  const waivers = (list?.kind === 'list' ? list.items : []).flatMap(
    (item) => readWaiver(item, problems) ?? [],
  );
  return problems.found.length > 0 ? { ok: false, errors: problems.found } : { ok: true, waivers };
}

/** The waivers that a command line names. */
export function waiversFrom(name: string | undefined, terminal: Terminal): readonly Waiver[] {
  if (name === undefined) return [];
  const text = textOf(name, terminal.cwd, { option: '--waivers', next: `write ${shape} into it` });
  const result = readWaivers({ file: name, text });
  if (result.ok) return result.waivers;
  throw new CommandFailure(renderSourceErrors(result.errors, text));
}
