import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { beginHere, type Begun } from '../cli/command-here.ts';
import { type Block, blocksOf } from '../cli/followed-page.ts';
import { testDirectory } from '../support/test-directory.ts';

interface Step {
  readonly does: string;
  readonly ends: string;
  readonly block?: Extract<Block, { readonly kind: 'file' }>;
}

/** Runs the commands of docs/cockpit.md in order. Background commands run until the end. */
describe('docs/cockpit.md', () => {
  const work = testDirectory();
  const running: Begun[] = [];
  afterAll(async () => {
    for (const one of running.toReversed()) {
      one.stop();
      await one.ended;
    }
  });

  async function follow(line: string): Promise<string> {
    const [, words = '', inBackground] = /^npx assay (.*?)( &)?$/.exec(line) ?? [];
    const one = beginHere(words.split(/\s+/), work);
    if (!inBackground) return String((await one.ended).code);
    running.push(one);
    const said = await one.ready;
    const [, page] = /^cockpit: (\S+)$/m.exec(said) ?? [];
    if (page === undefined) return said.includes('/_sim/clock') ? 'serves' : said;
    const answer = await fetch(page);
    return answer.status === 200 && (await answer.text()).includes('Assay cockpit')
      ? 'serves'
      : `${answer.status}`;
  }

  const steps = blocksOf('cockpit').flatMap((block): readonly Step[] =>
    block.kind === 'file'
      ? [{ does: `writes ${block.name}`, ends: block.name, block }]
      : block.commands.map(({ line, code }) => ({
          does: line,
          ends: line.endsWith('&') ? 'serves' : String(code),
        })),
  );

  it.each(steps)('$does: $ends', async ({ does, ends, block }) => {
    if (block) writeFileSync(join(work, block.name), block.text);
    expect(block ? block.name : await follow(does)).toBe(ends);
  });
});
