import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes a server take up each request after a delay in host time.
 * @param delayMs for each of them
 */
export function delayRequests(server: Server, delayMs: (request: IncomingMessage) => number): void {
  const handlers = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const handle = (): void => {
      for (const one of handlers) one.call(server, request, response);
    };
    const ms = delayMs(request);
    if (ms > 0) setTimeout(handle, ms);
    else handle();
  });
}

/** Delays each event of the streams below a path, in host time. */
export function delayEvents(server: Server, delayMs: number, below = '/'): void {
  server.prependListener('request', ({ url = '' }, response: ServerResponse) => {
    if (!url.startsWith(below)) return;
    const write = response.write.bind(response) as (...args: unknown[]) => boolean;
    response.write = (...args: unknown[]): boolean => {
      if (!isEvent(args[0])) return write(...args);
      setTimeout(() => void (response.destroyed || write(...args)), delayMs);
      return true;
    };
  });
}

/** All but heartbeats have an id. */
const isEvent = (chunk: unknown): boolean => String(chunk).startsWith('id: ');

/** Makes the streams of a server send each event in two pieces, `pauseMs` of host time apart. */
export function sendEventsInPieces(server: Server, pauseMs: number): void {
  server.prependListener('request', (_, response: ServerResponse) => {
    const write = response.write.bind(response) as (text: string) => boolean;
    let last = Promise.resolve();
    const later = (text: string): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(() => {
          if (!response.destroyed) write(text);
          resolve();
        }, pauseMs);
      });
    response.write = (chunk: unknown): boolean => {
      const text = String(chunk);
      if (!isEvent(text)) return write(text);
      const middle = Math.floor(text.length / 2);
      last = last.then(() => {
        if (!response.destroyed) write(text.slice(0, middle));
        return later(text.slice(middle));
      });
      return true;
    };
  });
}
