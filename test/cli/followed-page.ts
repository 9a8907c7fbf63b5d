import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../architecture/source.ts';

export interface Command {
  readonly line: string;
  readonly code: number;
}

export type Block =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly commands: readonly Command[] };

const commandOf = (written: string): Command => {
  const [, line = written, code = '0'] = /^(.*?)\s+# exits with (\d)$/.exec(written) ?? [];
  return { line, code: Number(code) };
};

/** The commands and files that a page of docs/ shows, from top to bottom. */
export function blocksOf(page: string): readonly Block[] {
  const markdown = readFileSync(join(root, 'docs', `${page}.md`), 'utf8');
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

export interface Place {
  readonly cwd: string;
  /** Path that replaces `npx assay`; the shipped command by default. */
  readonly bin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a line in a shell; returns its exit code, with the output if that is another one. */
export function followed(
  { line, code }: Command,
  { cwd, bin = join(root, 'bin/assay.js'), env }: Place,
): string {
  const [, words] = /^npx assay (.*)$/.exec(line) ?? [];
  if (words === undefined) return 'no command of assay';
  const command = `"${process.execPath}" "${bin}" ${words}`;
  const ended = spawnSync('sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  const said = ended.status === code ? '' : `\n${ended.stdout}${ended.stderr}`;
  return `${ended.status}${said}`;
}
