import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Bytes that one connection carried, in both directions. */
export interface Carried {
  readonly sent: readonly Buffer[];
  readonly received: readonly Buffer[];
}

export interface WireTap {
  readonly port: number;
  /** The bytes of each connection as two texts, one character a byte. The order has no meaning. */
  carried(): readonly (readonly [sent: string, received: string])[];
  close(): Promise<void>;
}

const all = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString('latin1');

/** Passes bytes on to another port, and keeps a copy of them. It knows nothing of HTTP. */
export async function startWireTap(to: number): Promise<WireTap> {
  const carried: Carried[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const [sent, received]: [Buffer[], Buffer[]] = [[], []];
    carried.push({ sent, received });
    const backend = connect({ port: to, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    for (const [from, other, kept] of [
      [client, backend, sent],
      [backend, client, received],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes: Buffer) => {
        kept.push(bytes);
        other.write(bytes);
      });
      from.on('end', () => other.end());
      from.on('error', () => {});
      from.on('close', (hadError) => {
        sockets.delete(from);
        if (hadError) other.resetAndDestroy();
        else other.destroySoon();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    carried: () =>
      carried
        .map(({ sent, received }) => [all(sent), all(received)] as const)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
