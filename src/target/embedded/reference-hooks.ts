import { balancesOf, ownersOf } from '../../reference/core/index.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import type { Server } from '../../reference/http/index.ts';
import { answerInProcess } from './in-process-transport.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';

/** Ways to reach into an embedded reference that no interface shows. */
export interface ReferenceHooks {
  /** How the settlement of one order, or of the next one created, goes wrong; null takes that back. */
  fault(
    order: 'next' | (string & {}),
    fault:
      | { readonly kind: 'revert'; readonly leg: 1 | 2 | 3 | 4 }
      | { readonly kind: 'stall' | 'withdraw' | 'invalid' }
      | null,
  ): Promise<void>;
  /** Ends every stream that is open to a party. */
  dropStreams(party: CastName): Promise<void>;
  /** How late a party's backend answers from now on, in milliseconds. */
  delayAnswers(party: CastName, ms: number): Promise<void>;
  /** What everybody holds, as decimal strings by owner and currency; escrows of running settlements among them. */
  holdings(): Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Settlements and streams are disturbed the way that is open to everybody, the fault addresses, so that both ways do the same.
 * `delays`: what is on its way to each party takes so long. `current`: the server of the present life.
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
