import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderSourceErrors } from '../../yaml/index.ts';
import { actionNames } from './actions.ts';
import { parseExpression } from './expression.ts';
import { load } from './load.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';

const sources = {
  read: () => ({ reason: 'none' }),
  resolve: (_: string, path: string) => path,
};

/** A whole scenario, of which the properties below break pieces. */
const good = `scenario: x
verifies: [order.settled.sets-hash]
parties: [sender, maker_a]
examples:
  - { amount: "1.00", wait: 5s }
templates:
  t:
    takes: { n: { kind: decimal, default: "1" } }
    steps:
      - sender: create order
        with: { target_amount: $n }
        save: order
    gives: [order]
setup:
  - use: t
    with: { n: $amount }
    save: { order: first }
steps:
  - together:
      - maker_a: submit quote
        for: $first
        save: quote
      - wait: $wait
  - meanwhile:
      - sender: read order
        of: $first
  - repeat: 2
    steps:
      - sender: read order
        of: $first
        eventually: { within: 5s }
        expect: { status: { one_of: [PENDING, QUOTED] }, memo: { not: { length: { above: 3 } } } }
  - expect: maker_a sees
    in_order: [quote_request_new, { quote_accepted: { fx_rate: "1" } }]
    never: [heartbeat]
    for: 2s
  - expect: \${first.expires_at - 1s}
    is: { above: "\${now()}" }
always:
  - fault: revert leg 2
  - sender: cancel order
    of: $first
    refused: [409, 422]
`;

/** Loading ends, gives a problem if it refuses, and every place that it names is in the file. */
function holds(text: string): void {
  const loaded = load({ file: 'a.yaml', text }, sources);
  if (loaded.ok) return;
  expect(loaded.errors.length).toBeGreaterThan(0);
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const { line, col, message } of loaded.errors) {
    expect(message).not.toBe('');
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines);
    expect(col).toBeGreaterThanOrEqual(1);
  }
  expect(renderSourceErrors(loaded.errors, text)).toContain('a.yaml:');
}

it('takes the whole of it', () => {
  expect(load({ file: 'a.yaml', text: good }, sources)).toMatchObject({ ok: true });
});

it('accepts or refuses any changed file, and never throws', () => {
  const pieces = [
    ':',
    '-',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '$',
    '${',
    '}',
    '&a',
    '*a',
    '\t',
    '\n',
    '# ',
    '|',
    '>',
    '!!',
    '? ',
    'null',
    '~',
    '1.10',
    'sender',
    ...actionNames,
  ];
  const change = fc.record({
    at: fc.nat(good.length),
    cut: fc.nat(12),
    put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 5, unit: anyCharacter })),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      holds(
        changes.reduce(
          (text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut),
          good,
        ),
      );
    }),
    { numRuns: 100, seed: 1 },
  );
});

it('accepts or refuses any document', () => {
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '$x',
        '${',
        '${1+}',
        'until $x',
        'sender',
        'maker_a sees',
        null,
        true,
        1.5,
        4,
        '10s',
      ),
      fc.constantFrom<unknown>(...actionNames),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'sender',
          'expect',
          'steps',
          'with',
          'save',
          'together',
          'meanwhile',
          'repeat',
          'is',
          'of',
          'wait',
          'use',
          'let',
          'fault',
          'never',
          'within',
          '__proto__',
          'constructor',
        ),
        tie('node'),
        { maxKeys: 4 },
      ),
    ),
  })).node;
  fc.assert(
    fc.property(fc.array(value, { maxLength: 4 }), (steps) => {
      holds(JSON.stringify({ scenario: 'x', steps }));
    }),
    { numRuns: 100, seed: 2 },
  );
});

it('reads any text as an expression, or says what is wrong within it', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab1.+-*/()[]", $10sm'.split('')), maxLength: 30 }),
      (text) => {
        const parsed = parseExpression(text);
        if (parsed.ok) return;
        expect(parsed.complaint.from).toBeLessThanOrEqual(text.length);
        expect(parsed.complaint.message).not.toBe('');
      },
    ),
    { numRuns: 300, seed: 3 },
  );
});
