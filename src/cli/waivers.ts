import type { Waiver } from '../report/index.ts';
import { readText } from '../run/read-text.ts';
import {
  parseYaml,
  Problems,
  renderSourceErrors,
  type SourceError,
  type SourceText,
  type YamlNode,
} from '../yaml/index.ts';
import { CommandFailure, usageFailure } from './command.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';

type WaiversResult =
  | { readonly ok: true; readonly waivers: readonly Waiver[] }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

const shape = 'a list of waivers, each with a cause and a reason, or with id, reason and message';

/** Text with something in it. */
function readWords(
  node: YamlNode | undefined,
  what: string,
  problems: Problems,
): string | undefined {
  const text = problems.text(node, what);
  if (text === undefined || text.trim() !== '' || !node) return text;
  return problems.wrong(node, 'some words');
}

/** A day of the calendar, as `2027-03-31`. */
function readDay(node: YamlNode, problems: Problems): string | undefined {
  const text = node.kind === 'scalar' ? node.written : '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? text : problems.wrong(node, 'a day, as 2027-03-31');
}

/** Waives all failures of a cause, or those of one id with one message. */
function readWaiver(item: YamlNode, problems: Problems): Waiver | undefined {
  const keys = {
    required: ['reason'],
    optional: ['cause', 'id', 'message', 'until'],
  } as const;
  const fields = problems.fields<'reason' | 'cause' | 'id' | 'message' | 'until'>(
    item,
    'a waiver',
    keys,
  );
  if (!fields) return undefined;
  const reason = readWords(fields.reason, 'why the failure is accepted', problems);
  const cause = readWords(fields.cause, 'the id of a cause, as the report names it', problems);
  const id = readWords(
    fields.id,
    'the id of a check, a scenario, a rule or a requirement',
    problems,
  );
  const until = fields.until && readDay(fields.until, problems);
  const ending = until !== undefined && { until };
  const message = readWords(fields.message, "the failure's message", problems);
  if (fields.cause) {
    const other = fields.id ?? fields.message;
    if (other) {
      const hint = 'write two waivers, or leave out what the other one needs';
      return problems.wrong(other, 'nothing beside a cause but its reason', hint);
    }
    return cause === undefined || reason === undefined ? undefined : { cause, reason, ...ending };
  }
  for (const key of ['id', 'message'] as const) {
    if (!fields[key]) problems.add(item.place, `a waiver without a cause lacks "${key}"`);
  }
  if (id === undefined || reason === undefined || message === undefined) return undefined;
  return { id, reason, message, ...ending };
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
  const read = readText(within(terminal.cwd, name));
  if (!read.ok) throw usageFailure(`--waivers ${name}: ${read.reason}`, `write ${shape} into it`);
  const result = readWaivers({ file: name, text: read.text });
  if (result.ok) return result.waivers;
  throw new CommandFailure(renderSourceErrors(result.errors, read.text));
}
