import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/index.ts';
import { root } from '../architecture/source.ts';
import { isBuilt, read, workDirectory } from './shipped-command.ts';

/** Pages whose blocks are followed from top to bottom: files are written, commands run, their exit codes compared. */
const pages = ['verdicts', 'waivers', 'baselines', 'ci'] as const;

interface Command {
  readonly line: string;
  readonly code: number;
}

type Block =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly commands: readonly Command[] };

const commandOf = (written: string): Command => {
  const [, line = written, code = '0'] = /^(.*?)\s+# exits with (\d)$/.exec(written) ?? [];
  return { line, code: Number(code) };
};

function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(/^```(sh|yaml)\n([\s\S]*?)^```/gm)].map(
    ([, language, text = '']): Block => {
      if (language === 'yaml') {
        const [, name = ''] = /^# (\S+)\n/.exec(text) ?? [];
        return { kind: 'file', name, text };
      }
      const lines = text.split('\n').filter((line) => line !== '');
      return { kind: 'commands', commands: lines.map(commandOf) };
    },
  );
}

/** What a reader does with an example: puts in the id that the report names. */
function withOwnCause(text: string, directory: string): string {
  if (!text.includes('cause: ')) return text;
  const report = JSON.parse(read(directory, 'reports', 'report.json')) as RunReport;
  const [cause] = (report.causes ?? []).filter(({ outcome }) => outcome === 'fail');
  return text.replace(/cause: \S+/, `cause: ${cause?.id ?? 'none'}`);
}

const bin = join(root, 'bin/assay.js');

describe.each(pages)('docs/%s.md', (name) => {
  const work = workDirectory();
  afterAll(work.remove);
  beforeAll(() => {
    if (!isBuilt) throw new Error('run `npm run build` first');
    writeFileSync(join(work.path, 'package.json'), '{}');
  });
  const blocks = blocksOf(readFileSync(join(root, 'docs', `${name}.md`), 'utf8'));
  const steps = blocks.flatMap((block): readonly (readonly [string, () => void])[] =>
    block.kind === 'file'
      ? [
          [
            `the file ${block.name}`,
            () => {
              const text = withOwnCause(block.text, work.path);
              writeFileSync(join(work.path, block.name), text);
            },
          ],
        ]
      : block.commands.map(({ line, code }) => [
          `${line}, which exits with ${code}`,
          () => {
            const [, words = ''] = /^npx assay (.*)$/.exec(line) ?? [];
            const { status, stderr, stdout } = spawnSync(
              'sh',
              ['-c', `"${process.execPath}" "${bin}" ${words}`],
              { cwd: work.path, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
            );
            expect(words).not.toBe('');
            expect(`${status}\n${status === code ? '' : stdout + stderr}`).toBe(`${code}\n`);
          },
        ]),
  );

  it('shows commands', () => expect(steps.length).toBeGreaterThan(2));
  it.each(steps)('%s', (_, step) => step(), 120_000);
});
