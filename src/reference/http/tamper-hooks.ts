import type { Command, PartyRecord } from '../core/contract.ts';
import type { Policy, State } from '../core/index.ts';
import type { MachineHooks } from '../journal/index.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import type { Tamper, TamperContext } from './tamper.ts';

export type TamperContextOf = (party?: PartyRecord, endpoint?: EndpointName) => TamperContext;

/** Makes the contexts for the hooks of a tamper; counts and memory last as long as the world. */
export function tamperContexts(
  parties: readonly PartyRecord[],
  moment: () => Pick<TamperContext, 'now'> & { readonly state: State },
): TamperContextOf {
  const counts = new Map<string, number>();
  const memory = new Map<string, unknown>();
  const count = (key: string): number => {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };
  return (party, endpoint) => ({
    ...moment(),
    parties,
    ...(party && { party }),
    ...(endpoint && { endpoint }),
    count,
    memory,
  });
}

/** The hooks of a tamper that alter the core; without a tamper they cost nothing. */
export function tamperHooks(
  tamper: Tamper | undefined,
  policy: Policy,
  contextOf: TamperContextOf,
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
