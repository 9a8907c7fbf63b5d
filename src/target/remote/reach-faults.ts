import { type Proxy, proxyFor, proxyVariablesIn, type Route } from '../../client/http/route.ts';
import type { ConnectionFault, Exchange } from '../../history/records.ts';
import type { Participant } from '../file/target-file.ts';

/** Reason why a party was not reached, with the remedy. */
export interface ReachFault {
  /** Kind of error; equal for all parties that it keeps away. */
  readonly error: string;
  readonly said: string;
  readonly expected: string;
  readonly hint: string;
}

interface Place {
  readonly url: URL;
  readonly route: Route;
}

type Told = Omit<ReachFault, 'error'>;

const schemeOf = (url: URL, scheme: 'http' | 'https'): string =>
  `base_url: "${scheme}://${url.host}${url.pathname.replace(/\/$/, '')}"`;

const faults: Readonly<Record<ConnectionFault, (place: Place) => Told>> = {
  unknown_authority: () => ({
    said: 'its certificate is of an authority that is not known here',
    expected: 'a certificate of a public authority, or of one that the target file names',
    hint: 'name the certificate of the authority: tls: { ca: { file: PATH } }',
  }),
  certificate_wanted: ({ route }) => ({
    said: `it wants a certificate of the client${route.tls?.cert ? ', and refuses the one of tls.cert' : ''}`,
    expected: 'a client certificate that it knows',
    hint: 'name it with its key: tls: { cert: { file: PATH }, key: { file: PATH } }',
  }),
  wrong_host: ({ url, route }) => ({
    said: `its certificate is not for ${route.tls?.servername ?? url.hostname}`,
    expected: 'a certificate that names the host of base_url',
    hint: 'if it is the right backend, name the host in its certificate: tls: { server_name: NAME }',
  }),
  tls_on_plain: ({ url }) => ({
    said: 'it does not speak TLS on this port',
    expected: 'TLS, as base_url begins with https',
    hint: schemeOf(url, 'http'),
  }),
  plain_on_tls: ({ url }) => ({
    said: 'it speaks TLS on this port',
    expected: 'plain HTTP, as base_url begins with http',
    hint: schemeOf(url, 'https'),
  }),
  http2_only: () => ({
    said: 'it speaks HTTP/2 only',
    expected: 'HTTP/1.1, which the suite speaks (decision 39)',
    hint: 'let the gateway in front of it speak HTTP/1.1 as well',
  }),
  unknown_encoding: () => ({
    said: 'it encodes its answers in a way that is not known here',
    expected: 'content-encoding gzip, deflate or br, or none',
    hint: 'no request asks for an encoding: switch it off for requests without accept-encoding',
  }),
  name_unknown: ({ url, route }) => ({
    said: `the name ${url.hostname} is not known${proxyWords(proxyFor(route, url))}`,
    expected: 'a host that this machine, or the proxy, can resolve',
    hint: nameHint(route, url),
  }),
};

const proxyWords = (proxy: Proxy | undefined): string =>
  proxy ? ` (nor that of the proxy ${proxy.url.host}, by ${proxy.source})` : '';

/** A proxy that is named and not used is the likeliest reason. */
function nameHint(route: Route, url: URL): string {
  const { proxy } = route;
  const set = proxy && 'env' in proxy ? proxyVariablesIn(proxy.env) : [];
  if (set.length > 0) {
    return `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set, and no proxy is used for ${url.host}: see NO_PROXY, or say proxy: ADDRESS`;
  }
  return proxy
    ? 'is the host of base_url right?'
    : 'no proxy is used: say proxy: ADDRESS if there is one';
}

const longestBody = 300;

/** A body that is no JSON is that of a gateway: an error page, most often. */
function gatewayBody({ response }: Exchange): string | undefined {
  const text = response?.text?.trim().replaceAll(/\s+/g, ' ') ?? '';
  return text === '' ? undefined : text.slice(0, longestBody);
}

/** Fault in an answer that no backend of the interface gives to a token request or an identity request. */
function answerFault({ url }: Place, exchange: Exchange): ReachFault | undefined {
  const { status = 0, headers = {} } = exchange.response ?? {};
  const { method, path } = exchange.request;
  const said = `${method} ${path} answered ${status}`;
  const { location } = headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    return {
      error: 'redirect',
      said: `${said}, a redirect to ${location}`,
      expected: 'the address that it leads to',
      hint: redirectHint(url, path, location),
    };
  }
  const body = gatewayBody(exchange);
  if (status === 403 && body !== undefined) {
    return {
      error: 'gateway_403',
      said: `${said}: ${body}`,
      expected: 'an answer of the backend; this one is of something in front of it',
      hint: 'name what it wants by headers: or tls:',
    };
  }
  if ((status === 404 || status === 405) && /\/api(?:\/v1)?$/.test(url.pathname)) {
    const bare = `${url.origin}${url.pathname.replace(/\/api(?:\/v1)?$/, '')}`;
    return {
      error: 'prefix',
      said: `${said}, and base_url holds ${url.pathname.slice(url.pathname.lastIndexOf('/api'))}`,
      expected: 'an address without the prefix /api/v1, which the paths of part 4 have',
      hint: `base_url: "${bare}"`,
    };
  }
  return undefined;
}

function redirectHint(url: URL, path: string, location: string): string {
  const asked = new URL(`${url.origin}${url.pathname.replace(/\/$/, '')}${path}`);
  if (!URL.canParse(location, asked.href)) return 'the address of the redirect cannot be read';
  const to = new URL(location, asked);
  if (to.pathname === `${asked.pathname}/` && to.origin === asked.origin) {
    return 'it wants a slash at the end of paths, which part 4 has without';
  }
  return to.pathname.endsWith(path)
    ? `base_url: "${to.origin}${to.pathname.slice(0, -path.length)}"`
    : 'is a login in front of it? Name what it wants by headers: or tls:';
}

/** Fault that the first exchange with a party shows in the connection; undefined if it shows no known one. */
export function reachFaultOf(
  { baseUrl, route }: Pick<Participant, 'baseUrl' | 'route'>,
  exchange: Exchange,
): ReachFault | undefined {
  const place = { url: new URL(baseUrl), route };
  const { error } = exchange;
  if (!error) return answerFault(place, exchange);
  if (error.code === 'limit') return undefined;
  if (error.code === 'reset' && place.url.protocol === 'http:') {
    const { method, path } = exchange.request;
    return {
      error: 'reset',
      said: `${method} ${path}: ${error.message}`,
      expected: 'an answer over plain HTTP, as base_url begins with http',
      hint: `is the backend well? If this port speaks TLS: ${schemeOf(place.url, 'https')}`,
    };
  }
  if (error.fault === undefined) return undefined;
  return { error: error.fault, ...faults[error.fault](place) };
}
