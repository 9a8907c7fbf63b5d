import type { Waiver } from '../report/index.ts';
import {
  bare,
  listOf,
  literalText,
  mapShape,
  oneOf,
  type ReadYaml,
  readYaml,
  record,
  renderSourceErrors,
  type Shape,
  type SourceText,
} from '../yaml/index.ts';
import { type Deviation, deviations } from '../spec/deviations.ts';
import { CommandFailure } from './command.ts';
import { textOf } from './files.ts';
import type { Terminal } from './terminal.ts';

/** A day of the calendar, as `2027-03-31`. */
const day = mapShape(literalText('a day, as 2027-03-31'), ({ value, at }, reader) => {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
  if (isDay) return value;
  const expected = 'a day, as 2027-03-31';
  return reader.add(at, `found ${JSON.stringify(value)}`, { expected });
});

const keys = record(
  'a waiver',
  {
    reason: bare(literalText('some words on why the failure is accepted')),
    cause: bare(literalText('the id of a cause, as the report names it')),
    id: literalText('the id of a check, a scenario, a rule or a requirement'),
    deviation: oneOf('', Object.keys(deviations) as Deviation[]),
    message: literalText("the failure's message"),
    until: day,
  },
  ['reason'],
);

/** Waives all failures of a cause, or those of one id with one deviation or message. */
const waiver: Shape<Waiver> = mapShape(keys, (read, reader): Waiver | undefined => {
  const { reason, cause, id, deviation, message, until } = read;
  const ending = until !== undefined && { until };
  if (cause !== undefined) {
    const other = id ?? deviation ?? message;
    if (!other) return { cause, reason, ...ending };
    return reader.add(other.at, `found ${JSON.stringify(other.value)}`, {
      expected: 'nothing beside a cause but its reason',
      hint: 'write two waivers, or leave out what the other one needs',
    });
  }
  const lacks = (key: string) =>
    reader.add(read.at, `a waiver without a cause lacks ${JSON.stringify(key)}`);
  if (!id) lacks('id');
  if (!message && !deviation) lacks('message');
  return (
    id && {
      id: id.value,
      reason,
      ...(deviation && { deviation: deviation.value }),
      ...(message && { message: message.value }),
      ...ending,
    }
  );
});

const form =
  'a list of waivers, each with a cause and a reason, or with id, reason and deviation or message';

/** `waivers: [{ cause, reason }, { id, reason, message }]` */
const waiversFile = record('a waivers file', { waivers: listOf(waiver, form, 0) }, ['waivers']);

export const readWaivers = (source: SourceText): ReadYaml<readonly Waiver[]> =>
  readYaml(
    source,
    mapShape(waiversFile, ({ waivers }) => waivers),
  );

/** The waivers that a command line names. */
export function waiversFrom(name: string | undefined, terminal: Terminal): readonly Waiver[] {
  if (name === undefined) return [];
  const text = textOf(name, terminal.cwd, { option: '--waivers', next: `write ${form} into it` });
  const result = readWaivers({ file: name, text });
  if (result.ok) return result.value;
  throw new CommandFailure(renderSourceErrors(result.errors, text));
}
