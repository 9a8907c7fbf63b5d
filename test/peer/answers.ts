import type { ServerResponse } from 'node:http';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';
import { Refusal } from './refusal.ts';

/** Answers of a peer: one resource, a page of a list, a refusal. `moment` is the time as text. */
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

  /** A whole number of at least `least`, or nothing where none is asked for. */
  const numberIn = (query: URLSearchParams, name: string, least: number): void => {
    const text = query.get(name);
    if (text !== null && !(/^\d+$/.test(text) && Number(text) >= least))
      throw new Refusal('form', name);
  };

  /** One page of the list, oldest first. Other pages are not written, however many there are. */
  const list = <T>(
    response: ServerResponse,
    query: URLSearchParams,
    all: readonly T[],
    view: (item: T) => unknown,
  ): void => {
    if (dialect.unknownRefused) {
      numberIn(query, dialect.sizeParam, 1);
      numberIn(query, dialect.pageParam, dialect.offsets ? 0 : dialect.firstPage);
      if (Number(query.get(dialect.sizeParam)) > dialect.maxSize)
        throw new Refusal('form', dialect.sizeParam);
    }
    const asked = Number(query.get(dialect.sizeParam) ?? dialect.defaultSize);
    const size = Math.min(
      dialect.maxSize,
      Math.max(1, Number.isInteger(asked) ? asked : dialect.defaultSize),
    );
    const first = dialect.offsets ? 0 : dialect.firstPage;
    const wanted = Number(query.get(dialect.pageParam) ?? first);
    const position = Number.isInteger(wanted) && wanted >= 0 ? wanted : first;
    const from = dialect.offsets ? position : (position - dialect.firstPage) * size;
    const page = dialect.offsets ? Math.floor(from / size) + dialect.firstPage : position;
    const at = (place: number): T | undefined =>
      place < 0 ? undefined : dialect.newestFirst ? all[all.length - 1 - place] : all[place];
    const shown = Array.from({ length: size }, (_, place) => at(from + place)).filter(
      (item) => item !== undefined,
    );
    const before = at(from - 1);
    if (defect === 'last-page-repeats-an-item' && from >= 2 * size && shown[0] && before)
      shown[0] = before;
    const pages = Math.ceil(all.length / size);
    send(response, 200, {
      data: shown.map(view),
      meta: meta(),
      pagination: {
        page,
        page_size: size,
        total_items: all.length,
        total_pages: pages === 0 ? dialect.emptyPages : pages,
      },
    });
  };

  /** The answer to an operation whose result the document leaves open. */
  const answer = (
    response: ServerResponse,
    how: 'order' | 'nothing' | 'note',
    view: Record<string, unknown>,
  ): void => {
    if (how === 'nothing') return send(response, 204);
    item(
      response,
      dialect.otherStatus,
      how === 'order' ? view : { intent_id: view.intent_id, noted: true },
    );
  };

  return { send, item, list, refuse, answer };
}
