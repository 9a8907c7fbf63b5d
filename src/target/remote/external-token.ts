import type { Route } from '../../client/http/route.ts';
import type { TokenSource } from '../file/target-file.ts';
import { parseJson, postOnce } from './helper-http.ts';

export type FoundToken =
  | { readonly ok: true; readonly token: string; readonly expiresInSeconds?: number }
  | { readonly ok: false; readonly message: string };

type ExternalSource = Exclude<TokenSource, { readonly kind: 'own' }>;

const commandTimeoutMs = 30_000;
const largestOutput = 64 * 1024;

/** A token from outside of the target: the environment, a program or an identity provider. */
export async function externalToken(
  source: ExternalSource,
  directory: string,
  route: Route,
): Promise<FoundToken> {
  switch (source.kind) {
    case 'env':
      return asToken(source.token, `the environment variable ${source.variable}`);
    case 'command':
      return fromCommand(source.command, directory);
    case 'client_credentials':
      return fromProvider(source, route);
  }
}

/** A token goes into a header as it is: anything but visible ASCII would break it, or smuggle a header in. */
function asToken(text: string, origin: string, expiresInSeconds?: number): FoundToken {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return {
      ok: false,
      message: `${origin} gave no token but ${token === '' ? 'nothing' : 'several words'}`,
    };
  }
  return { ok: true, token, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
}

/** Runs the program without a shell, beside the target file; its first output is the token. */
async function fromCommand(
  [program, ...args]: readonly [string, ...string[]],
  directory: string,
): Promise<FoundToken> {
  const { execFile } = await import('node:child_process');
  const options = { cwd: directory, timeout: commandTimeoutMs, maxBuffer: largestOutput };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(asToken(stdout, `the command ${program}`));
      const said = stderr.trim().split('\n')[0] ?? '';
      const how = error.killed ? `was stopped after ${commandTimeoutMs / 1_000} s` : `failed`;
      resolve({ ok: false, message: `the command ${program} ${how}: ${said || error.message}` });
    });
  });
}

/** RFC 6749, 4.4. */
async function fromProvider(
  source: Extract<TokenSource, { readonly kind: 'client_credentials' }>,
  route: Route,
): Promise<FoundToken> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: source.clientId,
    client_secret: source.clientSecret,
    ...(source.scope !== undefined && { scope: source.scope }),
    ...(source.audience !== undefined && { audience: source.audience }),
  });
  const body = { type: 'application/x-www-form-urlencoded', text: form.toString() };
  const answer = await postOnce(source.tokenUrl, body, route);
  if (!answer.ok) return { ok: false, message: `${source.tokenUrl}: ${answer.message}` };
  const fields = parseJson(answer.text) as Record<string, unknown> | null | undefined;
  const token = fields?.['access_token'];
  if (answer.status !== 200 || typeof token !== 'string') {
    return {
      ok: false,
      message: `${source.tokenUrl} answered ${answer.status} without an access_token`,
    };
  }
  const lifetime = fields?.['expires_in'];
  return asToken(token, source.tokenUrl, typeof lifetime === 'number' ? lifetime : undefined);
}
