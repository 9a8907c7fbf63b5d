import { balancesOf, ownersOf } from '../../reference/core/index.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { Server } from '../../reference/http/index.ts';
import { answerInProcess } from './in-process-transport.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';

/** Access to the inside of an embedded reference, which no interface shows. */
export interface ReferenceHooks {
  /** Sets a fault for one order, or for the next one created; null removes it. */
  fault(
    order: 'next' | (string & {}),
    fault:
      | { readonly kind: 'revert'; readonly leg: 1 | 2 | 3 | 4 }
      | { readonly kind: 'stall' | 'withdraw' | 'invalid' }
      | null,
  ): Promise<void>;
  /** Ends every stream that is open to a party. */
  dropStreams(party: CastName): Promise<void>;
  /** Delays the answers of a party's backend from now on, by `ms` milliseconds. */
  delayAnswers(party: CastName, ms: number): Promise<void>;
  /** All holdings as decimal strings by owner and currency, escrows of running settlements included. */
  holdings(): Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Disturbs settlements and streams through the fault addresses, which are open to everybody, so that both do the same.
 * `delays`: delay of the answers by party, in milliseconds. `current`: the server of the present life.
 */
export function hooksOf(
  current: () => Server,
  timeline: Timeline,
  delays: Map<CastName, number>,
): ReferenceHooks {
  async function post(body: Readonly<Record<string, unknown>>): Promise<void> {
    const url = '/_sim/faults';
    const { statusCode, rawPayload } = await timeline.turn(() =>
      answerInProcess(current().app, {
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      }),
    );
    if (statusCode !== 200)
      throw new Error(`${url} refused: ${new TextDecoder().decode(rawPayload)}`);
  }
  return {
    async fault(order, fault) {
      if (fault === null) await post({ order, fault });
      else await post({ ...fault, order, fault: fault.kind });
    },
    dropStreams: (party) => post({ party, drop_streams: true }),
    // The backend's own delay would wait inside a turn, in which time stands still.
    async delayAnswers(party, ms) {
      delays.set(party, ms);
    },
    holdings() {
      const state = current().world.state();
      return Object.fromEntries(ownersOf(state).map((owner) => [owner, balancesOf(state, owner)]));
    },
  };
}
