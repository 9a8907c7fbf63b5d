import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import { history, report } from '../../../test/support/report/check-run.ts';
import { broken, playedHistory, playedReport } from '../../../test/support/report/scenario-run.ts';
import { toText } from '../formats/text.ts';
import { toHtml } from './page.ts';

const page = toHtml(report(), history());
const played = toHtml(playedReport(), playedHistory());
const all = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, found]) => found ?? '');
const places = (html: string, ...pieces: readonly string[]): number[] =>
  pieces.map((piece) => html.indexOf(piece));
const withoutCode = (html: string): string => html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');

describe.each([
  ['checks', page],
  ['scenarios', played],
])('the page of %s', (_, html) => {
  it('asks nobody for anything', () => {
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<(?:link|img|iframe|object|embed|base|form|svg)\b/);
    expect(html).not.toMatch(/\b(?:src|srcset|action|data|poster)="/);
    expect(html).not.toMatch(/@import|url\(/);
    for (const href of all(html, /href="([^"]*)"/g)) expect(href).toMatch(/^#/);
  });

  it('leads every link to a place, and has no place twice', () => {
    const ids = all(withoutCode(html), / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const href of all(html, /href="#([^"]*)"/g)) expect(ids).toContain(href);
  });

  it('closes what it opens, and folds nothing without words to unfold it by', () => {
    const body = withoutCode(html);
    for (const tag of [
      'details',
      'summary',
      'table',
      'tr',
      'td',
      'th',
      'div',
      'article',
      'section',
      'ol',
      'ul',
      'dl',
    ]) {
      const opened = all(body, new RegExp(`<(${tag})[ >]`, 'g')).length;
      expect([tag, all(body, new RegExp(`</(${tag})>`, 'g')).length]).toEqual([tag, opened]);
    }
    expect(all(body, /<details[^>]*>(?!<summary>)(.)/g)).toEqual([]);
  });

  it('is read without its script: what needs it is hidden, what failed is open', () => {
    expect(html).toMatch(/<div class="filter"[^>]* hidden>/);
    expect(withoutCode(html)).not.toMatch(/ on\w+="/);
    for (const region of all(html, /<div class="scroll"([^>]*)>/g)) {
      expect(region).toMatch(/role="region" tabindex="0" aria-label="[^"]+"/);
    }
  });
});

describe('the page', () => {
  it('says the verdict, then what failed, then the counts by part, then the rest, folded', () => {
    const order = places(
      page,
      '<p class="outcome nonconformant"><strong>nonconformant</strong>',
      'id="findings"',
      'id="parts"',
      'id="requirements"',
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    const rest = page.slice(page.indexOf('id="requirements"'));
    expect(rest).not.toContain('<details open');
  });

  it('shows with a failure what was expected, what was there, its exchanges, and how to see it again', () => {
    const article = page.slice(page.indexOf('id="finding-1"'), page.indexOf('id="finding-2"'));
    expect(article).toContain('<dt>expected</dt><dd><code>a decimal string</code></dd>');
    expect(article).toContain('<dt>actual</dt>');
    expect(article).toContain('order.flow#2');
    expect(article).toContain(
      'assay replay order.flow --target acme.yaml --seed 0x0000000000000007',
    );
    expect(article).toContain('What happened in <code>order.flow</code>');
    expect(all(article, /<div class="mark call (flagged)">/g)).toHaveLength(2);
  });

  it('begins with the probable causes: the clause, the path, types, the whole answer and its sequence', () => {
    const { causes = [] } = report();
    const [first] = causes;
    if (!first) throw new Error('the sample has no cause');
    const placed = { ...first, place: { endpoint: 'order.read', field: 'data.fx_rate' } };
    const [check, ...others] = report().checks;
    const failures = check?.failures.map((one) => ({
      ...one,
      deviation: 'wrong value',
      expected: '1.1',
      actual: 1.1,
      exchanges: ['order.flow#1', 'order.flow#2'],
      places: [placed.place],
    }));
    const checks = check && failures ? [{ ...check, failures }, ...others] : others;
    const html = toHtml({ ...report(), checks, causes: [placed] }, history());
    const section = html.slice(html.indexOf('id="causes"'), html.indexOf('id="findings"'));
    expect(html.indexOf('id="causes"')).toBeLessThan(html.indexOf('id="parts"'));
    expect(section).toContain('1 probable cause, 1 requirement');
    expect(section).toContain('Amounts are decimal strings. <span class="soft">part 2.2</span>');
    expect(section).toContain('JSON path <code>data.fx_rate</code>');
    expect(section).toContain('&quot;1.1&quot;</code> <span class="soft">string</span>');
    expect(section).toContain('1.1</code> <span class="soft">number</span>');
    expect(all(section, /<mark>([^<]*)<\/mark>/g)).toEqual(['    &quot;fx_rate&quot;: 1.1']);
    expect(all(section, /<div class="mark call (flagged)">/g)).toHaveLength(2);
    expect(section).not.toContain('not drawn');
    expect(html).toContain('<a href="#cause-1">cause 1</a>');
  });

  it('says once what a judge found many times', () => {
    const [check, ...others] = report().checks;
    const [failure] = check?.failures ?? [];
    if (!check || !failure) throw new Error('the sample has no failure');
    const failures = Array.from({ length: 9 }, () => failure);
    const many = toHtml({ ...report(), checks: [{ ...check, failures }, ...others] }, history());
    expect(many).toContain('and 8 times more');
    expect(all(many, /What happened in (<code>order\.flow)/g)).toHaveLength(2);
  });

  it('stays a page where a target breaks everything: later failures are told, not drawn', () => {
    const [check, ...others] = report().checks;
    const [failure] = check?.failures ?? [];
    const failing = report().requirements.find(({ verdict }) => verdict === 'fail');
    if (!check || !failure || !failing) throw new Error('the sample has no failure');
    const ids = Array.from({ length: 60 }, (_, n) => `order.form.${n}`);
    const requirements = ids.map((id) => ({ ...failing, id }));
    const failures = ids.flatMap((requirement) =>
      ['one', 'two'].map((message) => ({ ...failure, requirement, message })),
    );
    const checks = [{ ...check, failures }, ...others];
    const whole = toHtml({ ...report(), requirements, checks, rules: [] }, history());
    const html = whole.slice(whole.indexOf('id="findings"'));
    expect(all(html, /<article id="(finding-\d+)"/g)).toHaveLength(60);
    expect(all(html, /<table class="(lanes)"/g)).toHaveLength(40);
    expect(all(html, /(1 more finding) in report\.json/g)).toHaveLength(20);
  });

  it('shows no token, whatever the run still holds in memory', () => {
    const [first, ...others] = history().records;
    const leaking: Exchange = {
      ...(first as Exchange),
      request: {
        method: 'POST',
        path: '/api/v1/auth/token',
        headers: {},
        body: { api_key: 'opaque-key-1' },
      },
      response: { status: 200, headers: {}, body: { token: 'opaque-token-2' } },
    };
    const records = [leaking, ...others];
    for (const text of [
      toHtml(report(), { records }),
      toText(report(), { records }, { colour: 'plain' }),
    ]) {
      expect(text).toContain('/auth/token');
      expect(text).not.toMatch(/opaque-/);
    }
  });
});

describe('the page of scenarios', () => {
  const [first, second] = all(played, /(<details class="card scenario[\s\S]*?<\/details>)/g);

  it('begins with the one that failed, open, and keeps the others folded', () => {
    expect(first).toMatch(/^<details class="card scenario fail"[^>]* open>/);
    expect(first).toContain(broken);
    expect(first).toContain(
      `assay play ${broken}.yaml --target acme.yaml --seed 0x0000000000000007`,
    );
    expect(second).toMatch(/^<details class="card scenario pass"[^>]*(?<! open)>/);
  });

  it('draws a lane for each party, with requests, answers, events, waits and what failed', () => {
    expect(all(first ?? '', /<th scope="col">([^<]*)/g)).toEqual(['Time', 'sender', 'maker_a']);
    expect(first).toContain(
      '<td data-party="sender"><div class="mark call flagged"><span>accept quote</span> <span class="answer refused">409 wrong</span>',
    );
    expect(first).toMatch(/<div class="mark event"><span>quote_request_new/);
    expect(first).toMatch(/<tr class="pause">.*6 s pass/);
    expect(first).toMatch(
      /<tr class="failed">[\s\S]*it did not succeed[\s\S]*expected <code>any 2xx/,
    );
    expect(second).toContain('1 heartbeat not drawn');
  });

  it('calls no failure none because it verifies no requirement', () => {
    expect(played).toContain('<b>1</b> fail');
    const { scenarios: _, ...unplayed } = playedReport();
    expect(toHtml(unplayed, playedHistory())).toMatch(
      /<article class="card fail"[\s\S]*flows\/broken/,
    );
  });
});
