import type { Party } from '../client/contract.ts';
import type { Exchange } from '../history/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Timeline } from '../runtime/timeline.ts';

/** Longest that one call is put off because its target asks for patience, in milliseconds. */
const longestPutOffMs = 60_000;
const usualRetryMs = 1_000;

/** Lets through so many a second, evenly, over all who share it; waits in host time. */
export function pacer(perSecond: number, clock: Clock): () => Promise<void> {
  const gapMs = 1_000 / perSecond;
  // A tenth of a second's worth may come at once.
  const slackMs = Math.max(gapMs, 100);
  let next = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = clock.now();
    const slot = Math.max(next, now - slackMs);
    next = slot + gapMs;
    if (slot > now) await new Promise<void>((resolve) => clock.at(slot, resolve));
  };
}

/** How long a 429 asks to wait: whole seconds, or a date that is read against the answer's own. */
function retryAfterMs({ response }: Exchange): number {
  const text = response?.headers['retry-after']?.trim() ?? '';
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text) - Date.parse(response?.headers['date'] ?? '');
  return date > 0 ? date : usualRetryMs;
}

/**
 * A party that keeps to a pace and honours 429: the call is made again once the target allows it. Every attempt is in
 * the history; the caller sees the last.
 */
export function patientParty(party: Party, timeline: Timeline, pace?: () => Promise<void>): Party {
  async function again<T>(
    attempt: () => Promise<T>,
    exchangeOf: (result: T) => Exchange,
  ): Promise<T> {
    let leftMs = longestPutOffMs;
    for (;;) {
      await pace?.();
      const result = await attempt();
      const exchange = exchangeOf(result);
      if (exchange.response?.status !== 429) return result;
      const waitMs = Math.max(retryAfterMs(exchange), 50);
      if (waitMs > leftMs) return result;
      leftMs -= waitMs;
      await timeline.sleep(waitMs);
    }
  }

  return {
    name: party.name,
    role: party.role,
    baseUrl: party.baseUrl,
    get partyId() {
      return party.partyId;
    },
    get token() {
      return party.token;
    },
    get events() {
      return party.events;
    },
    call: (endpoint, options) => again(() => party.call(endpoint, options), itself),
    send: (method, path, options) => again(() => party.send(method, path, options), itself),
    listen: (options) =>
      again(
        () => party.listen(options),
        (stream) => stream.opened,
      ),
  };
}

const itself = (exchange: Exchange): Exchange => exchange;
