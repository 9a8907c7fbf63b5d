import type { Participant } from '../../target/file/target-file.ts';
import { inQuotes, shellWord } from './values.ts';

/** What of a participant a script must know. */
export type ScriptParty = Pick<Participant, 'name' | 'baseUrl' | 'token'>;

export const urlOf = (party: string): string => `${party.toUpperCase()}_URL`;
export const tokenOf = (party: string): string => `${party.toUpperCase()}_TOKEN`;

/** Where the parties are, as variables that a reader may set otherwise. */
export const addressLines = (participants: readonly ScriptParty[]): string[] =>
  participants.map(
    ({ name, baseUrl }) => `${urlOf(name)}="\${${urlOf(name)}:-${inQuotes(baseUrl)}}"`,
  );

/** A function that gets every party its token: tokens end, and a flow may outlast them. */
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

/** Whose identifiers the flow speaks of, as their backends tell them. */
export const partyLines = (names: readonly string[]): string[] =>
  names.flatMap((name) => [
    `call ${name} GET "$${urlOf(name)}/api/v1/whoami" "$${tokenOf(name)}" ''`,
    `granted ${name}`,
    `jq -c '.parties.${name} = .${name}.body.data.party_id' "$work/seen.json" >"$work/next.json" && remember`,
  ]);
