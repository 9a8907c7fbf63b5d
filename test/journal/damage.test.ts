import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveState } from '../../src/reference/core/index.ts';
import { framesOf, lineOf } from '../../src/reference/journal/framing.ts';
import { readJournal, recover } from '../../src/reference/journal/index.ts';
import { bentJson } from '../hostile/bend-json.ts';
import { lifeOf, restarted } from './harness.ts';

type Files = ReadonlyMap<string, Uint8Array>;

const reading = (files: Files) => ({
  list: () => [...files.keys()],
  read: (name: string) => files.get(name) ?? new Uint8Array(),
});

const only = 'segment-00000001.log';

/** Offsets at which the records of a segment begin. */
function offsetsIn(bytes: Uint8Array): readonly number[] {
  const read = readJournal(reading(new Map([[only, bytes]])));
  if (read.kind !== 'read') throw new Error(JSON.stringify(read));
  return [0, ...read.contents.records.map(({ offset }) => offset)];
}

describe('one segment', () => {
  let bytes = new Uint8Array() as Uint8Array;
  /** Length of the file and state of the world after each answered command. */
  const answered: { readonly length: number; readonly state: string }[] = [];

  beforeAll(async () => {
    const life = lifeOf();
    const { server, store } = life;
    const note = (): void => {
      const state = JSON.stringify(saveState(server.world.state()));
      answered.push({ length: store.read(only).length, state });
    };
    note();
    for (let n = 0; n < 6; n += 1) {
      const id = await server.order();
      note();
      const quote = await server.quote('maker_a', id);
      note();
      if (n % 2 === 0) await server.accept(id, quote);
      else await server.call('sender', 'order.cancel', { params: { intent_id: id } });
      note();
    }
    bytes = store.read(only);
    await server.close();
  });

  it('cut anywhere, recovers exactly the commands that were answered by then', () => {
    const begin = answered[0]?.length ?? 0;
    fc.assert(
      fc.property(fc.integer({ min: begin, max: bytes.length }), (length) => {
        const recovery = recover(reading(new Map([[only, bytes.subarray(0, length)]])));
        if (!recovery?.ok) throw new Error(JSON.stringify(recovery));
        const { state, notices } = recovery.recovered;
        const expected = answered.findLast((one) => one.length <= length);
        expect(JSON.stringify(saveState(state))).toBe(expected?.state);
        expect(notices).toHaveLength(expected?.length === length ? 0 : 1);
      }),
      { numRuns: 300 },
    );
  });

  it('with any one bit changed is refused, with the offset of the record', () => {
    const offsets = offsetsIn(bytes);
    const heads = offsets.flatMap((offset) => Array.from({ length: 27 }, (_, at) => offset + at));
    const ends = [...offsets.slice(1), bytes.length].map((end) => end - 1);
    const texts = Array.from({ length: 200 }, (_, n) => Math.floor((n * bytes.length) / 200));
    for (const place of [...heads, ...ends, ...texts]) {
      const bit = 1 << (place % 8);
      const changed = Uint8Array.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ bit;
      const read = readJournal(reading(new Map([[only, changed]])));
      const offset = offsets.findLast((one) => one <= place);
      expect([place, read]).toMatchObject([
        place,
        { kind: 'damaged', damage: { file: only, offset } },
      ]);
    }
  });

  it('with zeros at its end, as a file system leaves them when the power goes, is cut there', () => {
    const longer = Buffer.concat([bytes, Buffer.alloc(5000)]);
    const recovery = recover(reading(new Map([[only, longer]])));
    expect(recovery?.ok && recovery.recovered.notices.join()).toContain(`at byte ${bytes.length}`);
  });

  it('written by a core that behaved differently is refused', () => {
    const text = Buffer.from(bytes).toString();
    const [begin = 0] = offsetsIn(bytes).slice(2);
    const line = text.slice(begin, text.indexOf('\n', begin) + 1);
    expect(line).toContain('"events":');
    const read = readJournal(reading(new Map([[only, bytes]])));
    if (read.kind !== 'read') throw new Error('it cannot be read');
    const records = read.contents.records.map((placed) =>
      placed.record.kind === 'command'
        ? { ...placed, record: { ...placed.record, events: placed.record.events + 1 } }
        : placed,
    );
    const life = () =>
      lifeOf({ journal: { read: { kind: 'read', contents: { ...read.contents, records } } } });
    expect(life).toThrow(/sent \d events when it was written, and sends \d now/);
  });
});

describe('several files', () => {
  const files = new Map<string, Uint8Array>();
  let names: readonly string[] = [];

  beforeAll(async () => {
    // A snapshot is begun and never ends, so that the segments before it stay.
    const life = lifeOf({ journal: { snapshotAfterBytes: 45_000 } });
    for (let n = 0; n < 40; n += 1) await life.server.order();
    const next = restarted(life, { journal: { snapshotAfterBytes: 45_000 } });
    for (let n = 0; n < 40; n += 1) await next.server.order();
    for (const [name, bytes] of next.store.kill()) files.set(name, bytes);
    next.server.world.close();
    names = [...files.keys()].toSorted();
  });

  const damageOf = (changed: Files) => {
    const read = readJournal(reading(changed));
    return read.kind === 'damaged' ? read.damage : read.kind;
  };

  it('are a snapshot and what follows it', () => {
    expect(names.join()).toMatch(/^segment-\d{8}.log,snapshot-\d{8}.log$/);
    expect(damageOf(files)).toBe('read');
  });

  it('of which one is missing are refused', () => {
    const [segment = '', snapshot = ''] = names;
    const without = (name: string): Files => new Map([...files].filter(([one]) => one !== name));
    expect(damageOf(without(segment))).toMatchObject({
      file: segment,
      reason: 'the file is missing',
    });
    expect(damageOf(without(snapshot))).toMatchObject({
      file: only,
      reason: 'the file is missing',
    });
  });

  it('of which the snapshot is changed or cut short are refused', () => {
    const [, snapshot = ''] = names;
    const bytes = files.get(snapshot) ?? new Uint8Array();
    const changed = Uint8Array.from(bytes);
    changed[bytes.length - 5] = 0x20;
    expect(damageOf(new Map([...files, [snapshot, changed]]))).toMatchObject({ file: snapshot });
    const short = bytes.subarray(0, bytes.length - 5);
    expect(damageOf(new Map([...files, [snapshot, short]]))).toMatchObject({
      file: snapshot,
      reason: 'the snapshot is not whole',
    });
  });

  it('left by a writer that was killed while it cleaned up are removed by the next', () => {
    const [segment = '', snapshot = ''] = names;
    const left = new Map([
      ...files,
      [only, new Uint8Array([1])],
      [`${snapshot}.draft`, new Uint8Array([2])],
      ['lost+found', new Uint8Array()],
    ]);
    const life = lifeOf({ store: { files: left } });
    expect(life.store.list().toSorted()).toEqual(['lost+found', segment, snapshot]);
    life.server.world.close();
  });
});

it('edited records with valid checksums are damage or are applied', async () => {
  const { server, store } = lifeOf();
  const id = await server.order();
  await server.accept(id, await server.quote('maker_a', id));
  const texts = framesOf(store.read(only)).frames.map(({ text }) => text);
  await server.close();
  const lines = texts.map(lineOf);
  const reasons = new Set<string | undefined>();
  for (const [line, text] of texts.entries()) {
    for (const [nth, { bent }] of [...bentJson(JSON.parse(text))].entries()) {
      // All of them take half a minute.
      if (nth % 25 > 0) continue;
      const file = lines.with(line, lineOf(JSON.stringify(bent))).join('');
      const recovery = recover(reading(new Map([[only, Buffer.from(file)]])));
      reasons.add(recovery?.ok === false ? recovery.damage.reason.split(':')[0] : undefined);
    }
  }
  expect(reasons).toContain('another version of assay wrote it, or somebody edited it');
  expect(reasons).toContain(undefined);
});
