import type { Exchange } from '../history/records.ts';
import { isGatewayStatus, noAnswerReason } from '../protocol/answers.ts';
import type { Clock } from '../timeline/clock/clock.ts';
import type { Transport } from './http/transport.ts';

/** Nothing answers any more. */
export interface Absence {
  /** The host's moment, in ISO 8601, at which the first call was sent that had no answer. */
  readonly since: string;
  readonly detail: string;
}

/** Notices that a target has gone, whichever party is asked. All parties of a target share one. */
export interface TargetPresence {
  /** One of the ways to it: of each party one. */
  watch(transport: Transport): void;
  /** To be called when a call is sent, and what it returns with what came of it. */
  begin(): (exchange: Exchange) => void;
  /**
   * Asks whether anybody is there if so many calls in a row had no answer (unless told, so many that it may be doubted);
   * over a while, since a target may be just starting again. Whoever asks meanwhile gets the same answer.
   */
  confirm(unanswered?: number): Promise<Absence | undefined>;
  isDoubted(): boolean;
  absence(): Absence | undefined;
  /** Calls back once the target has gone, at once if it has. */
  onGone(act: (absence: Absence) => void): void;
}

/** So many calls, each begun after the one before had ended, and of no party a complete answer. */
const doubtedAfter = 6;
/** Before each attempt to reach it, in host milliseconds: a target that restarts within some seconds is not gone. */
const pausesMs = [0, 250, 500, 1_000, 2_000] as const;
/** One that lets attempts wait for so long in all is gone: each may take as long as a call. */
const mostAskingMs = 10_000;
/** An answer of either endpoint, refusals included, shows that the target is there: one endpoint may be broken. */
const paths = ['/health', '/api/v1/whoami'] as const;

/** @param clock the host's */
export function createTargetPresence(clock: Clock): TargetPresence {
  const transports: Transport[] = [];
  let row = 0;
  // One that never answered cannot have gone: what keeps it from being reached is said of its first requests.
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

  /** One party is enough. */
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
    watch: (transport) => void transports.push(transport),
    begin() {
      const began = clock.now();
      return (exchange) => {
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
    async confirm(unanswered = doubtedAfter) {
      if (gone || row < unanswered) return gone;
      return (asking ??= ask());
    },
    absence: () => gone,
    onGone(act) {
      listeners.push(act);
      if (gone) act(gone);
    },
  };
}
