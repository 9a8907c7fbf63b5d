import type { DrivenClock } from '../../timeline/controlled-timeline.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { fillTemplate } from '../file/clock-section.ts';
import type { ClockSection } from '../file/target-file.ts';
import {
  atPointer,
  helperClient,
  helperTimeoutMs,
  jsonBody,
  parseJson,
} from '../remote/helper-http.ts';

type Section = Extract<ClockSection, { readonly kind: 'controlled' }>;

/** What the clock's address answered is no moment, or nothing came: the run cannot go on. */
export class ClockUnusable extends Error {
  override readonly name = 'ClockUnusable';
}

/**
 * A target's clock behind the addresses that its file names. Fails with `ClockUnusable`.
 * @param timeoutMs of host time for each call
 */
export function drivenClock(
  section: Section,
  timeoutMs: number = helperTimeoutMs,
): DrivenClock & { close(): Promise<void> } {
  const line = helperClient(timeoutMs);
  async function now(): Promise<number> {
    const answer = await line.call('GET', section.now.url);
    if (!answer.ok) throw new ClockUnusable(`GET ${section.now.url}: ${answer.message}`);
    const instant = instantAt(answer.text, section.now.at);
    if (answer.status === 200 && instant !== undefined) return instant;
    const where = section.now.at === '' ? '' : ` at ${section.now.at}`;
    throw new ClockUnusable(
      `GET ${section.now.url} answered ${answer.status} with no moment${where}: ${answer.text.slice(0, 120)}`,
    );
  }

  let last: number | undefined;
  return {
    close: () => line.close(),
    async now() {
      last = await now();
      return last;
    },
    async advance(ms) {
      const from = last ?? (await now());
      const { url, body } = fillTemplate(section.advance, {
        ms,
        now: from,
        to: from + ms,
        now_iso: formatTimestamp(from),
        to_iso: formatTimestamp(from + ms),
      });
      const answer = await line.call('POST', url, jsonBody(body ?? {}));
      if (!answer.ok) throw new ClockUnusable(`POST ${url}: ${answer.message}`);
      if (answer.status < 200 || answer.status > 299) {
        throw new ClockUnusable(
          `POST ${url} answered ${answer.status}: ${answer.text.slice(0, 120)}`,
        );
      }
      // Most clocks answer an advance as they answer a reading; the others are asked.
      last = instantAt(answer.text, section.now.at) ?? (await now());
      return last;
    },
  };
}

/** Long enough in host time for any clock that runs to show it. */
const watchMs = 50;

/**
 * Whether a driven clock goes on by itself as well, as one does that is the host's and an offset.
 * @param pause in host milliseconds
 */
export async function alsoRunsByItself(
  clock: Pick<DrivenClock, 'now'>,
  pause: (ms: number) => Promise<void>,
): Promise<boolean> {
  const before = await clock.now();
  await pause(watchMs);
  return (await clock.now()) > before;
}

/** Host milliseconds between two readings that nobody needs to measure. */
const shortestMs = 1_000;

/**
 * A clock that goes on by itself, and how far it may be ahead of its last reading: as long as we ever took from asking
 * it to having asked it again, and no less than a second.
 * @param hostNow in milliseconds
 */
export function withDrift<T extends DrivenClock>(
  clock: T,
  hostNow: () => number,
): { readonly clock: T; readonly aheadMs: () => number } {
  let askedAt = hostNow();
  let longest = shortestMs;
  const sinceAsked = (): number => Math.max(longest, hostNow() - askedAt);
  async function noted(ask: () => Promise<number>): Promise<number> {
    const now = hostNow();
    const instant = await ask();
    longest = sinceAsked();
    askedAt = now;
    return instant;
  }
  return {
    clock: {
      ...clock,
      now: () => noted(() => clock.now()),
      advance: (ms: number) => noted(() => clock.advance(ms)),
    },
    aheadMs: sinceAsked,
  };
}

/** A moment as whole milliseconds or as a timestamp, in JSON or as bare text. */
function instantAt(text: string, pointer: string): number | undefined {
  const value =
    pointer === '' ? (parseJson(text) ?? text.trim()) : atPointer(parseJson(text), pointer);
  if (typeof value === 'number') return isInstant(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const instant = Date.parse(value);
  return isInstant(instant) ? instant : undefined;
}

/** From 1970 to 9999: what a timestamp can say. */
const isInstant = (value: number): boolean =>
  Number.isSafeInteger(value) && value >= 0 && value < 253_402_300_800_000;
