import { createSecrets } from '../history/secrets/secrets.ts';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeAll, writeConfiguration, writeInTurn } from './files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'assay-files-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('writes texts whole and in pieces, and leaves no drafts', () => {
  writeAll(createSecrets(), directory, [
    ['one', 'whole'],
    ['two', [bytes('in '), bytes('pieces')]],
  ]);
  expect(readdirSync(directory).toSorted()).toEqual(['one', 'two']);
  expect(readFileSync(join(directory, 'two'), 'utf8')).toBe('in pieces');
});

it('leaves what was there, and no drafts, where a text breaks while it is written', () => {
  writeFileSync(join(directory, 'one'), 'before');
  function* broken(): Generator<Uint8Array<ArrayBuffer>> {
    yield bytes('half');
    throw new Error('no more');
  }
  const write = () =>
    writeAll(createSecrets(), directory, [
      ['one', 'after'],
      ['two', broken()],
    ]);
  expect(write).toThrow('no more');
  expect(readdirSync(directory)).toEqual(['one']);
  expect(readFileSync(join(directory, 'one'), 'utf8')).toBe('before');
});

it('waits for a text that needs those before it', async () => {
  const written: string[] = [];
  function* first(): Generator<Uint8Array<ArrayBuffer>> {
    written.push('first');
    yield bytes('one');
  }
  await writeInTurn(createSecrets(), directory, [
    ['one', first()],
    ['two', () => Promise.resolve(`after ${written.join()}`)],
  ]);
  expect(readFileSync(join(directory, 'two'), 'utf8')).toBe('after first');
  expect(readdirSync(directory).toSorted()).toEqual(['one', 'two']);
});

it('leaves what was there, and no drafts, where a text that it waits for never comes', async () => {
  writeFileSync(join(directory, 'one'), 'before');
  const writing = writeInTurn(createSecrets(), directory, [
    ['one', 'after'],
    ['two', () => Promise.reject(new Error('no more'))],
  ]);
  await expect(writing).rejects.toThrow('no more');
  expect(readdirSync(directory)).toEqual(['one']);
  expect(readFileSync(join(directory, 'one'), 'utf8')).toBe('before');
});

it('leaves no drafts where a file cannot take its place', () => {
  mkdirSync(join(directory, 'two'));
  const write = () =>
    writeAll(createSecrets(), directory, [
      ['one', 'text'],
      ['two', 'text'],
    ]);
  expect(write).toThrow();
  expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

it('what a person configures is for its owner alone if it holds a secret, and keeps its mode otherwise', () => {
  const secrets = createSecrets();
  secrets.add('a-token-of-the-user');
  const modeOf = (name: string, text: string): string => {
    writeConfiguration(secrets, join(directory, name), text);
    return (statSync(join(directory, name)).mode & 0o777).toString(8);
  };
  expect(modeOf('named.yaml', 'token: a-token-of-the-user')).toBe('600');
  expect(modeOf('in-address.yaml', 'base_url: "http://me:hunter22@127.0.0.1"')).toBe('600');
  expect(modeOf('encoded.yaml', `x: ${btoa('a-token-of-the-user')}`)).toBe('600');
  expect(modeOf('open.yaml', 'token: { env: TOKEN }')).toBe('644');
  writeFileSync(join(directory, 'own.yaml'), '', { mode: 0o600 });
  expect(modeOf('own.yaml', 'token: { env: TOKEN }')).toBe('600');
  expect(modeOf('open.yaml', 'token: a-token-of-the-user')).toBe('600');
});
