import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Exchange } from '../history/records.ts';
import { createSecrets } from '../history/secrets/secrets.ts';
import { exchange } from '../../test/support/records.ts';
import { historyDraft, isPartialHistory } from './history-draft.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const secret = 'Zq81-said-before-it-is-known';
const answered = (id: string, body: unknown): Exchange =>
  exchange({ id, endpoint: 'identity.read', response: { status: 200, headers: {}, body } });

const partial = (): string => {
  const name = readdirSync(directory).find(isPartialHistory);
  return name === undefined ? '' : join(directory, name);
};

const telling = [
  answered('sender#1', { note: `é ${secret}` }),
  answered('sender#2', { [secret]: 1 }),
];
const naming = answered('sender#3', { sessionToken: secret });

it('what a later record tells to be secret is hidden in the lines before it, while the run goes on and at its end', () => {
  const draft = historyDraft(directory, createSecrets());
  draft.add(telling);
  expect(readFileSync(partial(), 'utf8')).toContain(secret);
  draft.add([naming]);
  const lines = readFileSync(partial(), 'utf8');
  expect(lines).not.toContain(secret);
  expect(lines).toMatch(/é \*{3}1"/);
  draft.keep();
  expect(readdirSync(directory)).toEqual(['history.jsonl']);
  expect(readFileSync(join(directory, 'history.jsonl'), 'utf8')).toBe(lines);
  draft.drop();
  expect(readdirSync(directory)).toEqual(['history.jsonl']);
});

it('a secret that becomes known outside the records is hidden at the end', () => {
  const secrets = createSecrets();
  const draft = historyDraft(directory, secrets);
  draft.add(telling);
  secrets.add(secret);
  draft.keep();
  expect(readFileSync(join(directory, 'history.jsonl'), 'utf8')).not.toContain(secret);
});

it('a secret named in one record of a batch is hidden in the whole batch', () => {
  const draft = historyDraft(directory, createSecrets());
  draft.add([...telling, naming]);
  expect(readFileSync(partial(), 'utf8')).not.toContain(secret);
});

it('only its owner can read a draft until it is kept', () => {
  const draft = historyDraft(directory, createSecrets());
  expect(statSync(partial()).mode & 0o777).toBe(0o600);
  draft.add([...telling, naming]);
  expect(statSync(partial()).mode & 0o777).toBe(0o600);
  draft.keep();
  expect(statSync(join(directory, 'history.jsonl')).mode & 0o044).toBe(0o044);
});
