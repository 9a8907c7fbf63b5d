import type { EventStream, ListenOptions, Party } from '../../client/contract.ts';
import type { Exchange, Frame } from '../../history/records.ts';

/** What one party sees over time: one stream after another, as it drops and resumes. */
export interface PartyStream {
  readonly party: string;
  /** The exchange that opened it last. */
  readonly opened: Exchange;
  readonly isOpen: boolean;
  /** Whether the target ended it, or a connection did. */
  readonly ended: boolean;
  /** Whether it broke off, so that what did not come on it may have been sent. */
  readonly brokeOff: boolean;
  /** All frames so far, none twice. */
  frames(): readonly Frame[];
  /** Waits for one frame more than these, until the moment; whether one came. */
  more(known: number, until: number): Promise<boolean>;
  drop(): Promise<void>;
  /** Opens it again after the last event seen. */
  resume(): Promise<Exchange>;
}

export type ListenFor = Pick<ListenOptions, 'intentId' | 'credential'>;

export async function openPartyStream(party: Party, options: ListenFor = {}): Promise<PartyStream> {
  const streams: EventStream[] = [await party.listen(options)];
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
        // A target that replays from its start sends again what was seen already.
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
      return current().opened;
    },
  };
}
