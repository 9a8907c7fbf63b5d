import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/source.ts';
import { runHere } from './command-here.ts';
import { testDirectory } from '../support/test-directory.ts';

const page = readFileSync(join(root, 'README.md'), 'utf8');
const [, command = '', code = '', shown = ''] =
  /```sh\nnpx assay (.+?) +# exits with (\d)\n```\n\n```text\n([\s\S]*?)```/.exec(page) ?? [];

/** Pieces of what is shown, between lines of dots. */
const pieces = shown.split(/^\.\.\.\n/m);

describe('README.md', () => {
  const work = testDirectory();

  it('shows what a run prints', async () => {
    const ended = await runHere(command.split(' '), work);
    expect(String(ended.code)).toBe(code);
    expect(pieces.length).toBeGreaterThan(2);
    let rest = ended.out;
    for (const piece of pieces) {
      expect(rest).toContain(piece);
      rest = rest.slice(rest.indexOf(piece) + piece.length);
    }
  });

  it('keeps the two commands', () => {
    expect(page).toMatch(/^npm ci && npm start /m);
    expect(page).toMatch(/^npm cit /m);
  });
});
