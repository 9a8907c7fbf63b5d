import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endpointNames, endpoints } from './endpoints.ts';
import { eventKinds, heartbeat } from './events.ts';
import { fieldsOf } from './fields.ts';
import { gaps } from './gaps/index.ts';
import { resources, TokenClaims } from './resources.ts';
import { orderTransitions, quoteTransitions } from './states.ts';
import { failureReasons, parts } from './vocabulary.ts';

/**
 * The document is not published with this project. The tables are compared with it if it is there.
 */
const place = new URL('../../../shared/spec/settlement-interface.md', import.meta.url);
const present = existsSync(place);
const text = present ? readFileSync(place, 'utf8') : '';

/** The text under a heading such as `2.2` or `6`, up to the next heading. */
function section(number: string): string {
  const start = text.search(new RegExp(`^#+ ${number.replace('.', '\\.')}\\.? `, 'm'));
  if (start < 0) throw new Error(`the document has no part ${number}`);
  const rest = text.slice(text.indexOf('\n', start) + 1);
  const end = rest.search(/^#+ /m);
  return end < 0 ? rest : rest.slice(0, end);
}

const rows = (number: string): string[][] =>
  section(number)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((one) => one.trim()),
    )
    .filter(([first = '']) => !/^-+$/.test(first))
    .slice(1);

const quoted = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
const names = (schema: Parameters<typeof fieldsOf>[0]): string[] =>
  fieldsOf(schema).map(({ name }) => name);
const sorted = (items: readonly string[]): string[] =>
  items.toSorted((one, other) => (one < other ? -1 : 1));

describe.skipIf(!present)('the document beside the repository', () => {
  it.each([
    ['2.2', resources.order],
    ['2.3', resources.quote],
    ['2.5', resources.settlement],
    ['2.7', resources.identity],
    ['5', TokenClaims],
  ] as const)('has the fields of the table in part %s', (number, schema) => {
    expect(names(schema)).toEqual(rows(number).flatMap(([first]) => quoted(first)));
  });

  it('has the envelope', () => {
    const inside = (prefix: string): string[] =>
      rows('2.1')
        .flatMap(([first]) => quoted(first))
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length));
    expect(names(resources.meta)).toEqual(inside('meta.'));
    expect(names(resources.pagination)).toEqual(inside('pagination.'));
  });

  it('marks the same fields as sent, set on acceptance and set on settlement', () => {
    const notes = { acceptance: /once a quote is accepted/, settlement: /on settlement/ } as const;
    for (const [moment, note] of Object.entries(notes)) {
      const ours = fieldsOf(resources.order).filter((field) => field.moment === moment);
      const theirs = rows('2.2').filter(([, , remark = '']) => note.test(remark));
      expect(ours.map(({ name }) => name)).toEqual(theirs.flatMap(([first]) => quoted(first)));
    }
  });

  it('has the endpoints', () => {
    const theirs = ['4.1', '4.2', '4.3', '4.4'].flatMap((number) =>
      rows(number).map(([method = '', path]) => `${method} ${quoted(path)[0] ?? ''}`),
    );
    const ours = endpointNames.map((name) => `${endpoints[name].method} ${endpoints[name].path}`);
    expect(sorted([...new Set(theirs)])).toEqual(sorted(ours));
  });

  it('has the events with their named fields', () => {
    const theirs = rows('6')
      .map(([, event, , fields]) => [quoted(event)[0] ?? '', quoted(fields)] as const)
      .filter(([event]) => event !== heartbeat);
    expect(Object.entries(eventKinds).map(([name, kind]) => [name, kind.fields])).toEqual(theirs);
  });

  it('has the transitions', () => {
    const ends = (number: string, column: number): string[] =>
      rows(number).map((cells) => `${quoted(cells[0])[0] ?? ''} ${quoted(cells[column])[0] ?? ''}`);
    const ours = (list: readonly { from: string; to: string }[]): string[] =>
      list.map(({ from, to }) => `${from} ${to}`);
    expect(ours(orderTransitions)).toEqual(ends('3.1', 3));
    expect(ours(quoteTransitions)).toEqual(ends('3.2', 2));
  });

  it('has the failure reasons', () => {
    const line = section('2.2')
      .split('\n')
      .find((one) => one.startsWith('Order failure reasons'));
    expect(quoted(line).filter((word) => /^[A-Z_]+$/.test(word))).toEqual([...failureReasons]);
  });

  it.each(parts.filter((part) => /\d/.test(part)))(
    'leaves in part %s no more open than is asked',
    (part) => {
      const all = text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${part}.`)) ?? '';
      const open = all.match(/not shown/g) ?? [];
      const asked = Object.values(gaps).filter((gap) => gap.part.split('.')[0] === part);
      expect(asked.length).toBeGreaterThanOrEqual(open.length);
    },
  );
});
