import type { Exchange } from '../history/records.ts';
import { isGatewayStatus, noAnswerReason } from '../protocol/answers.ts';
import type { Clock } from '../timeline/clock/clock.ts';
import type { Transport } from './http/transport.ts';

/** The target answers no calls any more. */
interface Absence {
  /** Host time, in ISO 8601, at which the first unanswered call was sent. */
  readonly since: string;
  readonly detail: string;
}

/**
 * Number of calls without a complete answer, each begun after the one before had ended, with no complete answer to any
 * party.
 */
const doubtedAfter = 6;
/**
 * Pauses before the attempts to reach the target, in host milliseconds: a target that restarts within some seconds is
 * not gone.
 */
const pausesMs = [0, 250, 500, 1_000, 2_000] as const;
/** Maximum total time of the attempts, in host milliseconds: each may take as long as a call. */
const mostAskingMs = 10_000;
/**
 * An answer of either endpoint, refusals included, shows that the target is there. Two endpoints, since one may be
 * broken.
 */
const paths = ['/health', '/api/v1/whoami'] as const;

export type TargetPresence = ReturnType<typeof createTargetPresence>;

/**
 * Notices that a target has gone, whichever party is called. All parties of a target share one.
 * @param clock clock of the host
 */
export function createTargetPresence(clock: Clock) {
  const transports: Transport[] = [];
  let row = 0;
  // A target that never answered cannot have gone: the first requests say why it cannot be reached.
  let wasThere = false;
  let sinceMs = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  let last = '';
  let asking: Promise<Absence | undefined> | undefined;
  let gone: Absence | undefined;
  const listeners: ((absence: Absence) => void)[] = [];

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.at(clock.now() + ms, resolve);
    });

  async function answers(transport: Transport, path: string): Promise<boolean> {
    const request = { method: 'GET', path, headers: {}, fresh: true } as const;
    const answer = await transport.request(request);
    return answer.kind === 'response' && !isGatewayStatus(answer.response.status);
  }

  /** One answering party is enough. */
  async function isThere(): Promise<boolean> {
    const until = clock.now() + mostAskingMs;
    for (const ms of pausesMs) {
      await pause(ms);
      const attempts = transports.flatMap((one) => paths.map((path) => answers(one, path)));
      if ((await Promise.all(attempts)).includes(true)) return true;
      if (clock.now() >= until) break;
    }
    return false;
  }

  async function ask(): Promise<Absence | undefined> {
    if (row === 0) sinceMs = clock.now();
    const there = await isThere();
    asking = undefined;
    if (there) {
      row = 0;
      return undefined;
    }
    const since = new Date(sinceMs).toISOString();
    gone = { since, detail: `the target has been gone since ${since}${last && `: ${last}`}` };
    for (const act of listeners) act(gone);
    return gone;
  }

  return {
    /** Adds the transport of one party. */
    watch: (transport: Transport): void => void transports.push(transport),
    /** Call this when a call is sent, and call its result with the exchange. */
    begin() {
      const began = clock.now();
      return (exchange: Exchange): void => {
        const reason = noAnswerReason(exchange);
        const code = exchange.error?.code;
        if (reason === undefined || code === 'limit') {
          wasThere = true;
          row = 0;
          return;
        }
        if (code === 'aborted' || (row > 0 && began < lastEnd)) return;
        if (row === 0) sinceMs = began;
        row += 1;
        lastEnd = clock.now();
        last = reason;
      };
    },
    isDoubted: () => wasThere && gone === undefined && row >= doubtedAfter,
    /**
     * If `unanswered` calls in a row had no answer (default: the number that makes a doubt), asks the target again for
     * a while, since it may be just restarting. Callers that come meanwhile get the same result.
     */
    async confirm(unanswered: number = doubtedAfter): Promise<Absence | undefined> {
      if (gone || row < unanswered) return gone;
      return (asking ??= ask());
    },
    absence: (): Absence | undefined => gone,
    /** Calls back once the target has gone; at once if it has gone already. */
    onGone(act: (absence: Absence) => void): void {
      listeners.push(act);
      if (gone) act(gone);
    },
  };
}
