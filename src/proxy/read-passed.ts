import type { Exchange, History, WireError } from '../history/records.ts';
import { createConnectionReader, type ConnectionReader } from './read-connection.ts';
import type { PassedBatch, PassedItem } from './passed.ts';
import type { ProxiedParty } from './proxied-party.ts';
import { createTokenOwners, plural, said } from '../recording/index.ts';
import type { Window } from './window.ts';

/** Makes records of proxied traffic. */
export interface PassedReader {
  take(batch: PassedBatch): void;
  /**
   * The traffic so far: the window, and the requests that are still under way, each of which may have had its effect.
   * Without them an event could come before its cause.
   */
  soFar(): History;
  /** True if all traffic was read. */
  isWhole(): boolean;
  /** Sentences about traffic that was not read. */
  limits(): readonly string[];
  counts(): Readonly<Counts>;
}

interface Counts {
  exchanges: number;
  streams: number;
  /** Requests that the proxy answered itself. */
  unreachable: number;
}

const errorOf = (item: PassedItem): WireError => {
  if (item.kind === 'unreachable') {
    return { code: 'refused', message: `the proxy could not reach the backend: ${item.reason}` };
  }
  if (item.kind === 'unread') {
    return { code: 'aborted', message: 'more passed than was read: the answer was not looked at' };
  }
  return item.kind === 'closed' && item.by === 'backend'
    ? { code: 'reset', message: 'the backend ended the connection before it had answered' }
    : { code: 'aborted', message: 'the client gave up' };
};

export function createPassedReader(parties: readonly ProxiedParty[], window: Window): PassedReader {
  const byName = new Map(parties.map((party) => [party.name, party]));
  const connections = new Map<number, ConnectionReader>();
  const owners = createTokenOwners();
  const counts = { exchanges: 0, streams: 0, unreachable: 0 };
  let [unread, elsewhere] = [0, 0];
  /** The newest moment of any traffic. */
  let latest = 0;
  const strange = new Map<string, number>();

  const seen = {
    owners,
    window,
    onExchange(exchange: Exchange): void {
      counts.exchanges += 1;
      if (exchange.opensStream) counts.streams += 1;
      if (exchange.error?.code === 'refused') counts.unreachable += 1;
    },
    onElsewhere: () => void (elsewhere += 1),
    onStrange: (reason: string) => void strange.set(reason, (strange.get(reason) ?? 0) + 1),
  };

  function readerOf({ connection, party: name }: PassedItem): ConnectionReader | undefined {
    const known = connections.get(connection);
    const party = byName.get(name);
    if (known || !party) return known;
    const made = createConnectionReader(party, seen);
    connections.set(connection, made);
    return made;
  }

  return {
    soFar: () => ({
      records: [
        ...window.records,
        ...[...connections.values()].flatMap((reader) => reader.underWay(latest)),
      ],
    }),
    take({ items, bytes }) {
      let from = 0;
      for (const item of items) {
        latest = Math.max(latest, item.at);
        const reader = readerOf(item);
        if (item.kind === 'request' || item.kind === 'answer') {
          const piece = Buffer.from(bytes.buffer, bytes.byteOffset + from, item.bytes);
          from += item.bytes;
          reader?.feed(item.kind, piece, item.at);
          continue;
        }
        if (item.kind === 'unread') unread += 1;
        const cause = item.kind !== 'closed' || item.reset ? 'error' : item.by;
        reader?.close(cause, errorOf(item), item.at);
        connections.delete(item.connection);
      }
    },
    isWhole: () => unread === 0 && strange.size === 0,
    limits: () =>
      said(
        unread > 0 &&
          `${plural(unread, 'connection')} carried more than could be read in time, and was not judged to its end`,
        elsewhere > 0 &&
          `${plural(elsewhere, 'request')} went to no address below a party's base URL, and were left out`,
        ...[...strange].map(
          ([reason, count]) => `${plural(count, 'connection')} could not be read: ${reason}`,
        ),
      ),
    counts: () => counts,
  };
}
