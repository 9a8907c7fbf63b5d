import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/scenario/language/load.ts';
import type { Tamper } from '../../src/reference/http/index.ts';
import { played, scenario } from './played.ts';

const order = '  - sender: create order\n    save: order\n    expect: { status: PENDING }\n';

describe('a refusal', () => {
  const cancelled = scenario(
    `${order}  - sender: cancel order\n    of: $order\n    refused: 4xx\n`,
  );

  const tamper: Tamper = {
    response: (wire, { endpoint }) =>
      endpoint === 'order.cancel' ? { ...wire, status: 409 } : wire,
  };

  it('is none where something changed all the same', async () => {
    const [failure] = (await played(cancelled, { tamper })).failures;
    expect(failure?.message).toBe('it was refused, and yet something changed');
    expect(failure?.mismatches.map(({ path }) => path)).toContain('status of the order');
  });

  it('may come beside other changes after a meanwhile has begun', async () => {
    const begun = '  - meanwhile:\n      - wait: 1s\n';
    const flow = `${order}${begun}  - sender: cancel order\n    of: $order\n    refused: 4xx\n`;
    expect((await played(scenario(flow), { tamper })).failures).toEqual([]);
  });

  it.each([
    ['100.10', 'pass'],
    ['0.00', 'inconclusive'],
  ])('that may be, of an amount of %s, leaves the steps after it open', async (amount, verdict) => {
    const flow = `  - sender: create order
    with: { target_amount: "${amount}" }
    refused: maybe
    save: order
  - sender: read order
    of: $order
    expect: { target_amount: "${amount}" }
`;
    expect((await played(scenario(flow))).verdict).toBe(verdict);
  });

  it('may not come as a server error', async () => {
    const tamper: Tamper = {
      response: (wire, { endpoint }) =>
        endpoint === 'order.cancel' ? { ...wire, status: 503 } : wire,
    };
    expect((await played(cancelled, { tamper })).failures[0]?.message).toBe(
      'it was refused otherwise',
    );
  });
});

/** Shows failure reasons nowhere, which is its right. */
const hidden: Tamper = {
  response: (wire) => ({
    ...wire,
    body: JSON.parse(
      JSON.stringify(wire.body ?? null)
        .replaceAll('"failure_reason":"USER_CANCELLED",', '')
        .replaceAll(',"failure_reason":"USER_CANCELLED"', ''),
    ) as unknown,
  }),
};

describe('a failure reason', () => {
  const reason = scenario(
    `${order}  - sender: cancel order\n    of: $order\n  - sender: read order\n    of: $order\n    expect: { failure_reason: USER_CANCELLED }\n`,
  );

  it.each(['failure_reason', 'reason', 'status_reason', 'failure.reason'])(
    'is found in %s',
    async (field) => {
      const changes = { 'order.failure_reason_field': field };
      expect((await played(reason, { changes })).verdict).toBe('pass');
      expect((await played(reason, { changes, stranger: true })).verdict).toBe('pass');
    },
  );

  it('that a target shows nowhere proves nothing against it', async () => {
    expect(await played(reason, { tamper: hidden, stranger: true })).toMatchObject({
      verdict: 'inconclusive',
      failures: [],
    });
    expect((await played(reason, { tamper: hidden })).verdict).toBe('fail');
  });
});

describe('a target that is not the reference', () => {
  it.each([
    [
      'a wait beyond its budget',
      scenario(`${order}  - wait: 2h\n`),
      { maxWaitMs: 3_600_000 },
      /waits 2h, longer than max_wait 1h/,
    ],
    [
      'a moment beyond its budget',
      scenario(`${order}  - wait: until \${order.expires_at + 2h}\n`),
      { maxWaitMs: 60_000 },
      /longer than max_wait 1m/,
    ],
    [
      'another answer to a gap',
      scenario(order, 'gaps: { cancel.again: repeat }\n'),
      { stranger: true },
      /gap cancel.again, the target's is not known/,
    ],
    [
      'a fault without a control',
      scenario(`  - fault: drop streams of maker_a\n${order}`),
      { stranger: true },
      /nothing on this target can/,
    ],
    [
      'a ledger',
      scenario(`${order}  - let: { held: "\${holdings()}" }\n`),
      { stranger: true },
      /ledger cannot be seen/,
    ],
    [
      'a key of its own',
      scenario(
        `  - let: { other: { aud: x } }\n  - sender: list orders\n    token: \${signed(sender.token, other)}\n    refused: 4xx\n`,
      ),
      { stranger: true },
      /no signing key is offered/,
    ],
    [
      'others beside it',
      scenario(order, 'needs: { alone: true }\n'),
      { stranger: true },
      /nobody else uses/,
    ],
  ] as const)('is out of scope for %s, and says so', async (_, which, world, reason) => {
    const result = await played(which, world);
    expect(result).toMatchObject({ verdict: 'out_of_scope', failures: [] });
    expect(result.reason).toMatch(reason);
  });

  it('is alone where its file says so', async () => {
    const which = scenario(order, 'needs: { alone: true }\n');
    expect((await played(which, { stranger: true, alone: true })).verdict).toBe('pass');
  });

  it('fails an order through the control that its file offers', async () => {
    const flow = `  - fault: revert leg 3\n${order}  - maker_a: submit quote\n    for: $order\n    save: quote\n  - sender: accept quote\n    quote: $quote\n  - sender: read order\n    of: $order\n    eventually: 9s\n    expect: { status: FAILED, failure_reason: REVERT }\n`;
    expect(await played(scenario(flow), { stranger: true })).toMatchObject({
      verdict: 'pass',
      disturbed: [expect.any(String)],
    });
  });
});

describe('a flow that is cut short and proves nothing', () => {
  const settled = '    expect: { status: SETTLED }\n';
  const untilItEnds = `${order}  - wait: until \${order.expires_at + 2h}\n`;
  // As the flow would have left it, had it not been cut short.
  const cleanUp = (more: string): string =>
    `always:\n  - sender: read order\n    of: $order\n${more}`;
  const withCleanUp = (steps: string): Scenario => scenario(steps, cleanUp(settled));

  it('stays out of scope, whatever its clean-up finds', async () => {
    expect(await played(withCleanUp(untilItEnds), { maxWaitMs: 60_000 })).toMatchObject({
      verdict: 'out_of_scope',
      reason: expect.stringMatching(/^it waits .*, longer than max_wait 1m$/) as unknown,
      failures: [],
    });
  });

  it('stays inconclusive, whatever its clean-up finds', async () => {
    const flow = `${order}  - sender: cancel order\n    of: $order\n  - sender: read order\n    of: $order\n    expect: { failure_reason: USER_CANCELLED }\n`;
    const result = await played(withCleanUp(flow), { tamper: hidden, stranger: true });
    expect(result).toMatchObject({ verdict: 'inconclusive', failures: [] });
  });

  it('fails where it had failed before', async () => {
    const wrong = `${order}  - sender: read order\n    of: $order\n${settled}`;
    const result = await played(withCleanUp(wrong));
    expect([result.verdict, result.failures.length]).toEqual(['fail', 2]);
  });

  it('goes on in its clean-up with parties, and with what the clean-up saves itself', async () => {
    const wrong = `${order}  - sender: read order\n    of: $order\n${settled}`;
    const own =
      '  - expect: $sender.role\n    is: custodian\n  - sender: read order\n    of: $order\n    save: late\n  - expect: $late.status\n    is: SETTLED\n';
    const lost = '  - sender: read order\n    of: $gone\n';
    for (const [steps, failures] of [
      [own, 2],
      [`${own.slice(own.indexOf('  - sender'))}`, 2],
    ] as const) {
      const result = await played(scenario(wrong, `always:\n${steps}`));
      expect([result.verdict, result.failures.length]).toEqual(['fail', failures]);
    }
    const gone = `${wrong}  - sender: create order\n    save: gone\n`;
    const result = await played(scenario(gone, `always:\n${lost}`));
    expect([result.verdict, result.failures.length]).toEqual(['fail', 1]);
  });

  it('fails for its clean-up where it was not cut short', async () => {
    const result = await played(withCleanUp(order));
    expect([result.verdict, result.failures.length]).toEqual(['fail', 1]);
  });
});

describe('what is asked again and again, or waited for', () => {
  const later = (within: string): string =>
    `  - sender: read order\n    of: $order\n    eventually: ${within}\n    expect: { status: EXPIRED }\n`;
  const expired =
    '  - expect: maker_a sees\n    in_order: [quote_request_expired]\n    within: 2h\n';

  it.each([
    ['a state', later('2h')],
    ['an event', expired],
    ['one of two events', expired.replace('maker_a sees', 'maker_a or maker_b sees')],
  ])('is out of scope if it takes longer than max_wait: %s', async (_, step) => {
    const result = await played(scenario(order + step), { maxWaitMs: 10_000 });
    expect(result).toMatchObject({
      verdict: 'out_of_scope',
      reason: 'it waits 2h, longer than max_wait 10s',
      failures: [],
    });
    expect(result.targetMs).toBeLessThan(12_000);
    expect((await played(scenario(order + step))).verdict).toBe('pass');
  });

  it('passes where it comes about in time, however long it might have taken', async () => {
    const step = later('2h').replace('EXPIRED', 'PENDING');
    expect((await played(scenario(order + step), { maxWaitMs: 10_000 })).verdict).toBe('pass');
  });

  it('fails where it was waited for as long as the step says', async () => {
    const result = await played(scenario(order + later('30s')), { maxWaitMs: 60_000 });
    expect(result.verdict).toBe('fail');
  });
});

describe('whatever a target does', () => {
  const broken: readonly (readonly [string, Tamper])[] = [
    ['answers without data', { response: (wire) => ({ ...wire, body: {} }) }],
    ['answers 500', { response: (wire) => ({ ...wire, status: 500 }) }],
    ['sends no event', { event: () => [] }],
    ['sends broken events', { frame: () => 'event: order_updated\ndata: {\n\n' }],
  ];

  it.each(broken)('one that %s ends in a verdict', async (_, tamper) => {
    const flow = `${order}  - maker_a: submit quote\n    for: $order\n    save: quote\n  - sender: accept quote\n    quote: $quote\n  - expect: sender sees\n    of: $order\n    in_order: [order_updated]\n    within: 5s\nalways:\n  - sender: list orders\n    expect: { items: { length: 1 } }\n`;
    const result = await played(scenario(flow), { tamper });
    expect(result.verdict).toBe('fail');
    expect(result.failures.length).toBeGreaterThan(0);
    for (const { at } of result.failures) expect(at.file).toBe('x.yaml');
  });
});

describe('repeat over a list', () => {
  const flow = (list: string, each: string): Scenario =>
    scenario(
      `${order}${order}  - sender: list orders\n    save: page\n  - repeat: ${list}\n    as: one\n    steps:\n${each}`,
    );

  it('runs the steps once for each item, which knows its type', async () => {
    const reads = flow(
      '$page.items',
      '      - sender: read order\n        of: $one\n        expect: { intent_id: $one.intent_id, expires_at: { above: "${one.created_at + 1s}" } }\n',
    );
    const result = await played(reads);
    expect(result.verdict).toBe('pass');
    expect(result.log.filter(({ says }) => says.includes('read order'))).toHaveLength(2);
  });

  it('runs all rounds at once, in an order that the seed draws', async () => {
    const many = scenario(
      `  - repeat: 4\n    at_once: true\n    as: n\n    steps:\n      - wait: 1s\n      - sender: create order\n        with: { memo: "order \${n}" }\n        expect: { memo: "order \${n}" }\n`,
    );
    const result = await played(many);
    expect(result.verdict).toBe('pass');
    const created = result.log.filter(({ says }) => says.includes('create order'));
    expect(created.map(({ atMs }) => atMs)).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(result.drawn).toEqual([expect.stringMatching(/^line 3: [1-4](, [1-4]){3}$/)]);
  });
});

describe('together', () => {
  it('gives what a branch saves under a name that was known before, whichever begins last', async () => {
    const again = scenario(
      '  - let: { a: old }\n  - together:\n      - let: { a: new }\n      - wait: 1s\n      - wait: 1s\n  - expect: $a\n    is: new\n',
    );
    for (const seed of [1n, 2n, 3n])
      expect(await played(again, { seed })).toMatchObject({ verdict: 'pass', failures: [] });
  });
});

describe('drawn()', () => {
  const flow = scenario(
    '  - repeat: 30\n    steps:\n      - let: { amount: "${drawn(0.01, 1000, 2)}" }\n      - expect: $amount\n        is: { at_least: "0.01", at_most: "1000", matches: "^[0-9]+[.][0-9]{2}$" }\n',
  );
  const amountsOf = async (seed: bigint): Promise<readonly unknown[]> => {
    const result = await played(flow, { seed });
    expect(result.verdict).toBe('pass');
    return result.log.filter(({ says }) => says === 'let amount').map(({ outcome }) => outcome);
  };

  it('draws within the range and its ends, by the seed', async () => {
    const amounts = await amountsOf(1n);
    expect(new Set(amounts).size).toBeGreaterThan(15);
    expect(amounts).toEqual(expect.arrayContaining(['"0.01"', '"1000.00"']));
    expect(await amountsOf(1n)).toEqual(amounts);
    expect(await amountsOf(2n)).not.toEqual(amounts);
  });
});

describe('page: all', () => {
  const flow = `  - repeat: 25
    steps:
      - sender: create order
  - sender: list orders
    expect: { items: { length: 20 } }
  - sender: list orders
    page: all
    expect: { items: { length: 25 }, pagination: { total_items: 25 } }
    save: all
  - expect: \${count(all.items)}
    is: 25
`;

  it.each([
    {},
    { 'list.page_param': 'page_number', 'list.first_page': '0' },
    { 'list.page_param': 'offset', 'list.order': 'oldest-first' },
  ])('walks whatever way a target counts: %j', async (changes) => {
    expect(await played(scenario(flow), { changes })).toMatchObject({
      verdict: 'pass',
      failures: [],
    });
  });
});

describe('what has no end', () => {
  const values = (start: string, next: string): string =>
    `  - let: { a: ${start} }\n  - expect: $a\n    is: { present: true }\n${`  - let: { a: ${next} }\n`.repeat(60)}`;
  const endless: Readonly<Record<string, readonly [limit: string, steps: string]>> = {
    'a text that doubles': ['scenario.value_chars', values('"abc"', '"${a}${a}"')],
    'a list that doubles': ['scenario.value_chars', values('["abc"]', '["${a}", "${a}"]')],
    'two lists joined': ['scenario.value_chars', values('["abc"]', '"${joined(a, a)}"')],
    'a number that squares': ['scenario.digits', values('"${1.5 * 10}"', '"${a * a}"')],
    'a moment beyond all calendars': [
      'scenario.year',
      values('"${now()}"', '"${a + 400d * 1000}"'),
    ],
    'a duration beyond all numbers': ['scenario.digits', values('"${400d * 1}"', '"${a * 1000}"')],
    'one large value after another': [
      'scenario.all_chars',
      `  - let: { a: "${'x'.repeat(900_000)}" }\n  - expect: $a\n    is: { present: true }\n  - repeat: 60\n    steps:\n      - let: { b: "\${a}" }\n`,
    ],
    'a regular expression that goes back and forth': [
      'scenario.match_ms',
      `  - let: { a: "${'a'.repeat(60)}!" }\n  - expect: $a\n    is: { matches: "^(a+)+$" }\n`,
    ],
  };
  it.each(Object.entries(endless))('%s: is not judged', async (_, [limit, steps]) => {
    const one = await played(scenario(steps), { maxWaitMs: Number.POSITIVE_INFINITY });
    expect([one.verdict, one.limit, one.failures]).toEqual(['inconclusive', limit, []]);
    expect(one.reason).toContain(limit);
  });

  it('still runs its `always` steps', async () => {
    const one = await played(
      scenario(`${values('"abc"', '"${a}${a}"')}always:\n  - sender: who am I\n`),
    );
    expect(one.log.at(-1)?.says).toBe('who am I');
  });
});

it('sends a whole number as the text that the document wants', async () => {
  const flow =
    '  - repeat: 2\n    as: n\n    steps:\n      - sender: create order\n        with: { target_amount: "${n * 10}", memo: $n }\n        expect: { target_amount: "${n * 10}", memo: { format: text } }\n';
  expect((await played(scenario(flow))).failures).toEqual([]);
});
