import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/records.ts';
import { audited, fileOf, roles } from '../support/audited-har.ts';
import { edited, fullTrade } from '../support/oracle/findings-and-edits.ts';
import { type HarForm, harForms } from '../support/recorded-as-har.ts';

const life = fullTrade();
/** An amount with a sign: its form is wrong, whatever the order of events. */
const malformed = edited(life, { at: 'order.read' }, (order) => {
  order['source_amount_max'] = '+1,5';
});
const wrongEvent = edited(life, { at: 'quote_received' }, (quote) => {
  quote['fx_rate'] = '+1';
});

/** Fewer requirements than these in a form would mean that it is hardly read. */
const leastPassing: Readonly<Record<HarForm, number>> = {
  plain: 150,
  chrome: 150,
  firefox: 100,
  safari: 100,
  playwright: 60,
  'playwright-attach': 60,
  'playwright-omit': 5,
  'chrome-har': 60,
  mitmproxy: 100,
  charles: 100,
  fiddler: 100,
  loose: 100,
  insomnia: 50,
  browsermob: 5,
  'whole-seconds': 60,
};
/** Forms without bodies show no field. */
const bodiless: readonly HarForm[] = ['playwright-omit', 'browsermob'];
/** Their tools export no messages of streams. */
const silent: readonly HarForm[] = [
  ...bodiless,
  'firefox',
  'safari',
  'playwright',
  'playwright-attach',
  'chrome-har',
  'insomnia',
];

describe('a HAR of a correct target', () => {
  test.each(harForms)(
    'in the form %s blames nobody, and malformed fields of answers and events are found',
    (form) => {
      const { failing, passing } = audited([fileOf(life, { form })]);
      expect(failing).toEqual([]);
      expect(passing).toBeGreaterThan(leastPassing[form]);
      const found = audited([fileOf(malformed, { form })]).failing.join('\n');
      expect(found.includes('source-amount-max')).toBe(!bodiless.includes(form));
      const told = audited([fileOf(wrongEvent, { form })]).failing.join('\n');
      expect(told.includes('fx-rate.form')).toBe(!silent.includes(form));
    },
  );
});

/** Adds correct refusals: of tokens of other parties, and of malformed requests. */
function withRefusals(): History {
  const fake = fullTrade();
  const order = fake.create();
  const params = { intent_id: order.intent_id };
  fake.advance(3_000);
  fake.refuse('sender', 'identity.read', { auth: 'of maker_a', status: 403 });
  fake.refuse('sender', 'order.cancel', { auth: 'of outsider', status: 403, params });
  fake.refuse('maker_a', 'quote.list', { auth: 'forged', status: 403 });
  fake.refuse('sender_custodian', 'order.read', { auth: 'malformed', status: 400, params });
  fake.refuse('sender', 'order.list', { query: { status: 'nonsense' }, status: 400 });
  fake.refuse('sender_custodian', 'order.quotes', { query: { page: '-1' }, status: 400, params });
  fake.advance(2_000);
  fake.read('sender', order);
  return fake;
}

describe('a HAR with refusals of a correct target', () => {
  const refusals = withRefusals();

  test.each(harForms)('in the form %s blames nobody', (form) => {
    expect(audited([fileOf(refusals, { form })]).failing).toEqual([]);
  });
});

describe('a HAR of some clients of a correct target', () => {
  const partial: readonly HarForm[] = ['plain', 'chrome', 'mitmproxy', 'playwright'];

  test.each(partial)('in the form %s blames nobody for what was not recorded', (form) => {
    const bare = fileOf(withRefusals(), { form, leaveTokensOut: true });
    expect(audited([bare]).failing).toEqual([]);
    for (const parties of [['sender'], ['maker_a'], ['sender', 'maker_b']]) {
      expect(audited([fileOf(life, { form, parties })]).failing).toEqual([]);
    }
  });

  test('shows a violation that needs nobody else', () => {
    const found = audited([fileOf(malformed, { parties: ['sender'] })]).failing.join('\n');
    expect(found).toContain('source-amount-max');
  });

  test('in a file of each client is one recording of the target', () => {
    const files = [...roles.keys()].map((party) => fileOf(life, { parties: [party] }));
    const { failing, passing } = audited(files);
    expect(failing).toEqual([]);
    expect(passing).toBeGreaterThan(leastPassing.chrome);
  });

  test('may show everything twice, or from two tools', () => {
    for (const form of ['chrome', 'charles', 'playwright'] as const) {
      expect(audited([fileOf(life), fileOf(life, { form })]).failing).toEqual([]);
    }
    const [once, twice] = [[fileOf(life)], [fileOf(life), fileOf(life)]].map(audited);
    expect(twice?.records).toHaveLength(once?.records.length ?? 0);
  });

  test('may be cut off, or have unreadable entries', () => {
    for (const share of [0.2, 0.5, 0.8]) {
      const change = (text: string): string => text.slice(0, share * text.length);
      expect(audited([fileOf(life, { change })]).failing).toEqual([]);
    }
    let count = 0;
    const change = (text: string): string =>
      text.replaceAll('"method":"', (part) => {
        count += 1;
        return count % 7 === 0 ? '"methods":"' : part;
      });
    const { failing, limits } = audited([fileOf(life, { change })]);
    expect(failing).toEqual([]);
    expect(limits).toContain('request.method: expected a text');
  });
});
