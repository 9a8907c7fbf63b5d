import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answersOf } from './answers.ts';
import { Book, type Order } from './order-book.ts';
import type { Quote } from './quote.ts';
import { Refusal } from './refusal.ts';
import { choicesIn } from './choices.ts';
import { manualClock, hostClock } from './clock.ts';
import { checkedOrder, checkedQuote, parsed, readText, statuses } from './bodies.ts';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';
import { type Lags, laggingViews, makerView } from './lagging-views.ts';
import { type Neighbours, neighboursOn } from './neighbours.ts';
import { type PeerParty, peerParties, keepOldOrder, sideOf } from './parties.ts';
import { tokenIssuerOf } from './tokens.ts';

export interface Peer {
  readonly port: number;
  readonly origin: string;
  readonly secret: string;
  /** Its own time. */
  readonly now: () => number;
  /** Number of times that its clock was moved by hand. */
  readonly steps: () => number;
  close(): Promise<void>;
}

interface Stream {
  readonly member: PeerParty;
  readonly response: ServerResponse;
  readonly only: string | null;
  stop: () => void;
}

/** A second backend, written from the document alone on node:http. It imports nothing of Assay. */
export async function startPeer(options: {
  readonly dialect: Dialect;
  readonly defect?: Defect;
  readonly clock?: 'host' | 'hand';
  readonly oldOrders?: number;
  /** Lag of each view in host milliseconds; none by default. */
  readonly lags?: Lags;
  readonly neighbours?: Neighbours;
}): Promise<Peer> {
  const { dialect, defect = 'none' } = options;
  const hand =
    options.clock === 'hand' ? manualClock(Date.parse('2031-05-05T08:00:00Z')) : undefined;
  const views = laggingViews(() => book, options.lags);
  const clock = views.watched(hand ?? hostClock());
  const office = tokenIssuerOf(dialect, () => clock.now(), defect);
  const streams = new Set<Stream>();
  const makers = peerParties
    .filter(({ role }) => role === 'market-maker')
    .map(({ party }) => party);
  let sequence = 0;
  let steps = 0;

  const write = (stream: Stream, event: string, data: unknown): void => {
    const lines: string[] = [];
    if (dialect.comments) lines.push(`: ${sequence}`);
    // Fields in an unusual order, which the format allows.
    lines.push(`data: ${JSON.stringify(data)}`, `event:${event}`);
    if (dialect.eventIds) lines.push(`id: ${sequence}`);
    sequence += 1;
    const text = `${lines.join(dialect.lineEnd)}${dialect.lineEnd}${dialect.lineEnd}`;
    views.later(stream.member.key, () => stream.response.write(text));
  };
  const book = new Book(
    clock,
    dialect,
    makers,
    (to, event, order, data) => {
      for (const stream of streams) {
        if (stream.member.party !== to) continue;
        if (
          stream.only &&
          stream.only.toLowerCase() !== order.id.toLowerCase() &&
          defect !== 'stream-filter-ignored'
        )
          continue;
        write(stream, event, data);
      }
    },
    defect,
  );
  const { oldOrders = 0 } = options;
  for (let index = 0; index < oldOrders; index += 1) keepOldOrder(book, index, oldOrders);

  const neighboursAct = neighboursOn(book, options.neighbours ?? 'none');

  const { send, item, list, refuse, answer } = answersOf(dialect, defect, () =>
    book.moment(clock.now()),
  );

  const isKnown = (id: string): boolean => peerParties.some(({ party }) => party === id);
  const find = (id: string): Order | undefined => book.find(id);
  const owned = (member: PeerParty, order: Order | undefined): Order => {
    if (!order) throw new Refusal('missing', 'no_such_order');
    const pass = defect === 'outsider-custodian-reads' && member.role === 'custodian';
    if (!sideOf(member, order) && !pass) throw new Refusal('foreign', 'not_yours');
    return order;
  };
  /** Refuses unknown query parameters if the dialect does. */
  const refuseOthers = (query: URLSearchParams, ...known: string[]): void => {
    const other = [...query.keys()].find((name) => !known.includes(name));
    if (dialect.unknownRefused && other !== undefined) throw new Refusal('form', other);
  };
  const paging = [dialect.pageParam, dialect.sizeParam];
  const choose = choicesIn(book);
  const filtered = <T extends { status: string }>(
    query: URLSearchParams,
    all: readonly T[],
    owner: string,
    isMine: (item: T) => boolean = () => true,
  ): readonly T[] => {
    refuseOthers(query, ...paging, 'status');
    const wanted = query.get('status');
    const mine = () => choose(all, owner, isMine);
    if (wanted === null) return mine();
    if (!statuses.includes(wanted)) {
      if (dialect.unknownStatus === 'refuse') throw new Refusal('form', 'status');
      if (dialect.unknownStatus === 'ignore') return mine();
    }
    return choose(all, `${owner} ${wanted}`, (item) => item.status === wanted && isMine(item));
  };

  function openStream(
    member: PeerParty,
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
  ): void {
    refuseOthers(query, ...(member.role === 'market-maker' ? [] : ['intent_id']));
    const only = query.get('intent_id');
    if (dialect.unknownRefused && only !== null) owned(member, find(only));
    response.writeHead(200, {
      'content-type': 'text/event-stream;charset=UTF-8',
      'cache-control': 'no-store',
    });
    response.write(
      dialect.bom
        ? `\uFEFF:hi${dialect.lineEnd}${dialect.lineEnd}`
        : `retry: 500${dialect.lineEnd}${dialect.lineEnd}`,
    );
    const stream: Stream = { member, response, only, stop: () => {} };
    streams.add(stream);
    const beat = () => {
      write(
        stream,
        'heartbeat',
        dialect.beat === 'empty'
          ? {}
          : dialect.beat === 'time'
            ? { at: book.moment(clock.now()) }
            : sequence,
      );
    };
    const again = () => {
      stream.stop = clock.after(defect === 'heartbeat-every-45s' ? 45_000 : 30_000, () => {
        beat();
        again();
      });
    };
    if (dialect.beatOnConnect) beat();
    again();
    request.on('close', () => {
      stream.stop();
      streams.delete(stream);
    });
  }

  async function order(
    member: PeerParty,
    parts: string[],
    method: string,
    body: unknown,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (member.role === 'market-maker') throw new Refusal('role', 'makers_not_here');
    const [id, what, quoteId, last] = parts;
    if (id === 'events' && method === 'GET' && !what)
      return openStream(member, request, response, query);
    if (!id) {
      if (method === 'POST') {
        if (member.role !== 'institution') throw new Refusal('role', 'institutions_only');
        refuseOthers(query);
        return item(
          response,
          dialect.createStatus,
          book.view(book.create(member.party, checkedOrder(body, dialect, isKnown))),
        );
      }
      const forgets =
        defect === 'filter-forgets-custodian' && query.has('status') && member.role === 'custodian';
      const isMine = (entry: Order): boolean => {
        const side = sideOf(member, entry);
        if (member.role === 'institution') return side === 'sender';
        return forgets || side === 'custodian' || (side === 'receiver' && dialect.receiverLists);
      };
      const seen = views.look(member.key, 'orders');
      const all = seen.orders(book.ofParty.get(member.party) ?? []);
      const owner = `orders of ${member.party} ${forgets}`;
      return list(response, query, filtered(query, all, owner, isMine), (entry) =>
        book.view(entry),
      );
    }
    const reads = method === 'GET';
    const seen = views.look(member.key, reads && (what ? 'order-quotes' : 'order'));
    const found = owned(member, seen.order(find(id)));
    const side = sideOf(member, found);
    if (!reads || !what) refuseOthers(query);
    if (!reads && dialect.unknownRefused && body !== undefined) throw new Refusal('form', 'body');
    if (reads && !what) return item(response, 200, book.view(found));
    if (reads && what === 'quotes' && !quoteId) {
      if (side === 'receiver' && !dialect.receiverQuotes) throw new Refusal('role', 'read_only');
      refuseOthers(query, ...paging);
      return list(response, query, seen.quotes(found.quotes), (quote) =>
        book.quoteView(quote, true),
      );
    }
    if (reads) throw new Refusal('missing', 'path');
    if (side === 'receiver' && defect !== 'receiver-custodian-accepts')
      throw new Refusal('role', 'read_only');
    if (what === 'cancel' && !quoteId) {
      if (side !== 'sender') throw new Refusal('role', 'sender_only');
      book.cancel(found);
      return answer(response, dialect.cancelAnswer, book.view(found));
    }
    if (what === 'accept' && !quoteId) {
      if (side !== 'custodian') throw new Refusal('role', 'custodian_only');
      return answer(response, dialect.proposalAnswer, book.view(found));
    }
    if (what === 'quotes' && quoteId && last === 'accept') {
      const same = (entry: { id: string }) => entry.id.toLowerCase() === quoteId.toLowerCase();
      const quote =
        found.quotes.find(same) ??
        (defect === 'any-orders-quote' ? [...book.quotesOf.values()].flat().find(same) : undefined);
      const view = book.view(book.accept(found, quote));
      if (side === 'sender') return item(response, dialect.otherStatus, view);
      const { intent_id, status, quote_id, fx_rate, source_amount_actual, quote_accepted_at } =
        view;
      return item(response, dialect.otherStatus, {
        intent_id,
        status,
        quote_id,
        fx_rate,
        source_amount_actual,
        quote_accepted_at,
      });
    }
    throw new Refusal('missing', 'path');
  }

  function maker(
    member: PeerParty,
    area: string,
    parts: string[],
    method: string,
    body: unknown,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (member.role !== 'market-maker') throw new Refusal('role', 'makers_only');
    const [id, what] = parts;
    const seen = views.look(member.key, method === 'GET' && makerView(area, id, what));
    const showsAll = defect === 'maker-lists-rival-quotes';
    const isMine = (quote: Quote): boolean => quote.maker === member.party || showsAll;
    const mine = showsAll
      ? [...book.quotesOf.values()].flat()
      : (book.quotesOf.get(member.party) ?? []);
    if (area === 'events' && method === 'GET') return openStream(member, request, response, query);
    if (area === 'quotes' && method === 'GET' && !id)
      return list(
        response,
        query,
        filtered(query, seen.quotes(mine), `quotes of ${member.party}`),
        (quote) => book.quoteView(quote, false),
      );
    if (area === 'settlements' && method === 'GET') {
      const won = seen.orders(book.wonBy.get(member.party) ?? []).filter(({ settled }) => settled);
      refuseOthers(query, ...(id ? [] : paging));
      if (!id) return list(response, query, won, (entry) => book.settlement(entry));
      const one = won.find((entry) => entry.id.toLowerCase() === id.toLowerCase());
      if (!one) throw new Refusal('missing', 'no_settlement');
      return item(response, 200, book.settlement(one));
    }
    if (area !== 'quote-requests') throw new Refusal('missing', 'path');
    if (!id && method === 'GET') {
      refuseOthers(query, ...paging);
      return list(response, query, seen.pending(), (entry) => book.rfq(entry, true));
    }
    const found = seen.order(find(id ?? ''));
    if (!found) throw new Refusal('missing', 'no_request');
    if (!what && method === 'GET') {
      if (found.status !== 'PENDING' && !dialect.closedRfqReadable)
        throw new Refusal('missing', 'closed');
      refuseOthers(query);
      return item(response, 200, book.rfq(found, false));
    }
    if (what !== 'quotes') throw new Refusal('missing', 'path');
    refuseOthers(query, ...(method === 'GET' ? paging : []));
    if (method === 'GET') {
      const own = seen.quotes(found.quotes).filter(isMine);
      return list(response, query, own, (quote) => book.quoteView(quote, false));
    }
    const { fx_rate, target_amount, valid_until } = checkedQuote(body, dialect);
    const quote = book.submit(member.party, found, fx_rate, target_amount, valid_until);
    item(response, defect === 'submit-answers-200' ? 200 : 201, book.quoteView(quote, false));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://peer');
    const [key, ...rest] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    const method = request.method ?? 'GET';
    const text = await readText(request);
    if (key === '_clock' && hand) {
      if (method === 'POST') steps += 1;
      if (method === 'POST') await hand.advanceTo(hand.now() + Number(JSON.parse(text).ms));
      return send(response, 200, { now: new Date(hand.now()).toISOString(), ms: hand.now() });
    }
    neighboursAct();
    const member = peerParties.find((entry) => entry.key === key);
    if (!member) return refuse(response, 404, 'nobody');
    const path = rest.join('/');
    if (path === 'health' && method === 'GET') {
      response.writeHead(200, { 'content-type': dialect.health.type });
      response.end(dialect.health.text);
      return;
    }
    if (path === 'auth/token' && method === 'POST') {
      return item(response, dialect.otherStatus, {
        token: office.issue(member.party, member.role),
        token_type: 'Bearer',
        expires_in: dialect.tokenSeconds,
        canton_party_id: member.party,
        role: member.role,
      });
    }
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const claims = scheme?.toLowerCase() === 'bearer' ? office.check(token) : 'bad';
    if (claims === 'expired')
      return refuse(response, defect === 'expired-token-403' ? 403 : 401, 'expired');
    if (claims === 'bad' || claims.sub !== member.party) throw new Refusal('auth', 'token');
    if (rest[0] !== 'api' || rest[1] !== 'v1') throw new Refusal('missing', 'path');
    const [area, ...parts] = rest.slice(2);
    if (area === 'whoami' || area === 'dashboard') refuseOthers(url.searchParams);
    if (area === 'whoami' && method === 'GET') {
      return item(response, 200, {
        party_id: member.party,
        operator_party_id: 'Operator::0f',
        role: member.role,
        participant_id: dialect.participantId,
        schema_version: defect === 'whoami-v3' ? 'v3' : 'v2',
      });
    }
    if (area === 'dashboard' && parts[0] === 'stats' && method === 'GET')
      return item(response, 200, { totals: { seen: book.size } });
    const body = method === 'POST' && text !== '' ? parsed(text) : undefined;
    if (area === 'orders')
      return order(member, parts, method, body, url.searchParams, request, response);
    maker(member, area ?? '', parts, method, body, url.searchParams, request, response);
  }

  const server = createServer((request, response) => {
    handle(request, response)
      .catch((error: unknown) => {
        if (error instanceof Refusal)
          refuse(response, dialect.statuses[error.kind] ?? 400, error.message);
        else refuse(response, 500, String(error));
      })
      .finally(views.changed);
  });
  server.keepAliveTimeout = 30_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    secret: office.secret,
    now: () => clock.now(),
    steps: () => steps,
    close: () =>
      new Promise((resolve) => {
        for (const stream of streams) {
          stream.stop();
          stream.response.destroy();
        }
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
