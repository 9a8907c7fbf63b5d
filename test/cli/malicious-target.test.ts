import { logCommand } from '../support/any-character.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateStrict } from 'ctrf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { root } from '../architecture/source.ts';
import { afterPreflight, changedText, isStream } from '../hostile/behaviours/building-blocks.ts';
import { type Behaviour, type HostileProxy, startHostileProxy } from '../hostile/proxy.ts';
import { type RunningBackend, startSmallBackend } from '../support/network/small-backend.ts';
import { controlCharacters, joinedLines } from '../support/report/control-characters.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

/** Markup, scripts, terminal escapes, Markdown, commands for shells and CI, and XML tricks. */
const harm = [
  '</script><script>window.harmed=1</script><img src=x onerror="window.harmed=1">',
  '\u001b[31m\u001b]0;harmed\u0007\u009b2J\u202e\u200f\u061c\u2028\u0000\uFFFE',
  ']]><![CDATA[<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>&e;&lt;-->',
  '[harm](javascript:harmed) ![harm](http://127.0.0.1/harm.png) **harm** `harm` | harm |</details>',
  '\n::error::harm\n##[group]harm\n##vso[task.complete]%0A::warning::harm',
  '\n# harm\n- [ ] harm\n$(touch harmed) `touch harmed`; "\'\\',
].join('');

/** Puts harmful text into every field except ids, states and times, which the run needs. */
function harmful(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => harmful(item, key));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, of]) => [name, harmful(of, name)] as const);
    return Object.fromEntries([...members, [`more${harm}`, harm]]);
  }
  const isNeeded = /^(intent_id|quote_id|status|.*_at|valid_until)$/.test(key);
  return typeof value === 'string' && !isNeeded ? `${value}${harm}` : value;
}

const frame = `event: order_updated${harm.replaceAll('\n', ' ')}\nid: ${harm.replaceAll('\n', ' ')}\ndata: ${JSON.stringify({ intent_id: harm, status: harm })}\n\n`;

const malicious: Behaviour = afterPreflight((visit) => {
  if (!isStream(visit)) {
    return changedText((text) => JSON.stringify(harmful(JSON.parse(text))))(visit);
  }
  visit.response.writeHead(200, { 'content-type': 'text/event-stream', 'x-harm': '<b>&"\'' });
  visit.response.write(frame);
  visit.every(500, () => visit.response.write(frame));
});

/** Plain text in Markdown: an escaped character, or text between two runs of backticks. */
const escapedOrCode = /\\[^\n]|(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g;

const anyXml = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg" type="xs:anyType"/>
</xs:schema>`;
const xmlProblems = async (contents: string, schema: string) =>
  (await validateXML({ xml: [{ fileName: 'it.xml', contents }], schema: [schema] })).errors;

const work = testDirectory();
let behind: RunningBackend;
let front: HostileProxy;
let said = '';
beforeAll(async () => {
  behind = await startSmallBackend();
  front = await startHostileProxy(behind.origin, malicious);
  const parties = ['sender=/bank-a', 'sender_custodian=/custodian-a', 'maker_a=/mm-1'].flatMap(
    (one) => ['--base-url', one.replace('=', `=${front.origin}`)],
  );
  const run = [
    'check',
    ...parties,
    '--only',
    'order.create.returns-pending',
    '--events',
    'events.ndjson',
  ];
  const { code, out, err } = await runHere(run, work);
  if (code !== 1) throw new Error(`the check ended with ${code}: ${err}`);
  said = out + err;
  const formats = 'ctrf,badge,markdown,html,junit,text,github';
  const made = ['report', 'reports/report.json', '--format', formats, '--out', 'made'];
  const again = await runHere(made, work);
  if (again.code !== 1) throw new Error(`the report ended with ${again.code}: ${again.err}`);
});
afterAll(async () => {
  await front?.close();
  await behind?.stop();
});
const written = (...path: readonly string[]): string => read(work, ...path);

describe('text of a malicious target', () => {
  it('is printed without control characters and CI commands', () => {
    expect(said).toContain('onerror=');
    for (const text of [said, written('made', 'report.txt')]) {
      expect(joinedLines(text)).not.toMatch(controlCharacters);
      expect(text).not.toMatch(logCommand);
    }
  });

  it('leaves JUnit and the badge valid', async () => {
    const schema = readFileSync(join(root, 'test/support/report/junit.xsd'), 'utf8');
    for (const file of [written('reports', 'junit.xml'), written('made', 'junit.xml')]) {
      expect(file).toContain('onerror=');
      expect(await xmlProblems(file, schema)).toEqual([]);
      expect(file).not.toMatch(logCommand);
    }
    expect(await xmlProblems(written('made', 'badge.svg'), anyXml)).toEqual([]);
  });

  it('leaves CTRF, the report, the events and the history readable', () => {
    expect(() => validateStrict(JSON.parse(written('made', 'ctrf.json')))).not.toThrow();
    expect(JSON.parse(written('reports', 'report.json'))).toMatchObject({
      outcome: 'nonconformant',
    });
    for (const name of ['events.ndjson', 'reports/history.jsonl']) {
      const lines = written(name).trimEnd().split('\n');
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    }
    expect(written('events.ndjson')).not.toMatch(logCommand);
    expect(joinedLines(written('events.ndjson'))).not.toMatch(controlCharacters);
  });

  it('is no markup, no link and no command in Markdown and annotations', () => {
    const markdown = written('reports', 'summary.md');
    expect(joinedLines(markdown)).not.toMatch(controlCharacters);
    expect(markdown).not.toMatch(logCommand);
    const markup = markdown.replace(escapedOrCode, '');
    expect(markup).not.toMatch(/[<[@]|\]\(/);
    const annotations = written('made', 'annotations.txt').trimEnd().split('\n');
    for (const line of annotations) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::[^\n]*$/);
      expect(line).not.toMatch(controlCharacters);
    }
  });

  it('adds no script and no image to the page', () => {
    for (const html of [written('reports', 'report.html'), written('made', 'report.html')]) {
      expect(html).not.toContain('<img');
      expect(html).not.toContain('<script>window');
      expect(html.match(/<\/script>/g)?.length).toBe(html.match(/<script[ >]/g)?.length);
    }
  });
});
