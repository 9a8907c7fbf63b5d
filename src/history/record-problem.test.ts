import { describe, expect, it } from 'vitest';
import { fullTrade } from '../../test/support/oracle/findings-and-edits.ts';
import { recordProblem } from './record-problem.ts';

const written = fullTrade().records.map((record) => JSON.parse(JSON.stringify(record)) as object);
const [exchange] = written.filter((one) => 'request' in one);
const [frame] = written.filter((one) => 'event' in one);
const end = { kind: 'end', stream: 'a#1', by: 'a', party: 'sender', at: 1, cause: 'us' };

const changed = (record: object | undefined, path: string, value: unknown): unknown => {
  const [name = '', ...rest] = path.split('.');
  const members = record as Record<string, object>;
  return {
    ...members,
    [name]: rest.length === 0 ? value : changed(members[name], rest.join('.'), value),
  };
};
const nested = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;

it('is nothing for what a run records', () => {
  expect([...written, end].map(recordProblem).filter(Boolean)).toEqual([]);
});

describe('a record that somebody has changed is none with', () => {
  it.each<readonly [string, object | undefined, string, unknown]>([
    ['a time beyond all calendars', exchange, 'sent', 1e308],
    ['a time that is a text', exchange, 'received', '2031-01-01'],
    ['a time beyond all numbers', frame, 'after', Number.POSITIVE_INFINITY],
    ['a negative count', exchange, 'precededBy', -1],
    ['an answer before its request', exchange, 'received', -5],
    ['a role that there is not', exchange, 'role', '__proto__'],
    ['an endpoint that there is not', exchange, 'endpoint', 'constructor'],
    ['an object for an endpoint', exchange, 'endpoint', { toString: 1, valueOf: 2 }],
    ['no headers', exchange, 'request.headers', null],
    ['a list for a header', exchange, 'response.headers.etag', []],
    ['a status of no HTTP', exchange, 'response.status', 1e308],
    ['a body nested beyond all reading', exchange, 'response.body', nested],
    ['a payload nested beyond all reading', frame, 'data', nested],
    ['an object for a limit', end, 'limit', { toString: 1 }],
    ['a cause that there is not', end, 'cause', 'fate'],
    ['an object for a kind', end, 'kind', { toString: 1, valueOf: 1 }],
  ])('%s', (_, record, path, value) => {
    expect(record).toBeDefined();
    const problem = recordProblem(changed(record, path, value)) ?? '';
    const said = [
      `${path} is not `,
      'it is nested more than',
      'unknown kind',
      '"received" is earlier',
    ];
    expect(said.some((start) => problem.startsWith(start))).toBe(true);
  });
});
