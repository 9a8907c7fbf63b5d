import type { ServerResponse } from 'node:http';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';

/** How a peer answers: one resource, a page of a list, a refusal. `moment` writes the present one. */
export function answersOf(dialect: Dialect, defect: Defect, moment: () => string) {
  let sequence = 0;
  const meta = () => ({
    request_id: `r-${(sequence += 1)}`,
    timestamp: moment(),
    node: 'n1',
  });
  const send = (response: ServerResponse, status: number, body?: unknown): void => {
    response.writeHead(status, body === undefined ? {} : { 'content-type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  const item = (response: ServerResponse, status: number, data: unknown) =>
    send(response, status, { meta: meta(), data });
  const refuse = (response: ServerResponse, status: number, code: string): void => {
    const { type, text } = dialect.errorBody(status, code);
    response.writeHead(status, { 'content-type': type });
    response.end(text);
  };

  const list = (
    response: ServerResponse,
    query: URLSearchParams,
    all: readonly unknown[],
  ): void => {
    const items = dialect.newestFirst ? all.toReversed() : all;
    const asked = Number(query.get(dialect.sizeParam) ?? dialect.defaultSize);
    const size = Math.min(
      dialect.maxSize,
      Math.max(1, Number.isInteger(asked) ? asked : dialect.defaultSize),
    );
    const position = Number(
      query.get(dialect.pageParam) ?? (dialect.offsets ? 0 : dialect.firstPage),
    );
    const from = dialect.offsets ? position : (position - dialect.firstPage) * size;
    const page = dialect.offsets ? Math.floor(from / size) + dialect.firstPage : position;
    const shown = items.slice(from, from + size);
    if (defect === 'last-page-repeats-an-item' && from >= 2 * size && shown[0] !== undefined)
      shown[0] = items[from - 1];
    const pages = Math.ceil(items.length / size);
    send(response, 200, {
      data: shown,
      meta: meta(),
      pagination: {
        page,
        page_size: size,
        total_items: items.length,
        total_pages: pages === 0 ? dialect.emptyPages : pages,
      },
    });
  };

  return { send, item, list, refuse };
}
