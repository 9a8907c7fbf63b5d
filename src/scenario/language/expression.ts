import { durationForm, parseDuration } from '../../yaml/index.ts';

/** Offsets into the text of the expression. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Operator = '+' | '-' | '*' | '/';

export type Expr = Span &
  (
    | { readonly kind: 'number'; readonly written: string }
    | { readonly kind: 'duration'; readonly ms: number }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'name'; readonly name: string }
    | {
        readonly kind: 'field';
        readonly of: Expr;
        readonly field: string;
        readonly checked: boolean;
      }
    | { readonly kind: 'item'; readonly of: Expr; readonly index: number }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expr[] }
    | {
        readonly kind: 'binary';
        readonly op: Operator;
        readonly left: Expr;
        readonly right: Expr;
      }
  );

/** All expressions in a piece of a scenario, at any depth, including nested ones. */
export function* expressionsIn(piece: unknown): Generator<Expr> {
  if (typeof piece !== 'object' || piece === null) return;
  if ('kind' in piece && 'from' in piece) yield piece as Expr;
  for (const inner of Object.values(piece)) yield* expressionsIn(inner);
}

interface Complaint extends Span {
  readonly message: string;
  readonly expected?: string | undefined;
}

export type ParsedExpr =
  | { readonly ok: true; readonly expr: Expr }
  | { readonly ok: false; readonly complaint: Complaint };

interface Token extends Span {
  readonly kind: 'number' | 'duration' | 'string' | 'name' | 'sign' | 'end';
  readonly text: string;
}

/** Thrown inside this file only, and caught in `parseExpression`. */
class Stop {
  readonly complaint: Complaint;
  constructor(complaint: Complaint) {
    this.complaint = complaint;
  }
}

const longest = 500;
const deepest = 40;

/** Parses an expression such as `best.valid_until - 10s`; errors are returned with their place in the text. */
export function parseExpression(text: string): ParsedExpr {
  try {
    if (text.length > longest) throw stop(0, 1, `an expression of over ${longest} characters`);
    return { ok: true, expr: new Reader(tokensOf(text)).whole() };
  } catch (caught) {
    if (caught instanceof Stop) return { ok: false, complaint: caught.complaint };
    throw caught;
  }
}

const stop = (from: number, to: number, message: string, expected?: string): Stop =>
  new Stop({ from, to, message, expected });

const patterns: readonly (readonly [Token['kind'], RegExp])[] = [
  ['duration', /\d[\d.]*[a-z][a-z\d.]*/y],
  ['number', /\d+(?:\.\d+)?/y],
  ['string', /"[^"]*"|'[^']*'/y],
  ['name', /[A-Za-z_]\w*/y],
  ['sign', /[-+*/().,[\]]/y],
];

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    const token = tokenAt(text, at);
    tokens.push(token);
    at = token.to;
  }
  tokens.push({ kind: 'end', text: 'the end', from: text.length, to: text.length + 1 });
  return tokens;
}

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found, from: at, to: at + found.length };
  }
  const isComparison = /[<>=!]/.test(text[at] ?? '');
  const expected = isComparison
    ? 'an operator (+ - * /); matchers compare: is: { above: ... }'
    : 'a name, a value or an operator';
  throw stop(at, at + 1, `found ${JSON.stringify(text[at])}`, expected);
}

class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expr {
    const expr = this.#sum();
    const rest = this.#peek();
    if (rest.kind !== 'end') throw this.#unexpected(rest, 'an operator or the end');
    return expr;
  }

  #peek(): Token {
    const token = this.#tokens[Math.min(this.#next, this.#tokens.length - 1)];
    if (!token) throw new Error('a token list without its end');
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #takeSign(...signs: readonly string[]): Token | undefined {
    const token = this.#peek();
    return token.kind === 'sign' && signs.includes(token.text) ? this.#take() : undefined;
  }

  #unexpected(token: Token, expected: string): Stop {
    const found = token.kind === 'end' ? 'the end' : JSON.stringify(token.text);
    return stop(token.from, token.to, `found ${found}`, expected);
  }

  #demand(sign: string): Token {
    const token = this.#takeSign(sign);
    if (!token) throw this.#unexpected(this.#peek(), `"${sign}"`);
    return token;
  }

  #binary(next: () => Expr, ...signs: readonly Operator[]): Expr {
    let left = next();
    for (let sign = this.#takeSign(...signs); sign; sign = this.#takeSign(...signs)) {
      const right = next();
      const op = sign.text as Operator;
      left = { kind: 'binary', op, left, right, from: left.from, to: right.to };
    }
    return left;
  }

  #sum(): Expr {
    this.#depth += 1;
    if (this.#depth > deepest) throw stop(this.#peek().from, this.#peek().to, 'nested too deep');
    const expr = this.#binary(() => this.#product(), '+', '-');
    this.#depth -= 1;
    return expr;
  }

  #product(): Expr {
    return this.#binary(() => this.#path(), '*', '/');
  }

  #path(): Expr {
    let expr = this.#atom();
    for (let sign = this.#takeSign('.', '['); sign; sign = this.#takeSign('.', '[')) {
      const key = this.#take();
      if (sign.text === '.') {
        if (key.kind !== 'name') throw this.#unexpected(key, 'the name of a field');
        const { from } = expr;
        expr = { kind: 'field', of: expr, field: key.text, checked: true, from, to: key.to };
        continue;
      }
      const { from } = expr;
      const { to } = this.#demand(']');
      if (key.kind === 'number' && /^\d{1,6}$/.test(key.text)) {
        expr = { kind: 'item', of: expr, index: Number(key.text), from, to };
      } else if (key.kind === 'string') {
        const field = key.text.slice(1, -1);
        expr = { kind: 'field', of: expr, field, checked: false, from, to };
      } else throw this.#unexpected(key, 'a whole number, or the name of a field in quotes');
    }
    return expr;
  }

  #atom(): Expr {
    const token = this.#take();
    const { from, to } = token;
    if (token.kind === 'number') return { kind: 'number', written: token.text, from, to };
    if (token.kind === 'string') {
      return { kind: 'string', value: token.text.slice(1, -1), from, to };
    }
    if (token.kind === 'duration') {
      const ms = parseDuration(token.text);
      if (ms === undefined) throw this.#unexpected(token, durationForm);
      return { kind: 'duration', ms, from, to };
    }
    if (token.kind === 'name') {
      return this.#takeSign('(') ? this.#call(token) : { kind: 'name', name: token.text, from, to };
    }
    if (token.kind === 'sign' && token.text === '(') {
      const inner = this.#sum();
      return { ...inner, from, to: this.#demand(')').to };
    }
    throw this.#unexpected(token, 'a name or a value');
  }

  #call(name: Token): Expr {
    const args: Expr[] = [];
    for (let end = this.#takeSign(')'); ; end = this.#takeSign(')')) {
      if (end) return { kind: 'call', name: name.text, args, from: name.from, to: end.to };
      if (args.length > 0) this.#demand(',');
      args.push(this.#sum());
    }
  }
}
