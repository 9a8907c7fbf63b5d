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

/** Runs a line as a shell reads it; answers with its exit code, and with all that it said where that is another. */
function followed({ line, code }: Command, cwd: string): string {
  const [, words] = /^npx assay (.*)$/.exec(line) ?? [];
  if (words === undefined) return 'no command of assay';
  const command = `"${process.execPath}" "${bin}" ${words}`;
  const env = { PATH: process.env['PATH'] };
  const ended = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', env });
  const said = ended.status === code ? '' : `\n${ended.stdout}${ended.stderr}`;
  return `${ended.status}${said}`;
}

describe.each(pages)('docs/%s.md', (name) => {
  const work = workDirectory();
  afterAll(work.remove);
  beforeAll(() => {
    if (!isBuilt) throw new Error('run `npm run build` first');
    // A file that is there in every project, and no report.
    writeFileSync(join(work.path, 'package.json'), '{}');
  });
  const blocks = blocksOf(readFileSync(join(root, 'docs', `${name}.md`), 'utf8'));
  const steps = blocks.flatMap((block) =>
    block.kind === 'file'
      ? [{ does: `writes ${block.name}`, ends: block.name, step: () => write(block) }]
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
  it.each(steps)('$does ends with $ends', ({ step, ends }) => expect(step()).toBe(ends), 120_000);
});
