import {
  environmentRules,
  type ProxyRules,
  type Route,
  type TlsMaterial,
} from '../../client/http/route.ts';
import type { YamlNode } from '../../yaml/index.ts';
import { Secret, Tls } from './json-schema.ts';
import type { TargetReader } from './target-reader.ts';

/** Keys of a file, or of one of its participants, that set the route of requests. */
export interface RouteNodes {
  readonly headers?: YamlNode;
  readonly tls?: YamlNode;
}

/** The routes of a target: for all its addresses, and for one participant with keys of its own. */
export interface Routes {
  readonly ofAll: Route;
  of(own: RouteNodes): Route;
}

/** Reads `headers`, `tls`, `proxy` and `insecure` of a target file. */
export function readRoutes(
  nodes: RouteNodes & { readonly proxy?: YamlNode; readonly insecure?: YamlNode },
  reader: TargetReader,
): Routes {
  const isInsecure = reader.word(nodes.insecure, ['true', 'false']) === 'true';
  const proxy = readProxy(nodes.proxy, reader);
  const proxied = proxy && { proxy };
  const ofAll: Route = {
    headers: readHeaders(nodes.headers, reader),
    tls: { ...readTls(nodes.tls, reader), ...(isInsecure && { rejectUnauthorized: false }) },
    ...proxied,
  };
  return {
    ofAll,
    of: (own) => ({
      headers: { ...ofAll.headers, ...readHeaders(own.headers, reader) },
      tls: { ...ofAll.tls, ...readTls(own.tls, reader) },
      ...proxied,
    }),
  };
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Headers that the suite sets itself, or that frame a message. */
const ownHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
]);

function readHeaders(
  node: YamlNode | undefined,
  reader: TargetReader,
): Readonly<Record<string, string>> {
  const map = reader.map(node, 'the headers');
  const entries = (map?.entries ?? []).flatMap(({ key, keyPlace, value }) => {
    const name = key.toLowerCase();
    if (!headerName.test(key)) {
      reader.add(keyPlace, `${JSON.stringify(key)} is not the name of a header`);
    } else if (ownHeaders.has(name)) {
      reader.add(keyPlace, `the header ${name} is set by the suite`, {
        hint: 'a token is named by `token:` of a participant',
      });
    }
    const text = readHeaderValue(value, reader);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

const readHeaderValue = (node: YamlNode, reader: TargetReader): string | undefined =>
  node.kind === 'map'
    ? reader.env(reader.object(node, 'the value of a header', Secret)?.env)?.value
    : reader.text(node, 'the value of a header, or { env: NAME }');

function readTls(node: YamlNode | undefined, reader: TargetReader): TlsMaterial {
  const fields = reader.object(node, 'tls', Tls);
  const ca = reader.keyMaterial(fields?.ca, 'certificate');
  const cert = reader.keyMaterial(fields?.cert, 'certificate');
  const key = reader.keyMaterial(fields?.key, 'key');
  const secret = reader.object(fields?.passphrase, 'a passphrase', Secret);
  const passphrase = reader.env(secret?.env)?.value;
  const servername = reader.text(fields?.server_name, 'the name of a host');
  if (fields && (fields.cert === undefined) !== (fields.key === undefined) && node) {
    reader.add(node.place, 'a client certificate needs its key, and a key its certificate', {
      expected: 'both cert and key',
    });
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
    ...(servername !== undefined && { servername }),
  };
}

/** The proxy of the file for every address, `none`, or the one that the environment names. */
function readProxy(node: YamlNode | undefined, reader: TargetReader): ProxyRules | undefined {
  if (!node) return environmentRules(reader.host.env);
  const text = reader.text(node, 'the address of an HTTP proxy, or none');
  if (text === 'none' || text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return { url: text, source: 'the target file' };
  }
  return reader.add(node.place, `${JSON.stringify(text)} is not the address of an HTTP proxy`, {
    expected: 'an address such as http://proxy.example:3128, or none',
  });
}
