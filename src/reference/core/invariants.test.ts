import { describe, expect, it } from 'vitest';
import { CoreDriver } from '../../../test/support/core/core-driver.ts';
import { type SavedState, insideViolations, restoreState, saveState, type State } from './index.ts';

/** Invariants violated by a step from a sound state to an altered copy of it. */
function found(core: CoreDriver, alter: (saved: SavedState) => Partial<SavedState>): string[] {
  const saved = saveState(core.state);
  const altered: State = restoreState({ ...saved, ...alter(saved) });
  const moments = [
    { state: core.state, now: core.now },
    { state: altered, now: core.now },
  ] as const;
  return [...insideViolations(...moments)].map(({ invariant }) => invariant);
}

const executing = (): { core: CoreDriver; intentId: string } => {
  const core = new CoreDriver();
  const { intent_id } = core.orderIn('EXECUTING');
  core.wait(1_000);
  return { core, intentId: intent_id };
};

describe('violated invariants', () => {
  it('are none if nothing was altered', () => {
    expect(found(executing().core, () => ({}))).toEqual([]);
  });

  it('include value that appears or disappears', () => {
    const { core } = executing();
    const [owner, other] = Object.keys(saveState(core.state).holdings).toSorted() as [
      string,
      string,
    ];
    const with_ = (name: string, sum: string) => ({ [name]: { USD: sum } });
    expect(
      found(core, ({ holdings }) => ({ holdings: { ...holdings, ...with_(owner, '999999') } })),
    ).toContain('value-conserved');
    expect(
      found(core, ({ holdings }) => ({ holdings: { ...holdings, ...with_(other, '-5') } })),
    ).toContain('nothing-below-zero');
  });

  it('include an amount reserved for an ended order, or reserved too early', () => {
    const { core, intentId } = executing();
    const withStatus = (status: 'FAILED' | 'QUOTED') => (saved: SavedState) => ({
      orders: saved.orders.map((order) => (order.id === intentId ? { ...order, status } : order)),
    });
    expect(found(core, withStatus('FAILED'))).toContain('holds-match-legs');
    expect(found(core, withStatus('QUOTED'))).toContain('holds-match-legs');
  });

  it('include a missed deadline', () => {
    const core = new CoreDriver();
    core.create();
    const { state } = core;
    const moment = (now: number) => ({ state, now });
    const late = [...insideViolations(moment(core.now), moment(core.now + 3_600_000))];
    expect(late.map(({ invariant }) => invariant)).toEqual(['no-deadline-missed']);
    expect(late[0]?.message).toMatch(/order-expiry.* was due and has not happened/);
  });

  it('include an end that is taken back, and a lost order', () => {
    const core = new CoreDriver();
    core.orderIn('FAILED');
    expect(
      found(core, ({ orders }) => ({
        orders: orders.map((order) => ({ ...order, failureReason: 'TIMEOUT' as const })),
      })),
    ).toEqual(['ended-stays-ended']);
    expect(found(core, () => ({ orders: [], quotes: [] }))).toContain('nothing-forgotten');
  });

  it('include two selected quotes, a price above the maximum, a settlement of an unsettled order', () => {
    const core = new CoreDriver();
    const { intent_id } = core.orderIn('PENDING');
    const second = core.quote(intent_id, 'maker_b');
    core.accept(intent_id, second);
    expect(
      found(core, ({ quotes }) => ({
        quotes: quotes.map((quote) => ({ ...quote, status: 'ACCEPTED' as const })),
      })),
    ).toEqual(['one-quote-selected']);
    expect(
      found(core, ({ orders }) => ({
        orders: orders.map((order) => ({ ...order, sourceAmountMax: '0.01' })),
      })),
    ).toEqual(['maximum-kept']);
    core.wait(5_000);
    expect(found(core, () => ({ settlements: [] }))).toEqual(['settled-is-recorded']);
  });
});
