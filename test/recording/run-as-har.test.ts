import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHistory, writeHistory } from '../../src/history/jsonl.ts';
import { createSecrets } from '../../src/history/secrets/secrets.ts';
import { harOf, readRecordings } from '../../src/recording/index.ts';
import { runHere } from '../cli/command-here.ts';
import { fullTrade } from '../support/oracle/findings-and-edits.ts';
import { report } from '../support/report/check-run.ts';

const secrets = createSecrets();
const written = writeHistory(fullTrade().records, secrets);
const reading = readHistory(written);
const records = reading.ok ? reading.records : [];
const har = [...harOf(records, report())].map((piece) => new TextDecoder().decode(piece)).join('');

function recordingOf(text: string) {
  const result = readRecordings([{ name: 'run.har', text }], []);
  const [recording] = result.ok ? result.recordings : [];
  if (!recording) throw new Error('it is not read');
  return recording;
}

test('a history written as HAR is read back as it was, with the report of its run', () => {
  const recording = recordingOf(har);
  expect(records.length).toBeGreaterThan(50);
  expect(writeHistory(recording.records, secrets)).toBe(written);
  expect(recording.report).toEqual(JSON.parse(JSON.stringify(report())));
  expect(recording.limits).toEqual([]);
  expect(recording.recorded).toBeUndefined();
});

test('any reader of HAR finds the members of version 1.2, and the messages of streams', () => {
  const { log } = JSON.parse(har) as { readonly log: { readonly entries: readonly object[] } };
  expect(log).toMatchObject({
    version: '1.2',
    creator: { name: 'assay', version: report().suite.version },
  });
  for (const entry of log.entries) {
    expect(entry).toMatchObject({
      startedDateTime: expect.stringMatching(/Z$/),
      time: expect.any(Number),
      request: {
        url: expect.stringMatching(/^http/),
        headers: expect.any(Array),
        cookies: [],
        queryString: expect.any(Array),
      },
      response: { status: expect.any(Number), content: { mimeType: expect.any(String) } },
      cache: {},
      timings: { send: 0, wait: expect.any(Number), receive: expect.any(Number) },
    });
  }
  expect(log.entries).toContainEqual(
    expect.objectContaining({
      _resourceType: 'eventsource',
      _eventSourceMessages: expect.arrayContaining([
        expect.objectContaining({
          eventName: 'quote_received',
          data: expect.stringContaining('{'),
        }),
      ]),
    }),
  );
});

test('a changed entry is left out, and a cut file is read up to the cut', () => {
  const changed = recordingOf(har.replace('"auth":"own"', '"auth":7'));
  expect(changed.records.length).toBeLessThan(records.length);
  expect(changed.limits[0]).toMatch(/^log\.entries\[\d+\] cannot be read, and was left out/);
  const cut = recordingOf(har.slice(0, har.length * 0.7));
  expect(cut.records.length).toBeLessThan(records.length);
});

test('a HAR that another tool rewrote is read as any other HAR', () => {
  const other = recordingOf(har.replace('"name":"assay"', '"name":"another"'));
  expect(other.report).toBeUndefined();
  expect(other.recorded).toBeDefined();
});

test('a report without its history is no HAR', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-har-'));
  writeFileSync(join(directory, 'report.json'), JSON.stringify(report()));
  const { code, err } = await runHere(['report', 'report.json', '--har', 'run.har'], directory);
  expect(code).toBe(2);
  expect(err).toContain('--har run.har: there is no history.jsonl beside report.json');
});
