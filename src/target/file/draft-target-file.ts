import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Role } from '../../spec/vocabulary.ts';
import { withEntries, withValues } from '../../yaml/index.ts';
import type { GapFinding } from '../gap-observations.ts';

export interface DraftParty {
  readonly name: string;
  readonly role: Role;
  readonly baseUrl: string;
  /** A comment on the same line. */
  readonly note?: string;
}

export interface DraftTarget {
  readonly name: string;
  readonly participants: readonly DraftParty[];
  /** Further sections, copied unchanged with their comments. */
  readonly sections: readonly string[];
}

const quoted = (text: string): string => JSON.stringify(text);

/** A target file for a person to complete: with comments, its parties aligned. */
export function draftTarget(draft: DraftTarget): string {
  const width = Math.max(...draft.participants.map(({ name }) => name.length)) + 1;
  const parties = draft.participants.map(({ name, role, baseUrl, note }) => {
    const key = `${name}:`.padEnd(width + 1);
    const comment = note === undefined ? '' : ` # ${note}`;
    return `  ${key}{ role: ${role}, base_url: ${quoted(baseUrl)} }${comment}`;
  });
  return [
    '# What `assay check --target` judges. Unknown keys are refused, so a slip shows at once.',
    `name: ${quoted(draft.name)}`,
    '',
    '# One backend for each party. Without `token`, a token comes from its own POST /auth/token; otherwise',
    '# token: { env: NAME }, { command: [...] } or { client_credentials: { token_url, client_id, client_secret } }.',
    'participants:',
    ...parties,
    ...draft.sections.flatMap((section) => ['', section.trimEnd()]),
    '',
  ].join('\n');
}

export const systemClockSection = `# Wall time. A check that must wait longer than max_wait is out of scope, and listed.
clock:
  kind: system
  max_wait: 90s
# If a tester can move the clock, hours pass in seconds:
# clock:
#   kind: controlled
#   now: { get: "http://127.0.0.1:9000/_clock", at: /now }
#   advance: { post: "http://127.0.0.1:9000/_clock/advance", body: { ms: $ms } }`;

export const commentedSections: readonly string[] = [
  systemClockSection,
  `# Lets the suite mint expired, misissued and forged tokens instead of waiting for them.
# signing: { alg: EdDSA, private_key: { file: key.pem } }`,
  `# How settlement can be made to fail here: fields of the order, or a call once it exists.
# controls:
#   fail_settlement: { order: { memo: "!revert" } }
#   withdraw_order: { post: "http://127.0.0.1:9000/withdraw", body: { order: $intent_id } }
#   restart: { post: "http://127.0.0.1:9000/restart" }`,
  `# Whatever else this backend insists on in an order: real custodians, say, where none is declared above.
# orders:
#   defaults: { source_currency: USD, target_currency: EUR }`,
  `# Answers to what the document leaves open; \`assay probe --write\` fills them in.
# gaps:
#   list.page_param: page`,
];

/** Sets the observed answers in a target file's text; comments, order and everything else stay. */
export const withGaps = (text: string, findings: readonly GapFinding[]): string =>
  withEntries(
    text,
    'gaps',
    findings.flatMap(({ gap, observed }) =>
      observed === undefined ? [] : [[gap, observed] as const],
    ),
  );

/**
 * A target file whose parties are reached elsewhere, to be written to another place; all else in it stays, its comments
 * too.
 * @param baseUrls by the names of the parties
 */
export function movedTargetFile(
  { path, text }: { readonly path: string; readonly text: string },
  to: string,
  baseUrls: ReadonlyMap<string, string>,
): string {
  const moved = (file: string): string =>
    isAbsolute(file) ? file : relative(dirname(to), resolve(dirname(path), file));
  return withValues(text, [
    ...[...baseUrls].map(([name, url]) => [['participants', name, 'base_url'], url] as const),
    [['signing', 'private_key', 'file'], moved],
  ]);
}
