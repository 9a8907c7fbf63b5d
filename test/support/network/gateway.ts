import http, { type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Passes each request on to a backend, unless it is refused. */
export function passOn(
  backend: string,
  refusalOf: (request: IncomingMessage) => Refusal | undefined,
): RequestListener {
  const { hostname, port } = new URL(backend);
  return (request, response) => {
    const refusal = refusalOf(request);
    if (refusal) {
      response.writeHead(refusal.status, { 'content-type': refusal.type }).end(refusal.body);
      return;
    }
    const { method, url, headers } = request;
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // The headers of an event stream must not wait for its first event.
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
}

/** The body of a message. */
export async function whole(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Listens on loopback; `http://127.0.0.1:PORT`. */
export const originOf = async (server: Server): Promise<string> =>
  `http://127.0.0.1:${await listenOnLoopback(server)}`;

export async function closeServer(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A plain gateway on loopback. */
export async function startGateway(
  backend: string,
  refusalOf: (request: IncomingMessage) => Refusal | undefined,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  const server = http.createServer(passOn(backend, refusalOf));
  return { origin: await originOf(server), close: () => closeServer(server) };
}
