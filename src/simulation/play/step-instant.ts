import { limits } from '../../spec/limits.ts';
import type { Assignment } from '../../spec/gaps/index.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import type { Landmark, Moment } from '../plan.ts';
import type { LabelRegistry } from './label-registry.ts';

export const dayMs = 86_400_000;

export interface MomentContext {
  readonly book: LabelRegistry;
  readonly assignment: Assignment;
  readonly now: () => number;
  /** End of the token that a party had at the start. */
  readonly tokenEndMs: (party: string) => number | undefined;
}

/** The moment at which a step is due; never before now. */
export async function instantOf(context: MomentContext, at: Moment): Promise<number> {
  const now = context.now();
  if ('afterMs' in at) return now + at.afterMs;
  const landmark = await instantOfLandmark(context, at.near);
  return landmark === undefined ? context.now() : Math.max(context.now(), landmark - at.leadMs);
}

async function instantOfLandmark(
  { book, assignment, now, tokenEndMs }: MomentContext,
  near: Landmark,
): Promise<number | undefined> {
  switch (near.of) {
    case 'expires_at':
      return (await book.order(near.order))?.expiresAt;
    case 'valid_until':
      return (await book.quote(near.quote))?.validUntil;
    case 'settlement window': {
      const accepted = (await book.acceptedOrder(near.order))?.acceptedAt;
      return accepted && accepted + windowMsIn(assignment);
    }
    case 'next leg': {
      const accepted = (await book.acceptedOrder(near.order))?.acceptedAt;
      if (accepted === undefined) return undefined;
      return legsOf(assignment)
        .map((ms) => accepted + ms)
        .find((instant) => instant > now());
    }
    case 'token expiry':
      return tokenEndMs(near.party);
    case 'heartbeat': {
      const opened = (await book.stream(near.stream))?.stream.opened.received;
      if (opened === undefined) return undefined;
      const every = limits.heartbeatIntervalMs;
      return opened + (Math.floor((now() - opened) / every) + 1) * every;
    }
    case 'end of day':
      return (Math.floor(now() / dayMs) + 1) * dayMs;
  }
}

export const windowMsIn = (assignment: Assignment): number =>
  Number.parseInt(assignment['settlement.window'], 10) * 1_000;

/** End of a token by its own claims. */
export function expiryOf(token = ''): number | undefined {
  const exp = jwtPart(token, 'claims')?.['exp'];
  return typeof exp === 'number' ? exp * 1_000 : undefined;
}

/** Milliseconds after an acceptance at which the settlement starts, and at which each of its four legs ends. */
export function legsOf(assignment: Assignment): readonly number[] {
  const [start = 0, end = 0] = assignment['settlement.steps']
    .split('-')
    .map((text) => Number.parseInt(text, 10));
  return [start, ...[1, 2, 3, 4].map((leg) => start + Math.round(((end - start) * leg) / 4))];
}
