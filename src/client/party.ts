import type { Exchange } from '../history/records.ts';
import { selfOf } from '../history/worlds.ts';
import { fieldsOf, noAnswerReason } from '../protocol/answers.ts';
import { type EndpointName, endpoints, matchEndpoint, pathOf } from '../spec/endpoints.ts';
import { streamEndpoint, streamOf } from '../spec/events.ts';
import type { CastName } from '../spec/requirements/requirement.ts';
import { createMemoryBudget } from './payload/memory-budget.ts';
import type {
  CallKind,
  CallOptions,
  CallPolicy,
  ListenOptions,
  OpeningObserver,
  Party,
  SendOptions,
} from './contract.ts';
import { type BackoffOptions, createBackoff } from './rate-limit/backoff.ts';
import { isMissingByUs, type PreparedRequest, type PartyContext, runExchange } from './exchange.ts';
import { reconnectingStream, openStream } from './sse/event-streams.ts';
import { jwtPart } from '../protocol/jwt.ts';
import { createTokens, type TokenProvider } from './tokens.ts';

export interface PartyOptions extends Omit<PartyContext, 'party' | 'backoff' | 'memoryBudget'> {
  readonly name: CastName;
  /** Options for waiting after a 429. */
  readonly backoff?: BackoffOptions;
  /** A token from elsewhere, or a function that gets one. Absent: the party's own `POST /auth/token`. */
  readonly token?: TokenProvider;
  /** Driver name for its own calls (tokens, identity, the shared stream) in the records; by default `party.<name>`. */
  readonly self?: string;
}

/** Preflight result for one party. */
export interface ReachResult {
  /** Absent if the token came from elsewhere. */
  readonly token?: Exchange;
  readonly identity: Exchange;
}

/** The connection to one party, shared by all checks that act as it. */
export interface OpenParty {
  /** Gets a token and reads the party's identity. Never throws for an answer of the target: the exchanges show it. */
  reach(): Promise<ReachResult>;
  /** Opens the stream that all users share, and keeps it open from then on. */
  openEvents(): Promise<Exchange>;
  /** The party as driven by `by`. */
  as(by: string, policy?: CallPolicy): Party;
  /** Ends the shared stream and the connections. */
  close(): Promise<void>;
}

/** Destination of a request, before the caller's options are added. */
interface Destination extends Pick<PreparedRequest, 'method' | 'endpoint'> {
  /** Path without its query. */
  readonly bare: string;
  readonly params?: PreparedRequest['params'];
  /** Query on the wire. */
  readonly search?: string;
}

const bodyOf = ({ body, rawBody }: CallOptions): PreparedRequest['body'] => {
  if (rawBody !== undefined) return { shown: rawBody, sent: rawBody };
  return body === undefined ? undefined : { shown: body, sent: JSON.stringify(body) };
};

/** Kind of a call by its method. */
export const kindOf = (method: string): CallKind => ({
  reads: method === 'GET' || method === 'HEAD',
});

/** One party of a target as seen from outside. */
export function createParty(options: PartyOptions): OpenParty {
  const { name, role, timeline } = options;
  const self = options.self ?? selfOf(name);
  const context: PartyContext = {
    ...options,
    party: name,
    backoff: createBackoff(timeline, options.backoff),
    memoryBudget: createMemoryBudget(options.recorder.room),
  };
  const tokens = createTokens({
    role,
    timeline,
    provider: options.token,
    keepSecret: (token) => options.recorder.secrets.add(token),
    async send(body) {
      const asked = { credential: { label: 'none' }, ...(body && { body }) };
      const first = await exchange(self, 'token.create', asked);
      const isLost = noAnswerReason(first) !== undefined && !isMissingByUs(first);
      // A second token changes nothing but the number of tokens.
      return isLost ? exchange(self, 'token.create', asked) : first;
    },
  });
  let partyId: string | undefined;

  async function prepare(
    by: string,
    to: Destination,
    asked: CallOptions,
  ): Promise<PreparedRequest> {
    const { endpoint, method, bare, search = '' } = to;
    const added = asked.query ? new URLSearchParams(asked.query).toString() : '';
    const query = search === '' || added === '' ? search + added : `${search}&${added}`;
    const { credential } = asked;
    if (!credential && !tokens.isFresh()) await tokens.refresh();
    return {
      by,
      endpoint,
      method,
      path: query === '' ? bare : `${bare}?${query}`,
      params: asked.params ?? to.params ?? {},
      query: query === '' ? {} : Object.fromEntries(new URLSearchParams(query)),
      headers: asked.headers ?? {},
      body: bodyOf(asked),
      correlation: asked.correlation,
      auth: credential?.label ?? tokens.label(),
      token: credential ? credential.token : tokens.current() || undefined,
    };
  }

  type Asked = CallOptions & SendOptions;

  async function run(by: string, to: Destination, asked: Asked): Promise<Exchange> {
    const { transport } = options;
    const prepared = {
      ...(await prepare(by, to, asked)),
      prompt: asked.prompt,
      still: asked.still,
    };
    const outcome = await runExchange(context, prepared, (request) => transport.request(request));
    return outcome.exchange;
  }

  const exchange = (by: string, endpoint: EndpointName, asked: Asked): Promise<Exchange> => {
    const { method } = endpoints[endpoint];
    return run(by, { endpoint, method, bare: pathOf(endpoint, asked.params) }, asked);
  };

  function send(by: string, method: string, path: string, asked: Asked): Promise<Exchange> {
    const [bare = '', search = ''] = path.split(/\?(.*)/s);
    const known = matchEndpoint(method, bare);
    const to = {
      method,
      bare: bare.startsWith('/') ? bare : `/${bare}`,
      search,
      ...(known && { endpoint: known.name, params: known.params }),
    };
    return run(by, to, asked);
  }

  async function askForStream(
    by: string,
    listen: ListenOptions,
    watch?: OpeningObserver,
  ): Promise<PreparedRequest> {
    const endpoint = listen.endpoint ?? streamEndpoint[streamOf(role)];
    const { intentId, lastEventId, credential } = listen;
    const asked = await prepare(
      by,
      { endpoint, method: 'GET', bare: pathOf(endpoint) },
      {
        ...(intentId !== undefined && { query: { intent_id: intentId } }),
        headers: {
          accept: 'text/event-stream',
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        ...(credential && { credential }),
      },
    );
    return { ...asked, ...watch };
  }

  const events = reconnectingStream(context, (lastEventId) =>
    askForStream(self, lastEventId === undefined ? {} : { lastEventId }),
  );

  return {
    async reach() {
      await tokens.refresh();
      const identity = await exchange(self, 'identity.read', {});
      const token = tokens.lastExchange();
      const candidates = [
        fieldsOf(identity)['party_id'],
        token && fieldsOf(token)['canton_party_id'],
        jwtPart(tokens.current(), 'claims')?.['sub'],
      ];
      partyId = candidates.find((id) => typeof id === 'string');
      return { ...(token && { token }), identity };
    },
    openEvents: () => events.open(),
    as: (by, policy) => ({
      name,
      role,
      baseUrl: options.transport.baseUrl,
      get partyId() {
        return partyId ?? '';
      },
      get token() {
        return tokens.current();
      },
      call(endpoint, asked = {}) {
        const send = (how?: SendOptions) => exchange(by, endpoint, { ...asked, ...how });
        return policy ? policy.call(send, kindOf(endpoints[endpoint].method)) : send();
      },
      send(method, path, asked = {}) {
        const sendIt = (how?: SendOptions) => send(by, method, path, { ...asked, ...how });
        return policy ? policy.call(sendIt, kindOf(method)) : sendIt();
      },
      listen(listen = {}) {
        const open = async (observer?: OpeningObserver) =>
          openStream(context, await askForStream(by, listen, observer));
        return policy ? policy.listen(open) : open();
      },
      get events() {
        return policy ? policy.stream(events) : events;
      },
    }),
    async close() {
      await events.close();
      await options.transport.close();
    },
  };
}
