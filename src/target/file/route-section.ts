import {
  environmentRules,
  type ProxyRules,
  type Route,
  type TlsMaterial,
} from '../../client/http/route.ts';
import { type Problems, readMap, readText, readWord, type YamlNode } from '../../yaml/index.ts';
import { readObject, Secret, Tls } from './json-schema.ts';
import { readKeyMaterial } from './key-material.ts';
import type { FileHost } from './target-file.ts';
import { readEnv } from './url-and-env-values.ts';

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
  host: FileHost,
  problems: Problems,
): Routes {
  const isInsecure = readWord(nodes.insecure, ['true', 'false'], problems) === 'true';
  const proxy = readProxy(nodes.proxy, host, problems);
  const proxied = proxy && { proxy };
  const ofAll: Route = {
    headers: readHeaders(nodes.headers, host, problems),
    tls: {
      ...readTls(nodes.tls, host, problems),
      ...(isInsecure && { rejectUnauthorized: false }),
    },
    ...proxied,
  };
  return {
    ofAll,
    of: (own) => ({
      headers: { ...ofAll.headers, ...readHeaders(own.headers, host, problems) },
      tls: { ...ofAll.tls, ...readTls(own.tls, host, problems) },
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
  host: FileHost,
  problems: Problems,
): Readonly<Record<string, string>> {
  const map = node && readMap(node, 'the headers', problems);
  const entries = (map?.entries ?? []).flatMap(({ key, keyPlace, value }) => {
    const name = key.toLowerCase();
    if (!headerName.test(key)) {
      problems.add(keyPlace, `${JSON.stringify(key)} is not the name of a header`);
    } else if (ownHeaders.has(name)) {
      problems.add(keyPlace, `the header ${name} is set by the suite`, {
        hint: 'a token is named by `token:` of a participant',
      });
    }
    const text = readHeaderValue(value, host, problems);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}

function readHeaderValue(node: YamlNode, host: FileHost, problems: Problems): string | undefined {
  if (node.kind === 'map') {
    const fields = readObject(node, 'the value of a header', Secret, problems);
    return readEnv(fields?.env, host.env, problems)?.value;
  }
  return readText(node, 'the value of a header, or { env: NAME }', problems);
}

function readTls(node: YamlNode | undefined, host: FileHost, problems: Problems): TlsMaterial {
  const fields = readObject(node, 'tls', Tls, problems);
  const ca = readKeyMaterial(fields?.ca, 'certificate', host, problems);
  const cert = readKeyMaterial(fields?.cert, 'certificate', host, problems);
  const key = readKeyMaterial(fields?.key, 'key', host, problems);
  const secret = readObject(fields?.passphrase, 'a passphrase', Secret, problems);
  const passphrase = readEnv(secret?.env, host.env, problems)?.value;
  const servername = readText(fields?.server_name, 'the name of a host', problems);
  if (fields && (fields.cert === undefined) !== (fields.key === undefined) && node) {
    problems.add(node.place, 'a client certificate needs its key, and a key its certificate', {
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
function readProxy(
  node: YamlNode | undefined,
  { env }: FileHost,
  problems: Problems,
): ProxyRules | undefined {
  if (!node) return environmentRules(env);
  const text = readText(node, 'the address of an HTTP proxy, or none', problems);
  if (text === 'none' || text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return { url: text, source: 'the target file' };
  }
  return problems.add(node.place, `${JSON.stringify(text)} is not the address of an HTTP proxy`, {
    expected: 'an address such as http://proxy.example:3128, or none',
  });
}
