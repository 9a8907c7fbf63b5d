import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { type Block, blocksOf, followed } from './followed-page.ts';
import { isBuilt, read, workDirectory } from './shipped-command.ts';

/** Pages whose blocks are followed from top to bottom: files are written, commands run, their exit codes compared. */
const pages = ['verdicts', 'waivers', 'baselines', 'ci'] as const;

/** What a reader does with an example: puts in the id that the report names. */
function withOwnCause(text: string, directory: string): string {
  if (!text.includes('cause: ')) return text;
  const report = JSON.parse(read(directory, 'reports', 'report.json')) as RunReport;
  const [cause] = (report.causes ?? []).filter(({ outcome }) => outcome === 'fail');
  return text.replace(/cause: \S+/, `cause: ${cause?.id ?? 'none'}`);
}

describe.each(pages)('docs/%s.md', (name) => {
  const work = workDirectory();
  afterAll(work.remove);
  beforeAll(() => {
    if (!isBuilt) throw new Error('run `npm run build` first');
    // A file that is there in every project, and no report.
    writeFileSync(join(work.path, 'package.json'), '{}');
  });
  const blocks = blocksOf(name);
  const steps = blocks.flatMap((block) =>
    block.kind === 'file'
      ? [{ does: `writes ${block.name}`, ends: block.name, step: () => write(block) }]
      : block.commands.map((command) => ({
          does: command.line,
          ends: String(command.code),
          step: () => followed(command, { cwd: work.path }),
        })),
  );
  function write({ name: file, text }: Extract<Block, { readonly kind: 'file' }>): string {
    writeFileSync(join(work.path, file), withOwnCause(text, work.path));
    return file;
  }

  it('shows commands', () => expect(steps.length).toBeGreaterThan(2));
  it.each(steps)('$does ends with $ends', ({ step, ends }) => expect(step()).toBe(ends), 120_000);
});
