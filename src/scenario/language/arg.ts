import type {
  Entry,
  Place,
  Reader,
  Shape,
  SourceLocation,
  YamlEntry,
  YamlNode,
  YamlScalar,
} from '../../yaml/index.ts';
import { type Expr, parseExpression, type Span } from './expression.ts';

/** A value in a file: a literal, or an expression that is evaluated when its step runs. */
export type Arg = { readonly at: SourceLocation } & (
  | {
      readonly kind: 'plain';
      readonly value: string | number | boolean | null;
      readonly written: string;
    }
  | { readonly kind: 'expr'; readonly expr: Located }
  | { readonly kind: 'text'; readonly parts: readonly (string | Located)[] }
  | { readonly kind: 'list'; readonly items: readonly Arg[] }
  | { readonly kind: 'map'; readonly entries: readonly Entry<Arg>[] }
);

/** An expression and its location in the file. */
export interface Located {
  readonly expr: Expr;
  readonly source: string;
  readonly at: SourceLocation;
  /** Location of a part of the expression. */
  readonly location: (piece: Span) => SourceLocation;
}

/** The value of a node, with its expressions. */
export function argOf(node: YamlNode, reader: Reader): Arg {
  const at = reader.location(node.place);
  if (node.kind === 'list') {
    return { kind: 'list', at, items: node.items.map((item) => argOf(item, reader)) };
  }
  if (node.kind === 'map') {
    const entries = node.entries.map(({ key, keyPlace, value }) => ({
      key,
      at: reader.location(keyPlace),
      value: argOf(value, reader),
    }));
    return { kind: 'map', at, entries };
  }
  if (typeof node.value === 'string') return argOfText(node.value, node, reader);
  return { kind: 'plain', at, value: node.value, written: node.written };
}

/** An expression alone: `$name.field` or `${...}`. */
export function exprOf(node: YamlNode, what: string, reader: Reader): Located | undefined {
  const arg = node.kind === 'scalar' ? argOf(node, reader) : undefined;
  if (arg?.kind === 'expr') return arg.expr;
  // Errors inside `${...}` have already been reported.
  if (arg && isBroken(arg)) return undefined;
  const alone = 'nothing may stand beside it: $name, $name.field, $name.items[0] or ${...}';
  const hint = arg?.kind === 'text' ? alone : 'a saved value is written $name';
  return reader.wrong(node, what, arg && hint);
}

/** A value with expressions, which are evaluated when the step runs. */
export const anyArg: Shape<Arg> = { read: argOf, schema: {} };

/** `$name`, `$name.field` or `${...}`. */
export const reference = (what: string): Shape<Located> => ({
  read: (node, reader) => exprOf(node, what, reader),
  schema: { type: 'string', pattern: '^\\$' },
});

function argOfText(text: string, node: YamlScalar, reader: Reader): Arg {
  const at = reader.location(node.place);
  const parts = piecesOf(text);
  const located = parts.map((part) =>
    typeof part === 'string' ? part : locate(part, text, node, reader),
  );
  if (located.some((part) => part === undefined))
    return { kind: 'plain', at, value: null, written: broken };
  const whole = located as (string | Located)[];
  const [only] = whole;
  if (whole.length === 1 && typeof only === 'object') return { kind: 'expr', at, expr: only };
  if (whole.every((part) => typeof part === 'string')) {
    const joined = whole.join('');
    return { kind: 'plain', at, value: joined, written: joined };
  }
  return { kind: 'text', at, parts: whole };
}

function locate(piece: Piece, text: string, node: YamlScalar, reader: Reader): Located | undefined {
  const at = reader.location(node.place);
  const exact = !text.includes('\n') && isVerbatim(node.place, text, node.quoted);
  const first = at.col + (node.quoted ? 1 : 0) + piece.from;
  const location = (span: Span): SourceLocation =>
    exact ? { ...at, col: first + span.from, width: Math.max(1, span.to - span.from) } : at;
  if (piece.unclosed) {
    return reader.add(location({ from: -2, to: 0 }), 'found "${" without its "}"', {
      hint: `${node.quoted ? '' : 'inside { } and [ ] an expression stands in quotes: "${...}"; '}a plain "$" is written "$$"`,
    });
  }
  const parsed = parseExpression(piece.source);
  if (!parsed.ok) {
    const { message, expected, from, to } = parsed.complaint;
    return reader.add(location({ from, to }), message, { expected });
  }
  const at2 = location({ from: 0, to: piece.source.length });
  return { expr: parsed.expr, source: piece.source, at: at2, location };
}

/** A step as written: the entry that gives its kind, and the other entries. */
export interface StepSource {
  readonly head: YamlEntry;
  readonly rest: readonly YamlEntry[];
  /** The place of the head's key. */
  readonly at: SourceLocation;
  readonly reader: Reader;
}

const broken = '\u0000broken';
/** True for the placeholder of a text with an unreadable expression. That error has been reported, so no other is. */
export const isBroken = (arg: Arg): boolean => arg.kind === 'plain' && arg.written === broken;

interface Piece {
  readonly source: string;
  /** Offset of the source in the text. */
  readonly from: number;
  readonly unclosed?: true;
}

const isVerbatim = (place: Place, text: string, quoted: boolean): boolean =>
  place.width === text.length + (quoted ? 2 : 0);

/** `$name.field[0]` needs no braces; `$$` is a dollar sign. */
const shorthand = /\$(?:\$|\{|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)/g;

/** Splits a text into literal pieces and expressions. */
function piecesOf(text: string): (string | Piece)[] {
  const pieces: (string | Piece)[] = [];
  let plain = '';
  let at = 0;
  const flush = (): void => {
    if (plain !== '') pieces.push(plain);
    plain = '';
  };
  for (const found of text.matchAll(shorthand)) {
    if (found.index < at) continue;
    plain += text.slice(at, found.index);
    at = found.index + found[0].length;
    if (found[0] === '$$') {
      plain += '$';
      continue;
    }
    flush();
    if (found[0] !== '${') {
      pieces.push({ source: found[0].slice(1), from: found.index + 1 });
      continue;
    }
    const end = text.indexOf('}', at);
    if (end === -1) {
      pieces.push({ source: '', from: at, unclosed: true });
      return pieces;
    }
    pieces.push({ source: text.slice(at, end), from: at });
    at = end + 1;
  }
  plain += text.slice(at);
  flush();
  return pieces.length === 0 ? [''] : pieces;
}
