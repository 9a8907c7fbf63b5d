import type { Decimal as Library } from 'decimal.js';
import type { Random } from '../../random/random.ts';
import type { SigningKey, Target } from '../../client/contract.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { signedOtherwise } from '../../client/token-signing.ts';
import { ownLimits } from '../../history/limits.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import type { Expr } from '../language/expression.ts';
import { type functions, resultOf } from '../language/infer-types.ts';
import { fieldType, type Type, unknown } from '../language/types.ts';
import { end, fail, overLimit, UnsavedName } from './halt.ts';
import { nextMoment } from './next-moment.ts';
import {
  asDecimal,
  asText,
  Decimal,
  fromJson,
  inferredValue,
  itemsOf,
  jsonValue,
  nothing,
  toWire,
  type Value,
} from './values.ts';
import type { SourceLocation } from '../../yaml/index.ts';
import type { Arg, Located } from '../language/arg.ts';

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
        const items = itemsOf(visit(expr.of)) ?? [];
        const has = `${written(located, expr.of)} has ${items.length} items`;
        return items[expr.index] ?? failHere(`${has}, so none at [${expr.index}]`);
      }
      case 'call': {
        const at = (): SourceLocation => located.location(expr);
        const args = expr.args.map(visit);
        const fn = Object.hasOwn(calls, expr.name) ? calls[expr.name as FunctionName] : undefined;
        return fn?.(args, scope.evalContext, at) ?? failHere(`${expr.name}() cannot take this`);
      }
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
  const role = cast[name as CastName];
  return jsonValue({ party_id: party.partyId, role, token: party.token });
}

export function fieldOf(of: Value, field: string): Value {
  if (of.kind !== 'json' || typeof of.json !== 'object' || of.json === null) return nothing;
  if (!Object.hasOwn(of.json, field)) return nothing;
  const json = (of.json as Record<string, unknown>)[field];
  if (json === null) return nothing;
  const type: Type = fieldType(of.type, field) ?? unknown;
  return fromJson(json, type);
}

type FunctionName = keyof typeof functions;

const textIn = (value: Value | undefined): string => (value?.kind === 'text' ? value.text : '');
const ifKnown = <T>(found: T | undefined, turn: (found: T) => Value): Value | undefined =>
  found === undefined ? undefined : turn(found);
const asTextValue = (text: string): Value => ({ kind: 'text', text });
const asCount = (count: number): Value => ({ kind: 'count', count });
const asTime = (ms: number): Value => ({ kind: 'time', ms });

/** The functions of expressions. Each returns undefined for arguments that it cannot take. */
const calls: {
  readonly [name in FunctionName]: (
    args: readonly Value[],
    context: EvalContext,
    at: () => SourceLocation,
  ) => Value | undefined;
} = {
  now: (_, { now }) => asTime(now()),
  round: (args) => rounded(args, Decimal.ROUND_HALF_UP),
  round_up: (args) => rounded(args, Decimal.ROUND_UP),
  round_down: (args) => rounded(args, Decimal.ROUND_DOWN),
  min: (args) => extreme(args, true),
  max: (args) => extreme(args, false),
  count: ([list = nothing]) => ifKnown(itemsOf(list)?.length, asCount),
  joined([left, right], { spend }) {
    if (left?.kind !== 'json' || right?.kind !== 'json') return undefined;
    if (!Array.isArray(left.json) || !Array.isArray(right.json)) return undefined;
    spend(left.json.length + right.json.length);
    const json: readonly unknown[] = [...(left.json as unknown[]), ...(right.json as unknown[])];
    return { kind: 'json', json, type: left.type };
  },
  drawn: (args, { draw }, at) => drawn(args.map(inferredValue), draw(at())),
  next: ([text], { now }) => ifKnown(nextMoment(textIn(text), now()), asTime),
  epoch([value = nothing]) {
    const moment = inferredValue(value);
    return moment.kind === 'time' ? asCount(Math.floor(moment.ms / 1_000)) : undefined;
  },
  claims: ([token]) => ifKnown(jwtPart(textIn(token), 'claims'), jsonValue),
  unsigned: ([token]) => ifKnown(unsigned(textIn(token)), asTextValue),
  signed([token, changes], { sign }) {
    if (!sign) return end('out_of_scope', 'no signing key is offered');
    if (token?.kind !== 'text' || changes?.kind !== 'json') return undefined;
    return ifKnown(signedOtherwise(token.text, changes.json, sign), asTextValue);
  },
  holdings: (_, { holdings }) =>
    ifKnown(holdings(), jsonValue) ?? end('out_of_scope', "the target's ledger cannot be seen"),
};

function extreme(args: readonly Value[], isLeast: boolean): Value | undefined {
  const [first = nothing, second = nothing] = args.map(inferredValue);
  const order = compare(first, second);
  if (order === undefined) return undefined;
  return order <= 0 === isLeast ? first : second;
}

/** Strips the signature of a token: its claims are kept, and its header gets the algorithm `none`. */
function unsigned(token: string): string | undefined {
  const [, claims] = token.split('.');
  const header = jwtPart(token, 'header');
  if (claims === undefined || !header) return undefined;
  const bare = JSON.stringify({ ...header, alg: 'none' });
  return `${Buffer.from(bare, 'utf8').toString('base64url')}.${claims}.`;
}

function rounded(args: readonly Value[], mode: Library.Rounding): Value | undefined {
  const [value = nothing, places = nothing] = args.map(inferredValue);
  const decimal = asDecimal(value);
  if (!decimal || places.kind !== 'count' || places.count > 30) return undefined;
  const result = decimal.toDecimalPlaces(places.count, mode);
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
      return jsonValue(arg.items.map((item) => toWire(valueOf(item, scope))));
    case 'map': {
      const entries = arg.entries.map(({ key, value }) => [key, toWire(valueOf(value, scope))]);
      return jsonValue(Object.fromEntries(entries));
    }
  }
}
