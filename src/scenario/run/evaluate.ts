import type { Random } from '../../random/random.ts';
import type { SigningKey, Target } from '../../client/contract.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { signedOtherwise } from '../../client/token-signing.ts';
import { ownLimits } from '../../history/limits.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import { Decimal } from '../decimals.ts';
import type { Expr } from '../language/expression.ts';
import { resultOf } from '../language/infer-types.ts';
import type { Arg, Located } from '../language/reader.ts';
import type { SourceLocation } from '../language/reader.ts';
import { fieldType, type Type, unknown } from '../language/types.ts';
import { end, fail, overLimit, UnsavedName } from './halt.ts';
import { nextMoment } from './next-moment.ts';
import {
  asDecimal,
  asText,
  fromJson,
  inferredValue,
  nothing,
  toWire,
  type Value,
} from './values.ts';

const known = new WeakMap<object, number>();

/**
 * Size of a value as text: its characters, and one for each value in it. A value that occurs twice in it counts twice,
 * even if it is one object in memory.
 */
function sizeOf(json: unknown): number {
  if (typeof json === 'string') return json.length;
  if (typeof json !== 'object' || json === null) return 1;
  const before = known.get(json);
  if (before !== undefined) return before;
  let size = 1;
  for (const [key, value] of Object.entries(json)) size += key.length + sizeOf(value);
  known.set(json, size);
  return size;
}

export type Env = Map<string, Value>;

/** Environment of expressions, beside the saved values. */
export interface EvalContext {
  readonly now: () => number;
  /** Counts a value of this many characters against the budget of the scenario. */
  readonly spend: (size: number) => void;
  readonly party: (name: CastName) => ReturnType<Target['party']>;
  /** Random numbers for one evaluation, seeded by the place in the file and the number of the evaluation. */
  readonly draw: (at: SourceLocation) => Random;
  /** Holdings in the ledger of the reference; undefined if the ledger is not visible. */
  readonly holdings: () => unknown;
  /** Signs claims as the target's own issuer would; absent if the target offers no key. */
  readonly sign?: SigningKey['mintNow'];
}

/** Inputs for the evaluation of an expression. */
export interface Scope {
  readonly env: Env;
  readonly evalContext: EvalContext;
}

/**
 * Evaluates an expression. A value that the target left out, or sent in another form, ends the scenario as a failure.
 */
export function evaluate(located: Located, scope: Scope): Value {
  const visit = (expr: Expr): Value => {
    const failHere = (message: string): never => fail(located.location(expr), message);
    switch (expr.kind) {
      case 'number':
        return expr.written.includes('.')
          ? { kind: 'decimal', decimal: new Decimal(expr.written), text: expr.written }
          : { kind: 'count', count: Number.parseInt(expr.written, 10) };
      case 'duration':
        return { kind: 'duration', ms: expr.ms };
      case 'string':
        return { kind: 'text', text: expr.value };
      case 'name': {
        const value = nameValue(expr.name, scope);
        if (!value) throw new UnsavedName(located.location(expr), expr.name);
        return value;
      }
      case 'field': {
        const of = visit(expr.of);
        const found = fieldOf(of, expr.field);
        if (found.kind === 'json' && found.json === undefined) {
          return failHere(`${written(located, expr.of)} has no "${expr.field}"`);
        }
        return found;
      }
      case 'item': {
        const of = visit(expr.of);
        const items = of.kind === 'json' && Array.isArray(of.json) ? (of.json as unknown[]) : [];
        if (expr.index >= items.length) {
          return failHere(
            `${written(located, expr.of)} has ${items.length} items, so none at [${expr.index}]`,
          );
        }
        const type = of.kind === 'json' && of.type.kind === 'list' ? of.type.item : unknown;
        return fromJson(items[expr.index], type);
      }
      case 'call':
        return (
          call(expr.name, expr.args.map(visit), scope.evalContext, () => located.location(expr)) ??
          failHere(`${expr.name}() cannot take this`)
        );
      case 'binary': {
        const left = visit(expr.left);
        const right = visit(expr.right);
        const result =
          compute(expr.op, left, right) ??
          compute(expr.op, inferredValue(left), inferredValue(right));
        return (
          (result && withinMagnitude(result)) ??
          failHere(`${asText(left)} ${expr.op} ${asText(right)} cannot be worked out`)
        );
      }
    }
  };
  return visit(located.expr);
}

const written = (located: Located, piece: Expr): string =>
  located.source.slice(piece.from, piece.to);

function nameValue(name: string, { env, evalContext }: Scope): Value | undefined {
  const saved = env.get(name);
  if (saved) return saved;
  if (!castNames.includes(name as CastName)) return undefined;
  const party = evalContext.party(name as CastName);
  const json = { party_id: party.partyId, role: cast[name as CastName], token: party.token };
  return { kind: 'json', json, type: unknown };
}

export function fieldOf(of: Value, field: string): Value {
  if (of.kind !== 'json' || typeof of.json !== 'object' || of.json === null) return nothing;
  if (!Object.hasOwn(of.json, field)) return nothing;
  const json = (of.json as Record<string, unknown>)[field];
  if (json === null) return nothing;
  const type: Type = fieldType(of.type, field) ?? unknown;
  return fromJson(json, type);
}

function call(
  name: string,
  args: readonly Value[],
  evalContext: EvalContext,
  at: () => SourceLocation,
): Value | undefined {
  const [first = nothing, second = nothing] = args.map(inferredValue);
  switch (name) {
    case 'now':
      return { kind: 'time', ms: evalContext.now() };
    case 'holdings': {
      const json = evalContext.holdings();
      return json === undefined
        ? end('out_of_scope', "the target's ledger cannot be seen")
        : { kind: 'json', json, type: unknown };
    }
    case 'count':
      return first.kind === 'json' && Array.isArray(first.json)
        ? { kind: 'count', count: first.json.length }
        : undefined;
    case 'joined': {
      const [left, right] = args;
      if (left?.kind !== 'json' || right?.kind !== 'json') return undefined;
      if (!Array.isArray(left.json) || !Array.isArray(right.json)) return undefined;
      evalContext.spend(left.json.length + right.json.length);
      const json: readonly unknown[] = [...(left.json as unknown[]), ...(right.json as unknown[])];
      return { kind: 'json', json, type: left.type };
    }
    case 'drawn':
      return drawn(args.map(inferredValue), evalContext.draw(at()));
    case 'next': {
      const ms = args[0]?.kind === 'text' ? nextMoment(args[0].text, evalContext.now()) : undefined;
      return ms === undefined ? undefined : { kind: 'time', ms };
    }
    case 'epoch':
      return first.kind === 'time'
        ? { kind: 'count', count: Math.floor(first.ms / 1_000) }
        : undefined;
    case 'claims': {
      const json = args[0]?.kind === 'text' ? jwtPart(args[0].text, 'claims') : undefined;
      return json && { kind: 'json', json, type: unknown };
    }
    case 'unsigned': {
      const token = args[0]?.kind === 'text' ? unsigned(args[0].text) : undefined;
      return token === undefined ? undefined : { kind: 'text', text: token };
    }
    case 'signed': {
      if (!evalContext.sign) return end('out_of_scope', 'no signing key is offered');
      const [token, changes] = args;
      if (token?.kind !== 'text' || changes?.kind !== 'json') return undefined;
      const text = signedOtherwise(token.text, changes.json, evalContext.sign);
      return text === undefined ? undefined : { kind: 'text', text };
    }
    case 'round':
    case 'round_up':
    case 'round_down':
      return rounded(name, first, second);
    case 'min':
    case 'max': {
      const order = compare(first, second);
      if (order === undefined) return undefined;
      return order <= 0 === (name === 'min') ? first : second;
    }
    default:
      return undefined;
  }
}

/** Strips the signature of a token: its claims are kept, and its header gets the algorithm `none`. */
function unsigned(token: string): string | undefined {
  const [, claims] = token.split('.');
  const header = jwtPart(token, 'header');
  if (claims === undefined || !header) return undefined;
  const bare = JSON.stringify({ ...header, alg: 'none' });
  return `${Buffer.from(bare, 'utf8').toString('base64url')}.${claims}.`;
}

const modes = {
  round: Decimal.ROUND_HALF_UP,
  round_up: Decimal.ROUND_UP,
  round_down: Decimal.ROUND_DOWN,
} as const;

function rounded(name: keyof typeof modes, value: Value, places: Value): Value | undefined {
  const decimal = asDecimal(value);
  if (!decimal || places.kind !== 'count' || places.count > 30) return undefined;
  const result = decimal.toDecimalPlaces(places.count, modes[name]);
  return { kind: 'decimal', decimal: result, text: result.toFixed(places.count) };
}

/** Share of draws that return an end of the range: amounts and rates fail most often there. */
const endShare = 0.25;
/** Number of random digits: enough for any amount. */
const drawnDigits = 40;

function drawn([least, most, places]: readonly Value[], random: Random): Value | undefined {
  const [from, to] = [least && asDecimal(least), most && asDecimal(most)];
  if (!from || !to || from.gt(to) || places?.kind !== 'count' || places.count > 30)
    return undefined;
  const share = new Decimal(`0.${random.digits(drawnDigits)}`);
  const within = from.plus(to.minus(from).times(share));
  const chosen = random.chance(endShare) ? random.pick([from, to]) : within;
  const decimal = chosen.toDecimalPlaces(places.count, Decimal.ROUND_DOWN);
  return { kind: 'decimal', decimal, text: decimal.toFixed(places.count) };
}

/** Negative, zero or positive; undefined if the two values cannot be compared. */
export function compare(left: Value, right: Value): number | undefined {
  const l = asDecimal(left);
  const r = asDecimal(right);
  if (l && r) return l.comparedTo(r);
  const sameKind = left.kind === right.kind;
  return sameKind && 'ms' in left && 'ms' in right ? left.ms - right.ms : undefined;
}

function compute(op: '+' | '-' | '*' | '/', left: Value, right: Value): Value | undefined {
  const kindOf = ({ kind }: Value): Type | undefined =>
    kind === 'decimal' || kind === 'count' || kind === 'time' || kind === 'duration'
      ? { kind }
      : undefined;
  const l = kindOf(left);
  const r = kindOf(right);
  const result = l && r && resultOf(op, l, r);
  if (!result) return undefined;
  const number = arithmetic(op, numberOf(left), numberOf(right));
  if (!number) return undefined;
  if (result.kind === 'decimal') return { kind: 'decimal', decimal: number };
  const whole = number.round().toNumber();
  if (result.kind === 'count') return { kind: 'count', count: whole };
  return result.kind === 'time' ? { kind: 'time', ms: whole } : { kind: 'duration', ms: whole };
}

const numberOf = (value: Value): Decimal =>
  asDecimal(value) ?? new Decimal('ms' in value ? value.ms : Number.NaN);

function arithmetic(op: '+' | '-' | '*' | '/', left: Decimal, right: Decimal): Decimal | undefined {
  if (op === '+') return left.plus(right);
  if (op === '-') return left.minus(right);
  if (op === '*') return left.times(right);
  return right.isZero() ? undefined : left.dividedBy(right);
}

/** Last moment that a timestamp of the document can express, in milliseconds since the epoch. */
const lastMoment = Date.UTC(ownLimits['scenario.year'] + 1, 0) - 1;

/** Limits the size of a result: otherwise ten multiplications make a text of gigabytes. */
function withinMagnitude(value: Value): Value {
  if (value.kind === 'time' && !(value.ms >= 0 && value.ms <= lastMoment))
    overLimit('scenario.year');
  const digits = ownLimits['scenario.digits'];
  if (value.kind === 'decimal' && Math.abs(value.decimal.e) > digits) overLimit('scenario.digits');
  const whole = value.kind === 'count' ? value.count : value.kind === 'duration' ? value.ms : 0;
  if (!Number.isSafeInteger(whole)) overLimit('scenario.digits');
  return value;
}

/** Evaluates a value of a file with its expressions. A value that is too large ends the scenario. */
export function valueOf(arg: Arg, scope: Scope): Value {
  const value = workedOut(arg, scope);
  const size = value.kind === 'stream' ? 1 : sizeOf(toWire(value));
  if (size > ownLimits['scenario.value_chars']) overLimit('scenario.value_chars');
  scope.evalContext.spend(size);
  return value;
}

/** Concatenates texts, up to the limit of a value. */
function joined(texts: Iterable<string>): string {
  let whole = '';
  for (const text of texts) {
    whole += text;
    if (whole.length > ownLimits['scenario.value_chars']) overLimit('scenario.value_chars');
  }
  return whole;
}

function* textsOf(parts: Extract<Arg, { kind: 'text' }>['parts'], scope: Scope): Generator<string> {
  for (const part of parts) yield typeof part === 'string' ? part : asText(evaluate(part, scope));
}

function workedOut(arg: Arg, scope: Scope): Value {
  switch (arg.kind) {
    case 'plain':
      return fromJson(arg.value, unknown);
    case 'expr':
      return evaluate(arg.expr, scope);
    case 'text':
      return { kind: 'text', text: joined(textsOf(arg.parts, scope)) };
    case 'list':
      return {
        kind: 'json',
        json: arg.items.map((item) => toWire(valueOf(item, scope))),
        type: unknown,
      };
    case 'map':
      return {
        kind: 'json',
        json: Object.fromEntries(
          arg.entries.map(({ key, value }) => [key, toWire(valueOf(value, scope))]),
        ),
        type: unknown,
      };
  }
}
