import { describe, expect, it } from 'vitest';
import { fakeTarget, startOfTime, runAsCheck } from '../engine/testing.ts';
import { awaitStatus, awaitNoEvent, type ReachedState } from './await-state-or-event.ts';
import { sideBySide } from '../../../test/support/side-by-side.ts';

const intentId = '00000000-0000-4000-8000-000000000001';
const order = { intentId };

/** The order's status as it is read, by time. */
const reads = (...steps: readonly (readonly [fromMs: number, status: string])[]) =>
  fakeTarget({
    answer: (_, now) => {
      const [, status] = steps.findLast(([from]) => now >= startOfTime + from) ?? [0, 'PENDING'];
      return { status: 200, body: { data: { intent_id: intentId, status } } };
    },
  });

const waitFor = async (
  target: ReturnType<typeof fakeTarget>,
  states: Parameters<typeof awaitStatus>[2],
  events: readonly (readonly [atMs: number, status: string])[] = [],
) => {
  let reached: ReachedState | undefined;
  await runAsCheck(target, async (t) => {
    const { timeline } = t.target;
    await sideBySide(timeline, {
      waits: async () => {
        reached = await awaitStatus(t, order, states, 60_000);
      },
      tells: async () => {
        for (const [atMs, status] of events) {
          await timeline.until(startOfTime + atMs);
          target.emit('sender', 'order_updated', { intent_id: intentId, status });
        }
      },
    });
  });
  return { reached, afterMs: target.timeline.now() - startOfTime };
};

describe('awaitStatus', () => {
  it('ends at once by an event', async () => {
    const target = reads([4_010, 'SETTLED']);
    const { reached, afterMs } = await waitFor(target, ['SETTLED'], [[4_010, 'SETTLED']]);
    expect(reached).toMatchObject({ status: 'SETTLED', frame: { event: 'order_updated' } });
    expect(afterMs).toBe(4_010);
  });

  it('finds the state by reading if no event comes', async () => {
    const { reached, afterMs } = await waitFor(reads([4_000, 'SETTLED']), ['SETTLED']);
    expect(reached?.status).toBe('SETTLED');
    expect(reached?.frame).toBeUndefined();
    expect(afterMs).toBeLessThan(9_001);
  });

  it('reads sooner if no open stream could announce the state', async () => {
    const target = reads([1_000, 'SETTLED']);
    const party: typeof target.party = (name, by, policy) => {
      const open = target.party(name, by, policy);
      return { ...open, events: { ...open.events, isOpen: false } };
    };
    const { afterMs } = await waitFor({ ...target, party }, ['SETTLED']);
    expect(afterMs).toBe(1_090);
  });

  it('reads no more often in a day than in an hour', async () => {
    const day = 86_400_000;
    const target = reads([day, 'EXPIRED']);
    await runAsCheck(target, async (t) => {
      expect(await awaitStatus(t, order, ['EXPIRED'], day)).toMatchObject({
        status: 'EXPIRED',
      });
    });
    expect(target.calls.length).toBeLessThan(1_100);
  });

  it('finds a past state by its event', async () => {
    const target = reads([1_000, 'EXECUTING']);
    const { reached } = await waitFor(target, ['QUOTED'], [[1_000, 'QUOTED']]);
    expect(reached).toMatchObject({ status: 'QUOTED', data: { status: 'EXECUTING' } });
  });

  it('finds a past state that was announced and left during a read', async () => {
    const target = fakeTarget({
      answer: () => {
        target.emit('sender', 'order_updated', { intent_id: intentId, status: 'EXECUTING' });
        return { status: 200, body: { data: { intent_id: intentId, status: 'SETTLED' } } };
      },
    });
    const { reached } = await waitFor(target, ['EXECUTING']);
    expect(reached).toMatchObject({ status: 'EXECUTING', data: { status: 'SETTLED' } });
  });

  it('goes on reading if the event came before its state can be read', async () => {
    const target = reads([5_000, 'SETTLED']);
    const { reached } = await waitFor(target, ['SETTLED'], [[4_000, 'SETTLED']]);
    expect(reached?.data).toMatchObject({ status: 'SETTLED' });
  });

  it('reads at the same moments as others on a driven clock', async () => {
    const looks = async (sinceMs: number): Promise<readonly number[]> => {
      const seen: number[] = [];
      const target = fakeTarget({
        answer: () => {
          seen.push(target.timeline.now() - startOfTime);
          return { status: 200, body: { data: { intent_id: intentId, status: 'PENDING' } } };
        },
      });
      await runAsCheck(target, async (t) => {
        await t.target.timeline.until(startOfTime + sinceMs);
        await awaitStatus(t, order, ['SETTLED'], 90_000);
      });
      return seen.filter((moment) => moment > 20_000 && moment < 80_000);
    };
    const moments = await looks(0);
    expect(moments.length).toBeGreaterThan(1);
    expect(await looks(300)).toEqual(moments);
  });

  it('ends at another final state, and when time is up', async () => {
    expect(await waitFor(reads([0, 'EXPIRED']), ['SETTLED'])).toEqual({ afterMs: 5_090 });
    expect(await waitFor(reads([0, 'PENDING']), ['SETTLED'])).toEqual({ afterMs: 60_000 });
  });
});

describe('neverEvent', () => {
  it('waits the whole time, and reports an event that came', async () => {
    const target = reads();
    const seen: unknown[] = [];
    await runAsCheck(target, async (t) => {
      const maker = t.party('maker_a');
      seen.push(await awaitNoEvent(t, maker, 'quote_accepted', () => true, 5_000));
      target.emit('maker_a', 'quote_accepted', { intent_id: intentId });
      const { frame, listened } = await awaitNoEvent(
        t,
        maker,
        'quote_accepted',
        (data) => data['intent_id'] === intentId,
        5_000,
      );
      seen.push([frame?.event, listened]);
    });
    expect(seen).toEqual([{ frame: undefined, listened: true }, ['quote_accepted', true]]);
  });
});
