/**
 * Kinds of tokens that a request may carry beside those of parties. A label is a kind, and details after it: `forged
 * signature`, `unsigned (none)`, `expired, by a minute`.
 */
export const tokenKinds = [
  'own',
  'none',
  'issued',
  'minted',
  'expired',
  'token at its end',
  'forged',
  'altered',
  'unsigned',
  'foreign key',
  'malformed',
  'other scheme',
  'other place',
  'wrong issuer',
  'wrong audience',
  'no expiry',
  'no role',
  'unknown role',
] as const;
export type TokenKind = (typeof tokenKinds)[number];

/**
 * Token of a request: the party's own; none; one that a check made, of a known kind; another party's (`of maker_a`); or a
 * name that somebody else chose.
 */
export type AuthLabel = TokenKind | `of ${string}` | (string & {});

/** The meaning of a label. `other`: its author alone knows if the token is good. */
export interface LabelledToken {
  readonly kind: TokenKind | 'of' | 'other';
  /** Text after the kind: the party of a token of another one, `none` for `unsigned (none)`. Empty: none. */
  readonly detail: string;
}

const form = new RegExp(`^(${tokenKinds.join('|')}|of)(?:$|[ ,:]+\\(?(.*?)\\)?$)`);

/** The one reader of labels: histories hold them as text. */
export function tokenOf(label: AuthLabel): LabelledToken {
  const [, kind, detail = ''] = form.exec(label) ?? [];
  if (kind === undefined) return { kind: 'other', detail: label };
  return { kind: kind as TokenKind | 'of', detail };
}
