import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { eventKinds, heartbeat, type StreamName } from '../../spec/events.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { hasForm } from '../../spec/forms.ts';
import { cast, requirements } from '../../spec/requirements/index.ts';
import { OrderRequest, QuoteRequest } from '../../spec/resources.ts';
import { durationForm, parseDuration, suggestion } from '../../yaml/index.ts';
import { actionOf, answerOf, endpointFor } from './actions.ts';
import { type Complain, infer, type Scope } from './infer.ts';
import type { Matcher, Test } from './matchers.ts';
import type { ActStep, Draft, EventMatcher, SeesStep, Step, Template, UseStep } from './model.ts';
import { type Arg, type ArgEntry, isBroken, type Located } from './reader.ts';
import type { Spot } from './spot.ts';
import {
  count,
  decimal,
  duration,
  named,
  payloadType,
  resourceType,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';

export type Names = Map<string, Type>;

/** What a parameter of a template is, by the kind that it declares. */
export const parameterTypes = {
  text,
  decimal,
  moment: time,
  duration,
  number: count,
  order: resourceType('order'),
  quote: resourceType('own-quote'),
} as const;

/** What a cell of an examples table is, from how it is written. */
export function cellType(arg: Arg): Type {
  if (arg.kind !== 'plain') return unknown;
  if (typeof arg.value === 'number') return Number.isInteger(arg.value) ? count : unknown;
  if (typeof arg.value === 'boolean') return { kind: 'flag' };
  if (hasForm('decimal', arg.value)) return decimal;
  return parseDuration(arg.value ?? '') === undefined ? text : duration;
}

const eventsOf = (stream: StreamName): readonly string[] => [
  ...Object.entries(eventKinds).flatMap(([name, kind]) => (kind.stream === stream ? [name] : [])),
  heartbeat,
];

/** Checks that every name is known and every value fits, before anything runs. */
export class Checker {
  readonly #complain: Complain;
  readonly #templates: ReadonlyMap<string, Template>;
  /** What each template gives; `undefined` while it is being looked at. */
  readonly #given = new Map<string, Names | undefined>();
  #assertions = 0;

  constructor(templates: ReadonlyMap<string, Template>, complain: Complain) {
    this.#templates = templates;
    this.#complain = complain;
  }

  scenario(draft: Draft): void {
    this.templates(draft.templates);
    this.#verifies(draft);
    const names: Names = new Map();
    this.#examples(draft, names);
    this.#assertions = 0;
    this.#steps(draft.setup, names);
    this.#steps(draft.steps, names);
    this.#steps(draft.always, names);
    if (this.#assertions === 0) {
      this.#complain(draft.title.at, 'the scenario asserts nothing', {
        expected: 'an expect, a refused or an answered in one of its steps',
      });
    }
  }

  templates(templates: readonly Template[]): void {
    for (const template of templates) this.#template(template);
  }

  #verifies(draft: Draft): void {
    for (const { value, at } of draft.verifies) {
      if (Object.hasOwn(requirements, value)) continue;
      const hint = suggestion(value, Object.keys(requirements));
      this.#complain(at, `no requirement is named ${JSON.stringify(value)}`, {
        ...(hint !== undefined && { hint }),
      });
    }
  }

  #examples({ examples }: Draft, names: Names): void {
    const [first] = examples;
    if (!first) return;
    for (const { key, value } of first.cells) names.set(key, cellType(value));
    for (const row of examples) {
      const keys = row.cells.map(({ key }) => key);
      const lacks = [...names.keys()].find((key) => !keys.includes(key));
      if (lacks !== undefined)
        this.#complain(row.at, `this example lacks ${JSON.stringify(lacks)}`);
      for (const { key, at, value } of row.cells) {
        const type = names.get(key);
        if (!type) {
          this.#complain(at, `the first example has no ${JSON.stringify(key)}`);
        } else if (cellType(value).kind !== type.kind) {
          const found = named(cellType(value));
          this.#complain(value.at, `found ${found}`, {
            expected: `${named(type)}, as in the first example`,
          });
        }
        this.#arg(value, new Map());
      }
    }
  }

  #template(template: Template): Names {
    const known = this.#given.get(template.name);
    if (known) return known;
    if (this.#given.has(template.name)) {
      this.#complain(template.at, `the template ${JSON.stringify(template.name)} uses itself`);
      return new Map();
    }
    this.#given.set(template.name, undefined);
    const names: Names = new Map();
    for (const { key, value } of template.takes) {
      const type = parameterTypes[value.kind];
      if (value.otherwise) this.fits(value.otherwise, type, new Map());
      names.set(key, type);
    }
    const before = this.#assertions;
    this.#steps(template.steps, names);
    this.#asserted.set(template.name, this.#assertions - before);
    this.#assertions = before;
    const given: Names = new Map();
    for (const { value, at } of template.gives) {
      const type = names.get(value);
      if (type) given.set(value, type);
      else this.#complain(at, `no step of the template saves ${JSON.stringify(value)}`);
    }
    this.#given.set(template.name, given);
    return given;
  }
  readonly #asserted = new Map<string, number>();

  #steps(steps: readonly Step[], names: Names): void {
    for (const step of steps) this.#step(step, names);
  }

  #step(step: Step, names: Names): void {
    switch (step.kind) {
      case 'broken':
        this.#assertions += 1;
        if (step.read) this.#step(step.read, names);
        for (const name of step.saves) if (!names.has(name)) names.set(name, unknown);
        return;
      case 'act':
        return this.#act(step, names);
      case 'sees':
        return this.#sees(step, names);
      case 'assert':
        this.#assertions += 1;
        return this.matcher(step.is, infer(step.value, names, this.#complain), names);
      case 'wait':
        if (typeof step.value !== 'number') {
          this.#located(step.value, step.how === 'for' ? duration : time, names);
        }
        return;
      case 'fault':
        if (step.of) this.#order(step.of, names);
        return;
      case 'let':
        for (const { key, value } of step.values) names.set(key, this.#arg(value, names));
        return;
      case 'together': {
        const branches = step.branches.map((branch) => {
          const own: Names = new Map(names);
          this.#steps(branch, own);
          return own;
        });
        for (const own of branches) {
          for (const [name, type] of own) names.set(name, type);
        }
        return;
      }
      case 'repeat': {
        const own: Names = new Map(names);
        if (step.as) own.set(step.as.value, count);
        return this.#steps(step.steps, own);
      }
      case 'use':
        return this.#use(step, names);
    }
  }

  #use(step: UseStep, names: Names): void {
    const template = this.#templates.get(step.template.value);
    if (!template) {
      const known = [...this.#templates.keys()];
      const hint = suggestion(step.template.value, known);
      this.#complain(
        step.template.at,
        `there is no template ${JSON.stringify(step.template.value)}`,
        {
          expected:
            known.length > 0 ? `one of ${known.join(', ')}` : 'templates, or imports of them',
          ...(hint !== undefined && { hint }),
        },
      );
      return;
    }
    const given = this.#template(template);
    this.#assertions += this.#asserted.get(template.name) ?? 0;
    for (const { key, at, value } of step.with) {
      const parameter = template.takes.find((one) => one.key === key)?.value;
      if (parameter) this.fits(value, parameterTypes[parameter.kind], names);
      else {
        const hint = suggestion(
          key,
          template.takes.map((one) => one.key),
        );
        this.#complain(at, `${JSON.stringify(template.name)} takes no ${JSON.stringify(key)}`, {
          expected: template.takes.map((one) => one.key).join(', ') || 'nothing',
          ...(hint !== undefined && { hint }),
        });
      }
    }
    for (const { key, value } of template.takes) {
      if (value.otherwise || step.with.some((one) => one.key === key)) continue;
      this.#complain(
        step.template.at,
        `${JSON.stringify(template.name)} is not told its ${JSON.stringify(key)}`,
      );
    }
    for (const { given: name, name: own, at } of step.save) {
      const type = given.get(name);
      if (type) names.set(own, type);
      else {
        this.#complain(at, `${JSON.stringify(template.name)} gives no ${JSON.stringify(name)}`, {
          expected: [...given.keys()].join(', ') || 'nothing',
        });
      }
    }
  }

  #act(step: ActStep, names: Names): void {
    const { action, args, party } = step;
    const role = cast[party];
    const name = action.value;
    this.#allowed(step);
    for (const order of [args.of, args.for, args.limit_to]) if (order) this.#order(order, names);
    if (args.quote) this.#quote(args.quote, args.of !== undefined, names);
    if (args.on) this.#located(args.on, { kind: 'stream' }, names);
    this.#body(step, names);
    for (const entry of [...(args.as_is ?? []), ...(args.query ?? []), ...(args.headers ?? [])]) {
      this.#arg(entry.value, names);
    }
    if (args.where) this.#where(step, args.where, names);
    if (args.page) this.fits(args.page, count, names);
    if (args.page_size) this.fits(args.page_size, count, names);
    if (args.path) this.fits(args.path, text, names);
    if (args.body) this.#arg(args.body, names);
    if (args.raw_body) this.fits(args.raw_body, text, names);
    if (args.token) this.#token(args.token, names);
    if (step.before) this.#located(step.before, time, names);
    const answer = step.refused ? unknown : answerOf(name, role);
    if (step.expect) this.matcher(step.expect, answer, names);
    const refused = step.refused && step.refused.statuses !== 'maybe';
    if (step.expect || refused || step.answered || step.before) this.#assertions += 1;
    if (step.save) names.set(step.save.value, answer);
  }

  #allowed({ action, party, refused, answered, eventually, expect }: ActStep): void {
    const role = cast[party];
    const endpoint: EndpointName | undefined = endpointFor(action.value, role);
    const used = endpoint && endpoints[endpoint];
    const roles: readonly string[] = used?.roles ?? [];
    if (!refused && roles.length > 0 && !roles.includes(role)) {
      this.#complain(action.at, `${party} is of role ${role}, which may not "${action.value}"`, {
        expected: `a party of role ${roles.join(' or ')}, or "refused"`,
      });
    }
    if (refused && answered) this.#complain(refused.at, 'both refused and answered');
    if (refused && !used && actionOf(action.value).endpoint !== 'raw') {
      this.#complain(refused.at, `"${action.value}" asks nobody, so nobody can refuse it`);
    }
    if (eventually && (used?.method !== 'GET' || used.result === 'stream')) {
      this.#complain(
        eventually.at,
        `"${action.value}" is not asked again: it would change something each time`,
        {
          expected: 'an action that only reads',
        },
      );
    }
    if (eventually && !expect) {
      this.#complain(eventually.at, '"eventually" with nothing to hold', {
        expected: 'an "expect" beside it',
      });
    }
  }

  #body({ action, args }: ActStep, names: Names): void {
    const schema = action.value === 'create order' ? OrderRequest : QuoteRequest;
    const fields = new Map<string, Type>(
      fieldsOf(schema).map(({ name, form }) => [
        name,
        form === 'decimal' ? decimal : form === 'timestamp' ? time : text,
      ]),
    );
    if (action.value === 'submit quote') fields.set('valid_for', duration);
    for (const { key, at, value } of args.with ?? []) {
      const type = fields.get(key);
      if (type) this.fits(value, type, names);
      else this.#unknownField(at, key, [...fields.keys()], `the body of "${action.value}"`);
    }
    for (const { value, at } of args.without ?? []) {
      if (!fields.has(value))
        this.#unknownField(at, value, [...fields.keys()], `the body of "${action.value}"`);
    }
    const given = (name: string): ArgEntry | undefined =>
      args.with?.find(({ key }) => key === name);
    const twice = given('valid_for') && given('valid_until');
    if (twice) this.#complain(twice.at, 'both valid_for and valid_until');
  }

  #unknownField(at: Spot, key: string, known: readonly string[], what: string): void {
    const hint = suggestion(key, known) ?? 'what the document does not list goes under "as_is"';
    this.#complain(at, `${what} has no field ${JSON.stringify(key)}`, {
      expected: `one of ${known.join(', ')}`,
      hint,
    });
  }

  #where(step: ActStep, where: readonly ArgEntry[], names: Names): void {
    const status = resourceType(step.action.value === 'list orders' ? 'order' : 'own-quote');
    for (const { key, value } of where) {
      const type =
        key === 'status' && status.kind === 'object' ? status.fields['status'] : undefined;
      this.fits(value, type ?? text, names);
    }
  }

  #token(token: Arg, names: Names): void {
    if (token.kind === 'expr') {
      const type = infer(token.expr, names, this.#complain);
      if (
        ['text', 'unknown'].includes(type.kind) ||
        (type.kind === 'object' && 'token' in type.fields)
      )
        return;
      this.#complain(token.at, `found ${named(type)}`, { expected: 'a token' });
    } else this.fits(token, text, names);
  }

  #order(located: Located, names: Names): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown' || type.kind === 'text') return;
    if (type.kind === 'object' && 'intent_id' in type.fields) return;
    this.#complain(located.at, `found ${named(type)}`, {
      expected: 'an order, a quote, a request or a settlement that was saved, or an intent_id',
    });
  }

  #quote(located: Located, orderGiven: boolean, names: Names): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown') return;
    // An order has a quote_id too, once a quote is accepted; but naming one here is most likely a slip.
    const isQuote =
      type.kind === 'object' && 'quote_id' in type.fields && 'intent_id' in type.fields;
    if (isQuote && type.name !== 'order') return;
    if (type.kind === 'text' && orderGiven) return;
    this.#complain(located.at, `found ${named(type)}`, {
      expected: 'a quote that was saved, or a quote_id with "of" beside it',
    });
  }

  #sees(step: SeesStep, names: Names): void {
    this.#assertions += 1;
    if (step.of) this.#order(step.of, names);
    if (step.on) this.#located(step.on, { kind: 'stream' }, names);
    if (step.since) this.#located(step.since, time, names);
    const lists = [step.in_order, step.in_any_order, step.exactly, step.never];
    for (const one of lists.flatMap((list) => list ?? [])) this.#event(one, step, names);
    for (const { key, at, value } of step.count ?? []) {
      this.#event({ at, event: key }, step, names);
      this.matcher(value, count, names);
    }
  }

  #event({ at, event, payload }: EventMatcher, step: SeesStep, names: Names): void {
    const known = eventsOf(cast[step.party] === 'market-maker' ? 'maker' : 'order');
    if (!known.includes(event)) {
      const hint = suggestion(event, known);
      this.#complain(at, `${JSON.stringify(event)} is no event of ${step.party}'s stream`, {
        expected: `one of ${known.join(', ')}`,
        ...(hint !== undefined && { hint }),
      });
    }
    if (payload) this.matcher(payload, payloadType(event), names);
  }

  #located(located: Located, wanted: Type, names: Names): void {
    const type = infer(located, names, this.#complain);
    if (type.kind === 'unknown' || type.kind === wanted.kind) return;
    this.#complain(located.at, `found ${named(type)}`, { expected: named(wanted) });
  }

  /** The type of a value, all expressions in it looked at. */
  #arg(arg: Arg, names: Scope): Type {
    switch (arg.kind) {
      case 'plain':
        return cellType(arg);
      case 'expr':
        return infer(arg.expr, names, this.#complain);
      case 'text':
        for (const part of arg.parts) {
          if (typeof part === 'object') infer(part, names, this.#complain);
        }
        return text;
      case 'list':
        for (const item of arg.items) this.#arg(item, names);
        return unknown;
      case 'map':
        for (const { value } of arg.entries) this.#arg(value, names);
        return unknown;
    }
  }

  /** Whether a value can be of a type. An amount that is not quoted has lost its zeros already, so it is refused. */
  fits(arg: Arg, wanted: Type, names: Scope): void {
    if (arg.kind === 'plain') return this.#plainFits(arg, wanted);
    const found = this.#arg(arg, names);
    if (wanted.kind === 'unknown' || found.kind === 'unknown') {
      if (arg.kind === 'list' && wanted.kind !== 'list' && wanted.kind !== 'unknown')
        this.#wrong(arg, 'a list', wanted);
      if (arg.kind === 'map' && wanted.kind !== 'object' && wanted.kind !== 'unknown')
        this.#wrong(arg, 'a mapping', wanted);
      return;
    }
    const writable = ['text', 'decimal', 'time', 'count'];
    if (wanted.kind === 'text' ? writable.includes(found.kind) : found.kind === wanted.kind) return;
    if (wanted.kind === 'decimal' && found.kind === 'count') return;
    this.#wrong(arg, named(found), wanted);
  }

  #wrong(arg: Arg, found: string, wanted: Type, hint?: string): void {
    const expected = wanted.kind === 'duration' ? durationForm : named(wanted);
    this.#complain(arg.at, `found ${found}`, { expected, ...(hint !== undefined && { hint }) });
  }

  #plainFits(arg: Extract<Arg, { kind: 'plain' }>, wanted: Type): void {
    if (isBroken(arg)) return;
    const { value, written } = arg;
    const shown = typeof value === 'string' ? JSON.stringify(value) : written || 'nothing';
    const inQuotes = `write it in quotes: ${JSON.stringify(written)}`;
    switch (wanted.kind) {
      case 'decimal':
        if (typeof value === 'number')
          this.#wrong(arg, `the bare number ${written}`, wanted, inQuotes);
        else if (!hasForm('decimal', value)) this.#wrong(arg, shown, wanted);
        return;
      case 'text': {
        if (typeof value !== 'string') {
          return this.#wrong(arg, shown, wanted, value === null ? undefined : inQuotes);
        }
        if (!wanted.values || wanted.values.includes(value)) return;
        const hint = suggestion(value, wanted.values);
        return this.#complain(arg.at, `found ${shown}`, {
          expected: `one of ${wanted.values.join(', ')}`,
          ...(hint !== undefined && { hint }),
        });
      }
      case 'time':
        if (!hasForm('timestamp', value)) this.#wrong(arg, shown, wanted);
        return;
      case 'duration':
        if (typeof value !== 'string' || parseDuration(value) === undefined) {
          const unit = `say the unit: ${written}s, ${written}ms`;
          this.#wrong(arg, shown, wanted, typeof value === 'number' ? unit : undefined);
        }
        return;
      case 'count':
        if (!Number.isSafeInteger(value)) this.#wrong(arg, shown, wanted);
        return;
      case 'flag':
        if (typeof value !== 'boolean') this.#wrong(arg, shown, wanted);
        return;
      case 'unknown':
        return;
      case 'object':
      case 'list':
      case 'stream':
        this.#wrong(arg, shown, wanted);
    }
  }

  /** Whether a matcher can match a value of a type. */
  matcher(matcher: Matcher, type: Type, names: Scope): void {
    switch (matcher.kind) {
      case 'equals':
        return this.fits(matcher.value, type, names);
      case 'items':
        if (type.kind !== 'list' && type.kind !== 'unknown') {
          return this.#complain(matcher.at, 'found a list', { expected: named(type) });
        }
        for (const item of matcher.items)
          this.matcher(item, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'object':
        if (type.kind !== 'object' && type.kind !== 'unknown') {
          return this.#complain(matcher.at, 'found a mapping of fields', { expected: named(type) });
        }
        for (const field of matcher.fields) {
          const inner = type.kind === 'object' ? type.fields[field.key] : unknown;
          if (inner) this.matcher(field.matcher, inner, names);
          else this.#noField(type, field);
        }
        return;
      case 'tests':
        for (const test of matcher.tests) this.#test(test, type, names);
    }
  }

  #noField(type: Type, field: { readonly key: string; readonly at: Spot }): void {
    const known = type.kind === 'object' ? Object.keys(type.fields) : [];
    const hint = suggestion(field.key, known);
    this.#complain(field.at, `${named(type)} has no field ${JSON.stringify(field.key)}`, {
      expected: `one of ${known.join(', ')}`,
      ...(hint !== undefined && { hint }),
    });
  }

  #test(test: Test, type: Type, names: Scope): void {
    const needs = (...kinds: readonly Type['kind'][]): boolean => {
      if (type.kind === 'unknown' || kinds.includes(type.kind)) return true;
      this.#complain(test.at, `"${test.test}" says nothing of ${named(type)}`);
      return false;
    };
    switch (test.test) {
      case 'decimal':
        if (!needs('decimal', 'count')) return;
        this.fits(test.value, decimal, names);
        if (test.within) this.fits(test.within, decimal, names);
        return;
      case 'moment':
        if (!needs('time')) return;
        this.fits(test.value, time, names);
        if (test.within) this.fits(test.within, duration, names);
        return;
      case 'above':
      case 'below':
      case 'at_least':
      case 'at_most':
        if (needs('decimal', 'count', 'time', 'duration')) this.fits(test.value, type, names);
        return;
      case 'one_of':
        for (const value of test.values) this.fits(value, type, names);
        return;
      case 'exactly':
        this.#arg(test.value, names);
        return;
      case 'matches':
      case 'format':
        needs('text', 'decimal', 'time');
        return;
      case 'length':
        if (needs('text', 'list')) this.matcher(test.matcher, count, names);
        return;
      case 'contains':
        if (needs('text', 'list'))
          this.matcher(test.matcher, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'each':
        if (needs('list'))
          this.matcher(test.matcher, type.kind === 'list' ? type.item : unknown, names);
        return;
      case 'not':
        this.matcher(test.matcher, type, names);
        return;
      case 'absent':
      case 'present':
    }
  }
}
