import { controlOf, faultOf, isOrderFault, wordsForFault } from '../faults/faults.ts';
import { fieldsOf, isObject } from '../protocol/answers.ts';
import { type ControlName, controls } from '../spec/requirements/requirement.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import type { What } from './line-entry.ts';
import { acting, callOn, passUntil, type Stage } from './stage.ts';
import type { FaultShown } from './view/messages.ts';

/** A target over the network, with the clock and the faults that its file offers. */
export function remoteStage(target: OpenedTarget): Stage {
  const offered = controls.filter((name) => target.controls[name]);
  const disturbed = new Set<string>();
  let next: ControlName | undefined;
  const isDriven = target.clock.kind !== 'system';

  async function call(what: Extract<What, { readonly what: 'call' }>) {
    const { endpoint, body } = what;
    const isOrder = endpoint === 'order.create' && isObject(body);
    const control = isOrder && next !== undefined ? target.controls[next] : undefined;
    if (control) next = undefined;
    const changed = isOrder ? { ...what, body: { ...body, ...control?.order } } : what;
    const exchange = await callOn(target, changed, 'you');
    const id = fieldsOf(exchange)['intent_id'];
    if (control && typeof id === 'string') {
      disturbed.add(id);
      await control.call?.(id);
    }
    return exchange;
  }

  async function strike({ fault, order }: Extract<What, { readonly what: 'fault' }>) {
    const name = fault && isOrderFault(fault) ? controlOf(fault) : undefined;
    if (order === 'next') next = name;
    else if (name !== undefined && order !== undefined) {
      disturbed.add(order);
      await target.controls[name]?.call?.(order);
    }
  }

  return {
    target,
    isDriven,
    faults: offered.map(
      (name): FaultShown => ({
        fault: wordsForFault(faultOf[name]),
        of: 'order',
        orders: target.controls[name]?.call ? ['this', 'next'] : ['next'],
      }),
    ),
    carryOut: (what) =>
      acting(target, async () => {
        if (what.what === 'call') return call(what);
        await strike(what);
        return undefined;
      }),
    passUntil: (instant) => passUntil(target, instant),
    upcoming: () => undefined,
    holdings: () => undefined,
    standing: () => (next === undefined ? [] : [`the next order: ${wordsForFault(faultOf[next])}`]),
    disturbed: () => [...disturbed],
    close: () => target.close(),
  };
}
