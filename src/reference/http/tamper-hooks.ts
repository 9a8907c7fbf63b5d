import type { Command, PartyRecord } from '../core/contract.ts';
import type { Policy } from '../core/index.ts';
import type { MachineHooks } from '../journal/index.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { Tamper, TamperContext } from './tamper.ts';

/** The hooks of a tamper that alter the core; without a tamper they cost nothing. */
export function tamperHooks(
  tamper: Tamper | undefined,
  policy: Policy,
  contextOf: (party?: PartyRecord, endpoint?: EndpointName) => TamperContext,
): MachineHooks {
  const about = (command: Command): TamperContext =>
    command.type === 'request' ? contextOf(command.caller, command.endpoint) : contextOf();
  return {
    policy: tamper?.policy?.(policy) ?? policy,
    ...(tamper?.command && { command: (command) => tamper.command?.(command, about(command)) }),
    ...(tamper?.outcome && {
      outcome: (outcome, command) => tamper.outcome?.(outcome, command, about(command)) ?? outcome,
    }),
    ...(tamper?.deadline && { deadline: (deadline) => tamper.deadline?.(deadline, contextOf()) }),
  };
}
