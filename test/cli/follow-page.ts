import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { runHere, wordsOf } from './command-here.ts';
import { type Block, blocksOf, type Command } from './followed-page.ts';
import { read, workDirectory } from './shipped-command.ts';

/** One action of a reader and its result: the name of a file, or an exit code. */
interface Step {
  readonly does: string;
  readonly ends: string;
  readonly step: () => Promise<string>;
}

/** Replaces the id of the cause in an example by the id in the report, as a reader would. */
function withOwnCause(text: string, directory: string): string {
  if (!text.includes('cause: ')) return text;
  const report = JSON.parse(read(directory, 'reports', 'report.json')) as RunReport;
  const [cause] = (report.causes ?? []).filter(({ outcome }) => outcome === 'fail');
  return text.replace(/cause: \S+/, `cause: ${cause?.id ?? 'none'}`);
}

/** Runs a line; returns its exit code, with the output if that is another one. */
async function followed({ line, code }: Command, cwd: string): Promise<string> {
  const [npx, name, ...args] = wordsOf(line, cwd);
  if (npx !== 'npx' || name !== 'assay') return 'no command of assay';
  const ended = await runHere(args, cwd);
  return ended.code === code ? `${code}` : `${ended.code}\n${ended.out}${ended.err}`;
}

/**
 * Follows the blocks of a page in order: writes files, runs commands, compares exit codes.
 * @param name without the suffix
 */
export function followPage(name: string): void {
  describe(`docs/${name}.md`, () => {
    const work = workDirectory();
    afterAll(work.remove);
    beforeAll(() => {
      // A file that is there in every project, and no report.
      writeFileSync(join(work.path, 'package.json'), '{}');
    });
    const blocks = blocksOf(name);
    const steps = blocks.flatMap((block): readonly Step[] =>
      block.kind === 'file'
        ? [
            {
              does: `writes ${block.name}`,
              ends: block.name,
              step: () => Promise.resolve(write(block)),
            },
          ]
        : block.commands.map((command) => ({
            does: command.line,
            ends: String(command.code),
            step: () => followed(command, work.path),
          })),
    );
    function write({ name: file, text }: Extract<Block, { readonly kind: 'file' }>): string {
      writeFileSync(join(work.path, file), withOwnCause(text, work.path));
      return file;
    }

    it('shows commands', () => expect(steps.length).toBeGreaterThan(2));
    it.each(steps)(
      '$does ends with $ends',
      async ({ step, ends }) => expect(await step()).toBe(ends),
      120_000,
    );
  });
}
