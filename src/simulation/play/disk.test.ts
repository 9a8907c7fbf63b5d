import { describe, expect, it } from 'vitest';
import { createWriter, type JournalOwner, readJournal } from '../../reference/journal/index.ts';
import { referenceHead } from '../../target/embedded/create-reference.ts';
import { Disk } from './disk.ts';

const owner: JournalOwner = { seal: () => ({ keep: () => undefined }), rollBack: () => undefined };
const head = referenceHead({ seed: 1n, clock: 'virtual', startedAt: 0 });

/** A life that writes when the clock was moved; tells what became of each. */
function life(disk: Disk) {
  const journal = disk.open(0);
  if (!journal) throw new Error('there is no room');
  const writer = createWriter(journal, owner);
  const outcomes: string[] = [];
  const write = (at: number): void => {
    writer.append({ kind: 'clock', at });
    writer.after((outcome) => outcomes.push(outcome));
    writer.commit();
  };
  const kept = (): unknown[] => {
    const read = readJournal(journal.store);
    return read.kind === 'read' ? read.contents.records.map(({ record }) => record.at) : [];
  };
  return { write, outcomes, kept, epoch: journal.epoch };
}

describe('the disk of a target', () => {
  it.each([
    [0, 4],
    [1, 3],
    [100_000, 3],
  ])('holds the rest of a write that lost %i bytes, without an error', (lost, left) => {
    const disk = new Disk(head);
    const first = life(disk);
    first.write(1);
    disk.strikeInWrite(() => disk.cutOff(lost));
    first.write(2);
    expect(first.outcomes).toEqual(['kept']);
    const second = life(disk);
    expect(second.epoch).toBe(2);
    expect(second.kept()).toHaveLength(left);
  });

  it('refuses writes, the first one of a file included, until there is room', () => {
    const disk = new Disk(head);
    const first = life(disk);
    disk.fill();
    first.write(1);
    disk.fill();
    disk.makeRoom();
    first.write(2);
    disk.cutOff(0);
    expect(disk.open(3)).toBeUndefined();
    disk.makeRoom();
    expect(first.outcomes).toEqual(['lost', 'lost']);
    expect(disk.open(3)?.epoch).toBe(2);
  });
});
