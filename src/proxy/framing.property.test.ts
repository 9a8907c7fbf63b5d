import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyEndOf, createFraming, noBody } from './framing.ts';

const requests = [
  'GET /a HTTP/1.1\r\nhost: b\r\n\r\n',
  'POST /b HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello',
  'POST /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\nA\r\n0123456789\r\n0\r\nsum: 1\r\n\r\n',
  '\r\nPOST /d HTTP/1.1\nContent-Length: 0\n\n',
] as const;
const bodies = ['', 'hello', 'abc0123456789', ''];

it('tells messages apart wherever they are cut, and passes every byte in its order', () => {
  const someRequests = fc.array(fc.nat({ max: requests.length - 1 }), {
    minLength: 1,
    maxLength: 6,
  });
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 20 });
  fc.assert(
    fc.property(someRequests, cuts, (chosen, places) => {
      const text = chosen.map((index) => requests[index]).join('');
      let passed = '';
      const seen: { line: string; body: string; isOver: boolean }[] = [];
      const framing = createFraming({
        head({ firstLine, headers, bytes }) {
          passed += bytes.toString('latin1');
          seen.push({ line: firstLine, body: '', isOver: false });
          return bodyEndOf(headers) ?? noBody;
        },
        passed: (bytes) => void (passed += bytes.toString('latin1')),
        body(bytes) {
          const last = seen.at(-1);
          if (last) last.body += bytes.toString('latin1');
        },
        end() {
          const last = seen.at(-1);
          if (last) last.isOver = true;
        },
      });
      const ends = [...new Set(places.map((place) => place % text.length))].toSorted(
        (a, b) => a - b,
      );
      for (const [index, from] of [0, ...ends].entries()) {
        framing.feed(Buffer.from(text.slice(from, ends[index] ?? text.length), 'latin1'));
      }
      expect(passed).toBe(text);
      expect(seen).toEqual(
        chosen.map((index) => ({
          line: requests[index]?.trimStart().split(/\r?\n/, 1)[0],
          body: bodies[index],
          isOver: true,
        })),
      );
    }),
  );
});

it.each([
  ['a head that does not end', `GET / HTTP/1.1\r\n${'x: y\r\n'.repeat(60_000)}`],
  ['a head without a colon', 'GET / HTTP/1.1\r\nwhat\r\n\r\nmore'],
  ['a chunk without a size', 'POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nmore'],
  ['another protocol', '\u0016\u0003\u0001'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('passes %s, and says that it cannot read it', (_, text) => {
  let passed = '';
  const reasons: string[] = [];
  const framing = createFraming({
    head({ headers, bytes }) {
      passed += bytes.toString('latin1');
      return bodyEndOf(headers) ?? noBody;
    },
    passed: (bytes) => void (passed += bytes.toString('latin1')),
    broken: (reason) => void reasons.push(reason),
  });
  framing.feed(Buffer.from(text, 'latin1'));
  expect([passed === text, reasons.length]).toEqual([true, 1]);
});
