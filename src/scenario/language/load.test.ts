import { describe, expect, it } from 'vitest';
import { endpointNames } from '../../spec/endpoints.ts';
import { roles } from '../../spec/vocabulary.ts';
import { actionNames, endpointFor } from './actions.ts';
import { load, type Sources } from './load.ts';

const files: Record<string, string> = {};
const sources: Sources = {
  read: (file) => files[file] ?? { reason: 'none' },
  resolve: (_: string, path: string) => path,
};
const loading = (text: string) => load({ file: 'a.yaml', text }, sources);
const errorsOf = (text: string): string[] => {
  const loaded = loading(text);
  return loaded.ok
    ? []
    : loaded.errors.map((error) => `${error.line}:${error.col} ${error.message}`);
};
const flow = (steps: string): string => `scenario: x\nsteps:\n${steps}`;
const order = '  - sender: create order\n    expect: { status: PENDING }\n    save: order\n';

describe('loading a scenario', () => {
  it('takes a byte order mark and line ends of any system', () => {
    expect(errorsOf(`\uFEFF${flow(order)}`)).toEqual([]);
    expect(errorsOf(flow(order).replaceAll('\n', '\r\n'))).toEqual([]);
  });

  it('refuses a file that is too large, without reading it through', () => {
    expect(errorsOf(`${flow(order)}# ${'x'.repeat(1_000_000)}`)[0]).toContain('larger than');
  });

  it('refuses a file of templates that does not hold together, and plays none of a good one', () => {
    const good = loading(
      'templates:\n  t:\n    steps:\n      - sender: list orders\n        answered: 200\n',
    );
    expect(good).toMatchObject({ ok: true, scenarios: [] });
    expect(errorsOf('templates:\n  t:\n    steps:\n      - use: other\n')).toEqual([
      '4:14 there is no template "other"',
    ]);
  });

  it('points into the imported file where that is what is wrong', () => {
    files['t.yaml'] =
      'templates:\n  t:\n    steps:\n      - sender: read order\n        of: $nothing\n';
    const loaded = loading(`imports: [t.yaml]\n${flow(order)}  - use: t\n`);
    expect(loaded.ok || loaded.errors).toMatchObject([{ file: 't.yaml', line: 5, col: 14 }]);
  });

  it.each([
    ['rows.csv', 'a,t\n1.10,word\n"2","other, too"\n'],
    ['rows.json', '[{ "a": "1.10", "t": "word" }, { "a": "2", "t": "other, too" }]'],
    ['rows.yaml', '- { a: "1.10", t: word }\n- { a: "2", t: "other, too" }\n'],
  ])('takes its examples from %s', (name, table) => {
    files[name] = table;
    const loaded = loading(
      `examples: ${name}\n${flow('  - sender: create order\n    with: { target_amount: $a, memo: $t }\n    expect: { memo: $t }\n')}`,
    );
    expect(loaded.ok && loaded.scenarios.map(({ title }) => title)).toEqual([
      'x (a 1.10, t word)',
      'x (a 2, t other, too)',
    ]);
    expect([...loaded.texts.keys()]).toEqual(['a.yaml', name]);
  });

  it.each([
    ['', /^1:1 a table without a row below its names$/],
    ['a,a\n1,2\n', /^1:1 two columns are named "a"$/],
    ['a,b\n1\n', /^2:1 the line has 1 cells, other than the first line/],
    ['a;b\n1,00;x\n', /^2:1 the line has 2 cells, .* separate the cells by commas$/],
    ['a\n"1\n', /^\d:1 the quote in this line is not closed/],
    ['a, b\n1,2\n3,4\n', /^1:1 found the name " b"/],
    ['a,b\n1.00,2\n1.00,x\n', /^3:1 "b" is text/],
    [`a\n${'1\n'.repeat(600_000)}`, /^1:1 the file is larger than/],
  ])('points into a table that is wrong: %.12j', (table, said) => {
    files['rows.csv'] = table;
    const loaded = loading(`examples: rows.csv\n${flow(order)}`);
    const errors = loaded.ok ? [] : loaded.errors;
    expect(new Set(errors.map(({ file }) => file))).toEqual(new Set(['rows.csv']));
    const [first] = errors.map(({ line, col, message, hint = '' }) =>
      `${line}:${col} ${message} ${hint}`.trim(),
    );
    expect(first).toMatch(said);
  });

  it.each(['other.csv', '[]', '{}'])('refuses %j as the whole of a table', (text) => {
    files['rows.json'] = JSON.stringify(text === 'other.csv' ? text : JSON.parse(text));
    expect(errorsOf(`examples: rows.json\n${flow(order)}`)).toHaveLength(1);
  });

  it('takes no number without quotes from a table for an amount, which would lose its zeros', () => {
    files['rows.yaml'] = '- { amount: 1.00 }\n';
    const steps = (key: string) =>
      `  - sender: create order\n    ${key}: { target_amount: $amount }\n`;
    const withRows = (key: string) => errorsOf(`examples: rows.yaml\n${flow(steps(key) + order)}`);
    expect(withRows('with')).toEqual(['5:28 found a number without quotes']);
    expect(withRows('as_is')).toEqual([]);
    files['rows.csv'] = 'amount\n"1,000.00"\n';
    const loaded = loading(`examples: rows.csv\n${flow(steps('with') + order)}`);
    const hint = '"amount" is "1,000.00" in the first example';
    expect(loaded.ok || loaded.errors).toMatchObject([{ message: 'found text', hint }]);
  });

  it('takes no name of a party for a value', () => {
    files['rows.csv'] = 'sender\n1\n2\n';
    const named = `examples: rows.csv\nvalues: { maker_a: x }\n${flow(`${order}  - let: { maker_b: x }\n`)}`;
    expect(errorsOf(named).toSorted()).toEqual([
      '2:1 found "sender"',
      '2:11 found "maker_a"',
      '8:12 found "maker_b"',
    ]);
  });

  it('says that a table is not there', () => {
    expect(errorsOf(`examples: none.csv\n${flow(order)}`)).toEqual(['1:11 "none.csv": none']);
  });

  it('makes one scenario of each example, typed by how its cells are written', () => {
    const text = `examples:\n  - { a: "1.10", d: 5s, n: 2, t: word }\n  - { a: "2", d: 1h, n: 3, t: other }\n${flow(
      '  - wait: $d\n  - sender: create order\n    with: { target_amount: $a, memo: "$t ${n * 2}" }\n    expect: { target_amount: $a }\n',
    )}`;
    const loaded = loading(text);
    expect(loaded.ok && loaded.scenarios.map(({ id, title }) => [id, title])).toEqual([
      ['a@1', 'x (a 1.10, d 5s, n 2, t word)'],
      ['a@2', 'x (a 2, d 1h, n 3, t other)'],
    ]);
    expect(errorsOf(text.replace('wait: $d', 'wait: $t'))).toEqual(['6:12 found text']);
  });

  it.each([
    ['an amount that is no string', '    with: { target_amount: 10 }', 'the bare number 10'],
    ['an amount in another notation', '    with: { target_amount: "1e3" }', '"1e3"'],
    ['a moment for an amount', '    with: { target_amount: $sender }', 'a party'],
    ['text for a whole number', '    page: two', 'unknown key "page"'],
    ['a party as a name', '    save: maker_a', '"maker_a"'],
    [
      'both refused and answered',
      '    refused: 409\n    answered: 200',
      'both refused and answered',
    ],
    ['a success as a refusal', '    refused: 200', 'the number 200'],
    ['a test of nothing', '    expect: {}', 'a mapping'],
    [
      'a tolerance of nothing',
      '    expect: { target_amount: { within: "1" } }',
      '"within" with nothing',
    ],
    [
      'a test of another kind',
      '    expect: { status: { above: "1" } }',
      '"above" says nothing of text',
    ],
    ['a list for a field', '    expect: { status: [PENDING] }', 'found a list'],
    [
      'an answer that tells nothing of a state',
      '    expect: { items: [] }',
      'an order has no field "items"',
    ],
  ])('refuses %s', (_, lines, message) => {
    expect(errorsOf(flow(`  - sender: create order\n${lines}\n${order}`)).join('\n')).toContain(
      message,
    );
  });

  it.each([
    ['a party that listens to nothing', '  - expect: maker_a sees\n'],
    [
      'a wait for what never can be awaited',
      '  - expect: maker_a sees\n    never: [heartbeat]\n    within: 5s\n',
    ],
    ['a fault that nobody knows', '  - fault: revert leg 5\n'],
    ['a restart in what is no write', '  - fault: restart in the last write\n'],
    ['a restart after what is no time', '  - fault: restart after a while\n'],
    ['a restart of one order', '  - fault: restart\n    of: $order\n'],
    ['a fault on what is no order', '  - fault: drop streams of maker_a\n    of: $order\n'],
    ['a stream that cannot refuse', '  - maker_a: drop stream\n    refused: 4xx\n'],
    ['a hope without an aim', '  - sender: read order\n    of: $order\n    eventually: 5s\n'],
    [
      'a change over and over',
      '  - sender: request\n    method: POST\n    path: /x\n    eventually: 5s\n    whole_answer: { status: 200 }\n',
    ],
    ['no order where one is due', '  - sender: read order\n    of: $order.target_amount\n'],
    ['no quote where one is due', '  - sender: accept quote\n    quote: $order\n'],
    [
      'two deadlines',
      '  - maker_a: submit quote\n    for: $order\n    with: { valid_for: 5s, valid_until: $order.expires_at }\n',
    ],
    ['repetition without end', '  - repeat: 100000\n    steps:\n      - wait: 1s\n'],
    ['an expression without its end', '  - wait: "until ${order.expires_at"\n'],
  ])('refuses %s', (_, steps) => {
    expect(errorsOf(flow(order + steps)).length).toBeGreaterThan(0);
  });

  it.each([
    ['repetitions', (inner: string) => `  - repeat: 1000\n    steps:\n${inner}`],
    [
      'a round for each of two',
      (inner: string) =>
        `  - as_each: [maker_a, maker_b]\n    alike_for: [sender]\n    steps:\n${inner}`,
    ],
  ])('refuses more steps than a scenario may take, by %s', (_, around) => {
    const rounds = `      - repeat: 10000\n        steps:\n          - wait: 1s\n`;
    expect(errorsOf(flow(order + around(rounds)))[0]).toMatch(
      /^6:5 the scenario takes \d+ steps, repetitions and templates counted$/,
    );
    expect(errorsOf(flow(order + around(rounds.replace('10000', '9'))))).toEqual([]);
  });

  it('refuses templates that double with each other, and counts each once', () => {
    const templates = Array.from(
      { length: 60 },
      (_, n) => `  t${n + 1}:\n    steps:\n      - use: t${n}\n      - use: t${n}\n`,
    );
    const text = `scenario: x\ntemplates:\n  t0:\n    steps:\n      - wait: 1s\n${templates.join('')}`;
    expect(errorsOf(`${text}steps:\n${order}  - use: t60\n`)[0]).toContain('the scenario takes');
    expect(errorsOf(`${text}steps:\n${order}  - use: t9\n`)).toEqual([]);
  });

  it('takes values from the command line where they are of the kind of their defaults', () => {
    const text = `values: { a: "1.10", n: 2, wait: 5s }\n${flow(
      '  - sender: create order\n    with: { target_amount: $a }\n    expect: { target_amount: $a }\n',
    )}`;
    const given = (name: string, value: string) =>
      load({ file: 'a.yaml', text }, { ...sources, values: new Map([[name, value]]) });
    const valueOf = (name: string, value: string) => {
      const loaded = given(name, value);
      const [first] = loaded.ok ? loaded.scenarios : [];
      return first?.draft.values.find(({ key }) => key === name)?.value;
    };
    expect(valueOf('a', '7')).toMatchObject({ kind: 'plain', value: '7' });
    expect(valueOf('n', '7')).toMatchObject({ kind: 'plain', value: 7 });
    expect(given('wait', 'long')).toMatchObject({
      ok: false,
      errors: [
        { line: 1, message: '--set wait=long is text', expected: 'a duration, as the default is' },
      ],
    });
    expect(errorsOf(`examples: [{ a: "1" }]\n${text}`)).toEqual([
      '1:14 "a" stands under "values" as well',
    ]);
  });

  it('names a row by its key', () => {
    const text = `examples:\n  one cent: { a: "0.01" }\n  "10 EUR, whole": { a: "10" }\n${flow(
      '  - sender: create order\n    with: { target_amount: $a }\n    expect: { target_amount: $a }\n',
    )}`;
    const loaded = loading(text);
    expect(loaded.ok && loaded.scenarios.map(({ id, title }) => [id, title])).toEqual([
      ['a@1', 'x (one cent)'],
      ['a@2', 'x (10 EUR, whole)'],
    ]);
    expect(errorsOf(`examples: {}\n${flow(order)}`)).toEqual(['1:11 found a mapping']);
  });

  it('repeats steps for the items of a list, and of nothing else', () => {
    const each = (list: string) =>
      flow(
        `${order}  - sender: list orders\n    save: page\n  - repeat: ${list}\n    as: one\n    steps:\n      - sender: read order\n        of: $one\n`,
      );
    expect(errorsOf(each('$page.items'))).toEqual([]);
    expect(errorsOf(each('$order.status'))).toEqual(['8:14 found text']);
  });

  it('does not read fields that only host objects have', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'valueOf', 'hasOwnProperty']) {
      const step = `  - sender: read order\n    of: $order\n    expect: { ${name}: "1" }\n`;
      expect(errorsOf(flow(order + step))).toEqual([
        `8:15 an order has no field ${JSON.stringify(name)}`,
      ]);
    }
  });

  it('takes what a repetition saves for its own', () => {
    const inside =
      '  - repeat: 2\n    as: n\n    steps:\n      - sender: create order\n        with: { memo: "order ${n}" }\n        save: inner\n';
    expect(errorsOf(flow(order + inside))).toEqual([]);
    expect(errorsOf(flow(`${order}${inside}  - sender: read order\n    of: $inner\n`))).toEqual([
      '13:10 nothing is saved as "inner" by an earlier step',
    ]);
  });

  it('knows what a meanwhile saves after the list of steps around it, and not before', () => {
    const branch = `${order}  - together:\n      - - meanwhile:\n            - sender: read order\n              of: $order\n              save: late\n`;
    const inBranch = '        - sender: cancel order\n          of: $late\n';
    const after = '  - sender: cancel order\n    of: $late\n';
    const tooSoon = '"late" may not be saved yet: steps beside this one save it';
    expect(errorsOf(flow(branch + after))).toEqual([]);
    expect(errorsOf(flow(branch + inBranch))).toEqual([`12:16 ${tooSoon}`]);
    const begun = `  - meanwhile:\n    - sender: create order\n      save: late\n`;
    expect(errorsOf(`setup:\n${begun}${flow(order + after)}`)).toEqual([]);
    expect(errorsOf(`setup:\n${begun}${after}${flow(order)}`)).toEqual([`6:10 ${tooSoon}`]);
    expect(errorsOf(`${flow(order + begun)}always:\n${after}`)).toEqual([]);
  });

  it('takes a name for what it was before a meanwhile until the list of steps around it has ended', () => {
    const changed = flow(`${order}  - meanwhile:\n    - let: { order: 5s }\n`);
    const read = '  - sender: read order\n    of: $order\n';
    expect(errorsOf(changed + read)).toEqual([]);
    expect(errorsOf(`${changed}always:\n${read}`)).toEqual(['10:10 found a duration']);
  });

  it('may repeat any request that only reads', () => {
    const steps = 'eventually: 5s\n    whole_answer: { status: 200 }\n';
    const request = `  - sender: request\n    method: GET\n    path: /x\n    ${steps}`;
    expect(errorsOf(flow(request))).toEqual([]);
  });

  it('lets a refusal be expected where the role may not', () => {
    expect(errorsOf(flow('  - maker_a: create order\n    refused: 4xx\n'))).toEqual([]);
  });

  it('counts what templates assert', () => {
    const text = `templates:\n  t:\n    steps:\n      - sender: list orders\n        answered: 200\n${flow('  - use: t\n')}`;
    expect(errorsOf(text)).toEqual([]);
    expect(errorsOf(flow('  - sender: list orders\n    refused: maybe\n'))).toEqual([
      '1:11 the scenario asserts nothing',
    ]);
  });
});

describe('the table of actions', () => {
  it('has one for every endpoint', () => {
    const used = new Set(
      actionNames.flatMap((name) => roles.map((role) => endpointFor(name, role))),
    );
    expect(endpointNames.filter((name) => !used.has(name))).toEqual([]);
  });
});
