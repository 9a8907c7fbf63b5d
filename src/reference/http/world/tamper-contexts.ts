import type { PartyRecord } from '../../core/contract.ts';
import type { State } from '../../core/index.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import type { TamperContext } from '../tamper.ts';

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
