import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/source.ts';
import { runHere } from '../cli/command-here.ts';
import { freePort, type ServedLife, serveLife } from './kills/served-life.ts';
import { testDirectory } from '../support/test-directory.ts';

/**
 * Runs the commands of docs/serving.md in order: a server that is killed, and readers of its
 * journal.
 */
describe('docs/serving.md', () => {
  const work = testDirectory();
  let life: ServedLife | undefined;
  afterAll(async () => {
    await life?.kill();
  });
  let port = 0;
  beforeAll(async () => {
    port = await freePort();
  });

  const page = readFileSync(join(root, 'docs/serving.md'), 'utf8');
  const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, text = '']) =>
    text.split('\n').filter((line) => line !== ''),
  );

  async function follow(line: string): Promise<string> {
    const [, command = line, code = '0'] = /^(.*?)\s+# exits with (\d)$/.exec(line) ?? [];
    if (command === 'kill -9 $!') {
      await life?.kill();
      return 'as said';
    }
    const [, words = '', background] = /^npx assay (.*?)( &)?$/.exec(command) ?? [];
    if (background) {
      life = serveLife({ cwd: work, port, words: words.split(' ').slice(1) });
      return (await life.ready) === 'listening' ? 'as said' : life.said();
    }
    const ended = await runHere(words.split(' '), work);
    return String(ended.code) === code ? 'as said' : `${ended.code}: ${ended.err}`;
  }

  it('shows commands', () => expect(lines.length).toBeGreaterThan(8));
  it.each(lines.map((line, at) => ({ line, at })))('$at: $line', async ({ line }) => {
    expect(await follow(line)).toBe('as said');
  });
});
