import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Has a server take up each request so many milliseconds of host time after it came.
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

/** Has a server's streams send each event in two pieces, the second so many milliseconds of host time later. */
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
      if (!text.startsWith('id: ')) return write(text);
      const middle = Math.floor(text.length / 2);
      last = last.then(() => {
        if (!response.destroyed) write(text.slice(0, middle));
        return later(text.slice(middle));
      });
      return true;
    };
  });
}
