import { describe, expect, it } from 'vitest';
import { framesOf, lineOf } from './framing.ts';

const bytesOf = (...texts: readonly string[]): Buffer => Buffer.from(texts.map(lineOf).join(''));

describe('records as lines', () => {
  it('are read as they were written, whatever is in them', () => {
    const texts = ['{}', '"é€😀\\ud800"', '"\\n"', ''];
    const { frames, ending, length } = framesOf(bytesOf(...texts));
    expect(frames.map(({ text }) => text)).toEqual(texts);
    expect([ending.kind, length]).toEqual(['whole', bytesOf(...texts).length]);
  });

  it('are the same bytes for ever', () => {
    // If this changes, no journal can be read any more.
    expect(lineOf('{"a":1}')).toBe('00000007 561bacaf 6ee637a9 {"a":1}\n');
  });

  it('are torn if the bytes end too early, at any point', () => {
    const first = bytesOf('"one"').length;
    const bytes = bytesOf('"one"', '"two"');
    for (let length = first + 1; length < bytes.length; length += 1) {
      const read = framesOf(bytes.subarray(0, length));
      expect(read).toMatchObject({ length: first, ending: { kind: 'torn', offset: first } });
    }
  });

  it('are damaged if a length was changed, even to one beyond the end of the file', () => {
    const bytes = bytesOf('"one"');
    bytes.write('0000ffff');
    expect(framesOf(bytes).ending).toMatchObject({ kind: 'damaged', offset: 0 });
  });
});
