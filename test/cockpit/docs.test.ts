import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { ExitCode } from '../../src/cli/terminal.ts';
import { type Block, blocksOf } from '../cli/followed-page.ts';
import { workDirectory } from '../cli/shipped-command.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';

interface Background {
  /** What it said by the time it was ready: the addresses it printed. */
  readonly ready: Promise<string>;
  readonly ended: Promise<ExitCode>;
  stop(): void;
}

/** Runs a command here; it is ready once it has said its last word before it waits. */
function begin(words: readonly string[], cwd: string): Background {
  const said: string[] = [];
  let stop = (): void => undefined;
  let isReady: (said: string) => void = () => undefined;
  const ready = new Promise<string>((resolve) => (isReady = resolve));
  const say = (text: string): void => void said.push(text);
  const ended = runProgram(words, {
    ...recordingTerminal(cwd),
    out: say,
    err: say,
    onStop(callback) {
      stop = callback;
      isReady(said.join('\n'));
      return () => undefined;
    },
  });
  void ended.then(() => isReady(said.join('\n')));
  return { ready, ended, stop: () => stop() };
}

interface Step {
  readonly does: string;
  readonly ends: string;
  readonly block?: Extract<Block, { readonly kind: 'file' }>;
}

/** The commands of docs/cockpit.md from top to bottom; those in the background go on until the end. */
describe('docs/cockpit.md', () => {
  const work = workDirectory();
  const running: Background[] = [];
  afterAll(async () => {
    for (const one of running.toReversed()) {
      one.stop();
      await one.ended;
    }
    work.remove();
  });

  async function follow(line: string): Promise<string> {
    const [, words = '', inBackground] = /^npx assay (.*?)( &)?$/.exec(line) ?? [];
    const one = begin(words.split(/\s+/), work.path);
    if (!inBackground) return String(await one.ended);
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

  it.each(steps)(
    '$does: $ends',
    async ({ does, ends, block }) => {
      if (block) writeFileSync(join(work.path, block.name), block.text);
      expect(block ? block.name : await follow(does)).toBe(ends);
    },
    120_000,
  );
});
