import type { Participant } from '../../target/file/target-file.ts';
import { inQuotes, shellWord } from './values.ts';

/** Facts about a participant that a script needs. */
export type ScriptParty = Pick<Participant, 'name' | 'baseUrl' | 'token'> &
  Partial<Pick<Participant, 'route'>>;

export const urlOf = (party: string): string => `${party.toUpperCase()}_URL`;
export const tokenOf = (party: string): string => `${party.toUpperCase()}_TOKEN`;

/** Base URLs of the parties, as variables that a reader may override. */
export const addressLines = (participants: readonly ScriptParty[]): string[] =>
  participants.map(
    ({ name, baseUrl }) => `${urlOf(name)}="\${${urlOf(name)}:-${inQuotes(baseUrl)}}"`,
  );

/** Notes on headers and certificates of the route to a target. The script has none of them, since some are secret. */
export function routeLines(participants: readonly ScriptParty[]): string[] {
  const options = participants.flatMap(({ route: { headers = {}, tls = {} } = {} }) => [
    ...Object.keys(headers).map((name) => `header = "${name}: ..."`),
    ...(tls.ca === undefined ? [] : ['cacert = "..."']),
    ...(tls.cert === undefined ? [] : ['cert = "..."', 'key = "..."']),
  ]);
  if (options.length === 0) return [];
  const what = 'is to name a file with options for curl (curl --config)';
  return [
    '# ---- the way to the target ----',
    '# Options of this kind are in that file:',
    ...[...new Set(options)].map((option) => `#   ${option}`),
    `CURL_OPTIONS="\${CURL_OPTIONS:?${what}}"`,
    'curl() { command curl --config "$CURL_OPTIONS" "$@"; }',
    '',
  ];
}

/** A shell function that gets every party a token: a flow may last longer than a token. */
export function tokenLines(participants: readonly ScriptParty[]): string[] {
  return [
    '# ---- tokens ----',
    'own_token() {',
    `  curl -sS -X POST -H 'accept: application/json' "$1/auth/token" | jq -er '.data.token // .token' || cannot "no token from $1/auth/token"`,
    '}',
    'tokens() {',
    ...participants.map((one) => `  ${tokenOf(one.name)}=${sourceOf(one)} || exit 2`),
    '}',
    'tokens',
  ];
}

function sourceOf({ name, token }: ScriptParty): string {
  switch (token.kind) {
    case 'own':
      return `"$(own_token "$${urlOf(name)}")"`;
    case 'env':
      return `"\${${token.variable}:?is to hold the token of ${name}}"`;
    case 'command':
      return `"$(${token.command.map(shellWord).join(' ')})"`;
    case 'client_credentials': {
      const fields = [
        'grant_type=client_credentials',
        `client_id=${token.clientId}`,
        ...(token.scope === undefined ? [] : [`scope=${token.scope}`]),
        ...(token.audience === undefined ? [] : [`audience=${token.audience}`]),
      ];
      const { authentication, at } = token;
      // A script has no key to sign with, and knows no address but one that is written down.
      if (!('secret' in authentication) || !('tokenUrl' in at))
        return `"\${${name.toUpperCase()}_TOKEN:?is to hold the token of ${name}}"`;
      const data = fields.map((field) => `--data-urlencode ${shellWord(field)}`).join(' ');
      const secret = `\${${authentication.variable}:?is to hold the client secret of ${name}}`;
      const proof =
        authentication.method === 'client_secret_basic'
          ? `--user ${shellWord(token.clientId)}:"${secret}"`
          : `--data-urlencode "client_secret=${secret}"`;
      return `"$(curl -sS ${data} ${proof} ${shellWord(at.tokenUrl)} | jq -er .access_token)"`;
    }
  }
}

/** Lines that read the party identifiers that the flow uses, from the parties' backends. */
export const partyLines = (names: readonly string[]): string[] =>
  names.flatMap((name) => [
    `call ${name} GET "$${urlOf(name)}/api/v1/whoami" "$${tokenOf(name)}" ''`,
    `granted ${name}`,
    `jq -c '.parties.${name} = .${name}.body.data.party_id' "$work/seen.json" >"$work/next.json" && remember`,
  ]);
