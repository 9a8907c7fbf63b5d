import { succeeded } from '../../protocol/answers.ts';
import { createSignal } from '../../timeline/signal.ts';
import type { NetworkFault } from '../../client/faulty-network.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import {
  controlOf,
  type FaultPlan,
  isDiskFault,
  isNetworkFault,
  isOrderFault,
  type OrderFault,
  referenceFault,
} from '../../faults/faults.ts';
import type { FaultStep } from '../language/steps/fault.ts';
import { idIn } from './request.ts';
import { end } from './halt.ts';
import { note, type Session, type StepContext } from './session.ts';

/** Reason why a target does not offer this fault; undefined if it does. */
export function notOffered(
  { fault, says }: FaultStep,
  { target, reference }: Pick<Session, 'target' | 'reference'>,
): string | undefined {
  if (isOrderFault(fault)) {
    if (reference || target.controls[controlOf(fault)]) return undefined;
    return `the target offers no control ${controlOf(fault)}`;
  }
  const cannot = `this reference cannot "${says}"`;
  // Every other target whose scenario has faults of networks is opened with networks that can fail.
  if (isNetworkFault(fault)) return target.networks ? undefined : cannot;
  if (reference) {
    const isLacking =
      (isDiskFault(fault) && !reference.lives) ||
      (fault.fault === 'host pauses' && !reference.pauseHost);
    return isLacking ? cannot : undefined;
  }
  if (!isPlainRestart(fault)) return `nothing on this target can "${says}"`;
  return target.restart ? undefined : 'the target offers no control restart';
}

/**
 * True for a restart that other targets can do: only the reference can be killed at a chosen place, or kept down for a
 * chosen time.
 */
const isPlainRestart = (fault: FaultPlan): boolean =>
  fault.fault === 'restart' && fault.ms === 0 && fault.tornBytes === undefined;

/** Injects a fault: through the reference's own hooks, or through the controls of the target's file. */
export async function makeFault(step: FaultStep, ctx: StepContext): Promise<void> {
  const { session } = ctx;
  note(session, { at: step.at, says: `fault: ${step.says}` });
  const refused = notOffered(step, session);
  if (refused !== undefined) return end('out_of_scope', refused);
  const { fault } = step;
  if (isOrderFault(fault)) return pushOff(step, fault, ctx);
  if (isNetworkFault(fault)) return disturb(fault, session);
  const { reference, target } = session;
  switch (fault.fault) {
    case 'streams drop':
      return reference?.dropStreams(fault.party);
    case 'all answers delayed':
      return reference?.delayAnswers(fault.party, fault.ms);
    case 'disk full':
      if (await reference?.lives?.fillDisk(fault.ms)) return;
      return end('out_of_scope', tooLong);
    case 'host pauses':
      if (await reference?.pauseHost?.(fault.ms)) return;
      return end('out_of_scope', tooLong);
    case 'restart':
      session.upAt = Number.POSITIVE_INFINITY;
      if (!reference) await restartBy(target);
      else if (!(await reference.lives?.restart(fault))) return end('out_of_scope', tooLong);
      // A restart in the next write is still to come.
      if (fault.tornBytes === undefined) session.upAt = target.timeline.now();
  }
}

/** Begins a fault of a network; it ends by itself, or with the steps of the scenario. */
async function disturb(
  fault: NetworkFault & { readonly party: CastName },
  { target: { timeline, networks }, begun }: Session,
): Promise<void> {
  const one = await timeline.turn(async () => networks?.get(fault.party)?.begin(fault));
  if (!one) return end('inconclusive', `no stream of ${fault.party} is open`);
  const over = createSignal();
  begun.push(() => {
    one.end();
    over.ring();
  });
  if (one.ms === 0) return;
  const last = async (): Promise<void> => {
    await timeline.wait(over, timeline.now() + one.ms);
    one.end();
  };
  // The end of the timeline is told to all who wait for it.
  timeline.background(`network of ${fault.party}`, last).catch(() => undefined);
}

async function restartBy({ restart }: Pick<Session['target'], 'restart'>): Promise<void> {
  const answer = await restart?.();
  if (answer && succeeded(answer)) return;
  const why = answer?.error?.message ?? `it was answered with ${answer?.response?.status}`;
  end('inconclusive', `the target could not be restarted: ${why}`);
}

const tooLong =
  'it may not be away for so long: rules could not tell that from a target that is late';

async function pushOff(step: FaultStep, fault: OrderFault, ctx: StepContext): Promise<void> {
  const { session } = ctx;
  const order = step.of && idIn(step.of, 'intent_id', ctx);
  if (order !== undefined) session.disturbed.add(order);
  if (session.reference) {
    await session.reference.fault(order ?? 'next', referenceFault(fault));
    if (order === undefined) session.pending.push({});
    return;
  }
  const name = controlOf(fault);
  const control = session.target.controls[name];
  if (order === undefined) {
    session.pending.push({
      ...(control?.order && { fields: control.order }),
      ...(control?.call && { call: control.call }),
    });
    return;
  }
  if (!control?.call) {
    return end(
      'out_of_scope',
      `the target's control ${name} works on orders yet to be created only`,
    );
  }
  await control.call(order);
}
