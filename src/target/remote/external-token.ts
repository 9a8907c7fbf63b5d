import type { Route } from '../../client/http/route.ts';
import type { TokenSource } from '../file/target-file.ts';
import { fromProvider } from './client-credentials.ts';
import { asToken, type FoundToken } from './found-token.ts';

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
