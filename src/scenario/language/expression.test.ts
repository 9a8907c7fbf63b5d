import { describe, expect, it } from 'vitest';
import { parseExpression } from './expression.ts';
import { infer } from './infer-types.ts';
import {
  count,
  decimal,
  duration,
  listOf,
  named,
  resourceType,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';
import type { Located } from './arg.ts';

const at = { file: 'a.yaml', line: 1, col: 1, width: 1 };
const names = new Map<string, Type>([
  ['order', resourceType('order')],
  ['n', count],
  ['any', unknown],
  ['list', listOf(decimal)],
]);

function typeOf(source: string): string {
  const parsed = parseExpression(source);
  if (!parsed.ok) return `! ${parsed.complaint.message}`;
  const said: string[] = [];
  const located: Located = { expr: parsed.expr, source, at, location: () => at };
  const type = infer(located, { names, complain: (_, message) => void said.push(message) });
  return said.length > 0 ? `! ${said.join('; ')}` : type.kind;
}

describe('the type of an expression', () => {
  it.each([
    ['1', 'count'],
    ['1.5', 'decimal'],
    ['10s', 'duration'],
    ['1h30m', 'duration'],
    ['"x"', 'text'],
    ['order.expires_at', 'time'],
    ['order.expires_at - 10s', 'time'],
    ['10s + order.expires_at', 'time'],
    ['order.expires_at - order.created_at', 'duration'],
    ['(order.expires_at - order.created_at) / 2', 'duration'],
    ['2 * 10s', 'duration'],
    ['10s / 5s', 'decimal'],
    ['order.target_amount * 2', 'decimal'],
    ['order.target_amount / 3 - 0.1', 'decimal'],
    ['n * 2 + 1', 'count'],
    ['n / 2', 'decimal'],
    ['list[0] + 1', 'decimal'],
    ['count(list)', 'count'],
    ['round(order.target_amount, 2)', 'decimal'],
    ['max(order.expires_at, now())', 'time'],
    ['any.thing[3].else', 'unknown'],
    ['any - 10s', 'unknown'],
    ['order["x_internal"]', 'unknown'],
    ['maker_a.party_id', 'text'],
  ])('%s is %s', (source, kind) => {
    expect(typeOf(source)).toBe(kind);
  });

  it.each([
    'order.expires_at + order.created_at',
    '10s - order.expires_at',
    'order.target_amount + 10s',
    'order.status - 1',
    'order.nothing',
    'nobody',
    'n.field',
    'list.length',
    'order[0]',
    'round(order.target_amount)',
    'round("x", 2)',
    'eval(1)',
    '1 +',
    '1 2',
    '(1',
    '10x',
    'order.',
    'a b',
    '${1}',
    '',
  ])('%j makes no sense, and that is said', (source) => {
    expect(typeOf(source)).toMatch(/^! ./);
  });

  it('multiplies before it adds, from left to right', () => {
    const parsed = parseExpression('1 - 2 - 3 * 4');
    if (!parsed.ok || parsed.expr.kind !== 'binary') throw new Error('not parsed');
    expect(parsed.expr).toMatchObject({
      op: '-',
      left: { op: '-', left: { written: '1' }, right: { written: '2' } },
      right: { op: '*' },
    });
  });

  it('ends with deep and with long ones', () => {
    expect(typeOf(`${'('.repeat(5_000)}1`)).toMatch(/^! an expression of over/);
    expect(typeOf(`${'('.repeat(100)}1${')'.repeat(100)}`)).toBe('! nested too deep');
  });

  it('has words for every type', () => {
    expect(
      [text, decimal, time, duration, count, unknown, resourceType('order'), listOf(text)].map(
        named,
      ),
    ).toEqual([
      'text',
      'a decimal',
      'a moment',
      'a duration',
      'a whole number',
      'a value',
      'an order',
      'a list',
    ]);
  });
});
