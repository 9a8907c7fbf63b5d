import type { EventStream, ListenOptions, Party, Target } from '../../client/contract.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { tolerance } from '../../protocol/tolerances.ts';

/** All streams of one party over time, one after another, as it drops and resumes. */
export interface PartyStream {
  readonly party: string;
  /** Exchange that opened the current stream. */
  readonly opened: Exchange;
  readonly isOpen: boolean;
  /** True if the target ended the stream, or the connection was lost. */
  readonly ended: boolean;
  /** True if the stream broke off: a missing event may have been sent. */
  readonly brokeOff: boolean;
  /** Time at which the target ended the current stream; undefined if it did not. */
  readonly endedAt: number | undefined;
  /** True if it ended the stream when the token expired: it may (gap `stream.closing`). */
  endedWithToken(offset: Target['clock']['offset']): boolean;
  /** True if a fault of the scenario ended the current stream. */
  readonly isCut: boolean;
  /** All frames so far, none twice. */
  frames(): readonly Frame[];
  /** Waits until the moment for more than `known` frames; resolves to true if one came. */
  more(known: number, until: number): Promise<boolean>;
  drop(): Promise<void>;
  /** Opens the stream again after the last event seen. */
  resume(): Promise<Exchange>;
}

export type ListenFor = Pick<ListenOptions, 'intentId' | 'credential'>;

export async function openPartyStream(party: Party, options: ListenFor = {}): Promise<PartyStream> {
  const streams: EventStream[] = [await party.listen(options)];
  let expiresAt = expiryOf(party, options);
  const current = (): EventStream => {
    const last = streams.at(-1);
    if (!last) throw new Error('a listening without a stream');
    return last;
  };
  const frames = (): readonly Frame[] => {
    if (streams.length === 1) return current().frames;
    const seen = new Set<string>();
    return streams.flatMap((stream) =>
      stream.frames.filter(({ eventId }) => {
        // A target that replays from the start sends events again.
        const isNew = eventId === undefined || !seen.has(eventId);
        if (eventId !== undefined) seen.add(eventId);
        return isNew;
      }),
    );
  };
  return {
    party: party.name,
    get opened() {
      return current().opened;
    },
    get isOpen() {
      return current().isOpen;
    },
    get ended() {
      const { ended } = current();
      return ended !== undefined && ended.cause !== 'us';
    },
    get brokeOff() {
      return streams.some(({ ended }) => ended?.cause === 'error' || ended?.limit !== undefined);
    },
    get endedAt() {
      const { ended } = current();
      return ended?.cause === 'target' ? ended.at : undefined;
    },
    endedWithToken({ least, most }) {
      const { ended } = current();
      if (ended?.cause !== 'target' || expiresAt === undefined) return false;
      const from = (ended.after ?? ended.at) + least - tolerance.stamp;
      return from <= expiresAt && expiresAt <= ended.at + most + tolerance.stamp;
    },
    get isCut() {
      const { ended } = current();
      // A stream that we close ourselves, at no limit, ends without a message.
      return ended?.cause === 'us' && ended.message !== undefined && ended.limit === undefined;
    },
    frames,
    async more(known, until) {
      const stream = current();
      const had = stream.frames.length - Math.max(0, frames().length - known);
      const rest = new Set(stream.frames.slice(0, had).map(({ id }) => id));
      return (await stream.find(({ id }) => !rest.has(id), until)) !== undefined;
    },
    drop: () => current().close(),
    async resume() {
      await current().close();
      const lastEventId = frames().findLast(({ eventId }) => eventId !== undefined)?.eventId;
      streams.push(
        await party.listen({ ...options, ...(lastEventId !== undefined && { lastEventId }) }),
      );
      expiresAt = expiryOf(party, options);
      return current().opened;
    },
  };
}

/** Expiry of the token that opened a stream, on the target's clock; undefined if it is not known. */
function expiryOf({ token }: Party, { credential }: ListenFor): number | undefined {
  const exp = credential === undefined ? jwtPart(token, 'claims')?.['exp'] : undefined;
  return typeof exp === 'number' ? exp * 1_000 : undefined;
}
