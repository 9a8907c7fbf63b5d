import type { ControlName } from '../../spec/requirements/requirement.ts';
import type { FaultPlan, FaultStep } from '../language/model.ts';
import { idIn } from './request.ts';
import { end } from './halt.ts';
import { note, type StepContext } from './session.ts';

/** Which control of a target file stands for a fault of the reference. */
export const controlFor = {
  revert: 'fail_settlement',
  stall: 'stall_settlement',
  withdraw: 'withdraw_order',
  invalid: 'fail_validation',
} as const satisfies Partial<Record<FaultPlan['kind'], ControlName>>;

/** Makes something go wrong: through the reference's own hooks, or through what the target's file offers. */
export async function makeFault(step: FaultStep, ctx: StepContext): Promise<void> {
  const { session } = ctx;
  note(session, { at: step.at, says: `fault: ${step.says}` });
  const order = step.of && idIn(step.of, 'intent_id', ctx);
  const { fault } = step;
  if (order !== undefined) session.disturbed.add(order);
  if (session.reference) {
    if (fault.kind === 'drop') await session.reference.dropStreams(fault.party);
    else if (fault.kind === 'delay') await session.reference.delayAnswers(fault.party, fault.ms);
    else await session.reference.fault(order ?? 'next', fault);
    if (order === undefined && !('party' in fault)) session.pending.push({});
    return;
  }
  if (fault.kind === 'drop' || fault.kind === 'delay') {
    return end('out_of_scope', `nothing on this target can "${step.says}"`);
  }
  const name = controlFor[fault.kind];
  const control = session.target.controls[name];
  if (!control) return end('out_of_scope', `the target offers no control ${name}`);
  if (order === undefined) {
    session.pending.push({
      ...(control.order && { fields: control.order }),
      ...(control.call && { call: control.call }),
    });
    return;
  }
  if (!control.call) {
    return end(
      'out_of_scope',
      `the target's control ${name} works on orders yet to be created only`,
    );
  }
  await control.call(order);
}
