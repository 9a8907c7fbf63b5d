import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tryDirectory } from '../../src/cli/files.ts';
import { runHere } from './command-here.ts';
import { bin, isBuilt } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const few = ['--only', 'health.*'];

describe('a place that cannot be written', () => {
  const work = testDirectory();
  beforeAll(() => {
    writeFileSync(join(work, 'file'), 'kept');
    writeFileSync(
      join(work, 'flow.yaml'),
      'scenario: x\nsteps:\n  - sender: who am I\n    expect: { role: institution }\n',
    );
    writeFileSync(join(work, 'history.jsonl'), '');
  });

  const places = {
    'a file': ['file', 'a file is in its place'],
    'below a file': ['file/deeper', 'a file is in its place'],
    // Nothing can be made there, not even by root.
    'a name that is too long': ['x'.repeat(256), 'its name is too long'],
    'a place of the system': ['/proc/nowhere', 'there is no such file'],
  } as const;
  const commands = {
    check: ['check', ...few],
    play: ['play', 'flow.yaml'],
    simulate: ['simulate', '--seeds', '1'],
  } as const;
  const cases = Object.entries(commands).flatMap(([command, words]) =>
    Object.entries(places).map(([place, told]) => [command, place, words, ...told] as const),
  );
  it.each(cases)('%s: %s is refused before the run', async (_, __, words, out, reason) => {
    const { code, err, out: said } = await runHere([...words, '--out', out], work);
    expect([code, err]).toEqual([
      2,
      `assay: --out ${out}: ${reason}\n  next: name a directory that can be written\n`,
    ]);
    expect(said).toBe('');
  });

  it('leaves no directory behind that was only tried', () => {
    tryDirectory(work, 'fresh/deeper');
    expect(existsSync(join(work, 'fresh'))).toBe(false);
  });
});

describe.runIf(existsSync('/dev/full'))('a disk that is full', () => {
  const work = testDirectory();

  it('that is to take events is noticed before the run', async () => {
    const { code, err } = await runHere(['check', ...few, '--events', '/dev/full'], work);
    expect([code, err]).toEqual([
      2,
      'assay: --events /dev/full: the disk is full\n  next: name a file that can be written, or - for standard output\n',
    ]);
  });
});

describe.runIf(isBuilt && existsSync('/dev/full'))('standard output', () => {
  /** The exit code of the shipped command, its standard output led elsewhere by a shell. */
  const codeOf = (words: string, to: string): string =>
    spawnSync('bash', ['-c', `"${process.execPath}" "${bin}" ${words} ${to}; echo $?`], {
      encoding: 'utf8',
    }).stdout.trim();

  it('on a full disk is no violation, and no success', () => {
    expect(codeOf('spec gaps', '> /dev/full')).toBe('3');
  });

  it('that is closed changes nothing', () => {
    const piped = '| head -c 1 > /dev/null; exit ${PIPESTATUS[0]}';
    const { status } = spawnSync('bash', [
      '-c',
      `"${process.execPath}" "${bin}" spec gaps ${piped}`,
    ]);
    expect(status).toBe(0);
  });
});
