import { expect, it } from 'vitest';
import type { EventStream, Party } from '../../src/client/contract.ts';
import { played, scenario } from './played.ts';

/** The party of a target that ends each stream this long after it was opened, and sends nothing more on it. */
const endingAfter =
  (ms: number) =>
  (party: Party, now: () => number): Party =>
    new Proxy(party, {
      get(of, name) {
        if (name !== 'listen') return Reflect.get(of, name) as unknown;
        return async (options: Parameters<Party['listen']>[0]) => {
          const stream = await of.listen(options);
          const at = now() + ms;
          const isOver = (): boolean => now() >= at;
          const isSent = ({ received }: { readonly received: number }): boolean => received < at;
          const find: EventStream['find'] = (match, until) =>
            stream.find((frame) => isSent(frame) && match(frame), Math.min(until, at));
          const base = { kind: 'end', stream: stream.opened.id, by: '', party: of.name } as const;
          return new Proxy(stream, {
            get(opened, key) {
              if (key === 'isOpen') return opened.isOpen && !isOver();
              if (key === 'ended') return isOver() ? { ...base, at, cause: 'target' } : undefined;
              if (key === 'frames') return opened.frames.filter(isSent);
              if (key === 'find') return find;
              return Reflect.get(opened, key) as unknown;
            },
          });
        };
      },
    });

const beats = scenario(`  - wait: 2h
  - expect: maker_a sees
    count: { heartbeat: 240 }
`);

it('proves nothing if the stream ended when its token expired', async () => {
  const { verdict, reason } = await played(beats, { through: endingAfter(3_600_000) });
  expect([verdict, reason]).toEqual([
    'inconclusive',
    'the target ended the stream of maker_a when its token expired; resume it',
  ]);
});

it('proves nothing if another stream was opened before it ended', async () => {
  const flow = scenario(`  - maker_a: open stream
    save: other
  - wait: 2m
  - expect: maker_a sees
    count: { heartbeat: 4 }
`);
  const { verdict, reason } = await played(flow, { through: endingAfter(60_000) });
  expect(verdict).toBe('inconclusive');
  expect(reason).toContain('when another one was opened (gap stream.per_party)');
});

it('says when the stream ended otherwise', async () => {
  const { verdict, failures } = await played(beats, { through: endingAfter(60_000) });
  expect(verdict).toBe('fail');
  expect(failures[0]?.notes).toEqual([
    'maker_a saw no event at all; the target ended the stream at +60000 ms',
  ]);
});

it('may end otherwise when a step asks for the end', async () => {
  const ended = scenario('  - wait: 2m\n  - expect: maker_a sees\n    stream: ended\n');
  expect((await played(ended, { through: endingAfter(60_000) })).verdict).toBe('pass');
});
