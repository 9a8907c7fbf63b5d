import { describe, expect, it } from 'vitest';
import { masked } from './mask.ts';

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('what a report shows', () => {
  it('holds no token, wherever it stands', () => {
    expect(masked({ data: [{ token: jwt, note: `got ${jwt}!` }], [jwt]: 1 })).toEqual({
      data: [{ token: '$TOKEN', note: 'got $TOKEN!' }],
      $TOKEN: 1,
    });
    expect(masked('Bearer c2VjcmV0LXNlY3JldA==')).toBe('Bearer $TOKEN');
  });

  it('keeps everything else, and ends at any depth', () => {
    expect(masked({ a: null, b: 1.5, c: '1.10', d: ['x'] })).toEqual({
      a: null,
      b: 1.5,
      c: '1.10',
      d: ['x'],
    });
    let deep: unknown = 1;
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    expect(JSON.stringify(masked(deep)).length).toBeLessThan(200);
  });
});
