import { describe, expect, it } from 'vitest';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

interface Line {
  readonly event: string;
  readonly [key: string]: unknown;
}

const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const work = testDirectory();

const only = ['--only', 'order.cancel.p*', '--mutation', 'winner-told-that-it-lost'] as const;

describe('assay check --events', () => {
  it('writes each check, each failure and the end, in order', async () => {
    const args = ['check', '--only', 'order.life.no-memo', '--mutation', only[3]];
    const { code, out } = await runHere([...args, '--events', 'x/events.ndjson'], work);
    const lines = linesOf(read(work, 'x', 'events.ndjson'));
    expect([code, out.includes('outcome')]).toEqual([1, true]);
    expect(lines.map(({ event }) => event)).toEqual([
      'run_started',
      'stage',
      'stage',
      'stage',
      'planned',
      'check_started',
      'check_finished',
      'cause',
      'run_finished',
    ]);
    expect(lines[0]).toMatchObject({ format: 'assay.events/1', seed: '0x0000000000000001' });
    expect(lines[6]).toMatchObject({ check: 'order.life.no-memo', finished: 1, planned: 1 });
    expect(lines.at(-2)).toMatchObject({ outcome: 'fail' });
    expect(lines.at(-1)).toMatchObject({ outcome: 'nonconformant', exit_code: 1 });
  });

  it('writes only events to standard output if they go there', async () => {
    const { out, err } = await runHere(['check', ...only, '--events', '-'], work);
    const lines = linesOf(out);
    const started = lines.filter(({ event }) => event === 'check_started');
    expect(lines.filter(({ event }) => event === 'check_finished')).toHaveLength(started.length);
    expect(started.length).toBeGreaterThan(2);
    expect(lines.at(-1)?.event).toBe('run_finished');
    expect(err).toContain('outcome');
  });

  it('is refused where nothing can be written', async () => {
    const { code, err } = await runHere(['check', '--events', '/dev/null/x'], work);
    expect(code).toBe(2);
    expect(err).toContain('--events /dev/null/x');
  });
});
