import {
  environmentRules,
  type ProxyRules,
  type Route,
  type TlsMaterial,
} from '../../client/http/route.ts';
import {
  anyText,
  bare,
  described,
  mapOf,
  mapShape,
  record,
  type Shape,
  yesOrNo,
} from '../../yaml/index.ts';
import type { FileHost } from '../../yaml/index.ts';
import { keyMaterial, secret, text } from './values.ts';

/** Headers that the suite sets itself, or that frame a message. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

const literalValue = bare(anyText('the value of a header, or { env: NAME }'));
const headerValue: Shape<string> = {
  read: (node, reader) =>
    node.kind === 'map' ? secret.read(node, reader)?.value : literalValue.read(node, reader),
  schema: { anyOf: [literalValue.schema, secret.schema] },
};

const headers = mapShape(
  mapOf(headerValue, 'the headers', /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'the name of a header'),
  (entries, reader) => {
    const read = entries.map(({ key, at, value }) => {
      const name = key.toLowerCase();
      if (ownHeaders.has(name)) {
        reader.add(at, `the header ${name} is set by the suite`, {
          hint: 'a token is named by `token:` of a participant',
        });
      }
      return [name, value] as const;
    });
    return Object.fromEntries(read);
  },
);

const tls: Shape<TlsMaterial> = mapShape(
  record('tls', {
    ca: described(keyMaterial('certificate'), 'Certificates to trust, in PEM.'),
    cert: described(keyMaterial('certificate'), 'The client certificate, in PEM.'),
    key: described(keyMaterial('key'), 'Its private key, in PEM.'),
    passphrase: mapShape(secret, ({ value }) => value),
    server_name: described(
      text('the name of a host'),
      'The host name in the certificate, if it is not that of the address.',
    ),
  }),
  ({ at, server_name: servername, ...material }, reader) => {
    if ((material.cert === undefined) !== (material.key === undefined)) {
      reader.add(at, 'a client certificate needs its key, and a key its certificate', {
        expected: 'both cert and key',
      });
    }
    return { ...material, ...(servername !== undefined && { servername }) };
  },
);

/** Keys of a file and of each of its participants. */
export const routeKeys = {
  headers: described(
    headers,
    'Headers that a gateway wants with each request: a text, or { env: NAME }.',
  ),
  tls: described(tls, 'How connections are secured.'),
};

/** The proxy for every address; undefined for `none`. */
const proxy: Shape<{ readonly rules?: ProxyRules }> = mapShape(
  text('the address of an HTTP proxy, or none'),
  (written, reader, { place }) => {
    if (written === 'none') return {};
    const url = URL.canParse(written) ? new URL(written) : undefined;
    if (url?.protocol === 'http:' || url?.protocol === 'https:') {
      return { rules: { url: written, source: 'the target file' } };
    }
    return reader.add(place, `${JSON.stringify(written)} is not the address of an HTTP proxy`, {
      expected: 'an address such as http://proxy.example:3128, or none',
    });
  },
);

/** Keys of a file that concern the routes to all addresses. */
export const commonRouteKeys = {
  proxy: described(
    proxy,
    'The HTTP proxy for every address, or none. Without it, HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide.',
  ),
  insecure: described(yesOrNo, 'Accept any certificate. Only for addresses of this machine.'),
};

interface RouteRead {
  readonly headers?: Route['headers'];
  readonly tls?: TlsMaterial;
}

/** The route to all addresses of a target. */
export function routeOfAll(
  read: RouteRead & {
    readonly proxy?: { readonly rules?: ProxyRules };
    readonly insecure?: { readonly value: boolean };
  },
  { env }: FileHost,
): Route {
  const rules = read.proxy ? read.proxy.rules : environmentRules(env);
  return {
    headers: read.headers ?? {},
    tls: { ...read.tls, ...(read.insecure?.value && { rejectUnauthorized: false }) },
    ...(rules && { proxy: rules }),
  };
}

/** The route to one participant, with keys of its own. */
export const routeOf = ({ headers: own, tls: ownTls }: RouteRead, ofAll: Route): Route => ({
  ...ofAll,
  headers: { ...ofAll.headers, ...own },
  tls: { ...ofAll.tls, ...ownTls },
});
