import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { cast } from '../../spec/requirements/index.ts';
import { OrderRequest, QuoteRequest } from '../../spec/resources.ts';
import { suggestion } from '../../yaml/index.ts';
import { actionOf, answerOf, endpointFor } from './actions.ts';
import { ValueChecker } from './check-values.ts';
import type { Complain } from './infer-types.ts';
import type { ActStep } from './model.ts';
import type { ArgEntry } from './reader.ts';
import type { SourceLocation } from './source-location.ts';
import {
  count,
  decimal,
  duration,
  rawAnswer,
  resourceType,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';

/** Names saved so far; a step adds its own. */
export type Names = Map<string, Type>;

/** Checks the actions of parties. */
export class ActionChecker {
  readonly #complain: Complain;
  readonly #values: ValueChecker;

  constructor(complain: Complain) {
    this.#complain = complain;
    this.#values = new ValueChecker(complain);
  }

  /** Checks one action; returns the number of its assertions, 0 or 1. */
  check(step: ActStep, names: Names): number {
    const { action, args, party } = step;
    const role = cast[party];
    const name = action.value;
    this.#allowed(step);
    for (const order of [args.of, args.for, args.limit_to])
      if (order) this.#values.order(order, names);
    if (args.quote) this.#values.quote(args.quote, args.of !== undefined, names);
    if (args.on) this.#values.located(args.on, { kind: 'stream' }, names);
    this.#body(step, names);
    for (const entry of [...(args.as_is ?? []), ...(args.query ?? []), ...(args.headers ?? [])]) {
      this.#values.arg(entry.value, names);
    }
    if (args.where) this.#where(step, args.where, names);
    const everything = args.page?.kind === 'plain' && args.page.value === 'all';
    if (args.page && !everything) this.#values.fits(args.page, count, names);
    if (args.page_size) this.#values.fits(args.page_size, count, names);
    if (args.path) this.#values.fits(args.path, text, names);
    if (args.body) this.#values.arg(args.body, names);
    if (args.raw_body) this.#values.fits(args.raw_body, text, names);
    if (args.token) this.#values.token(args.token, names);
    if (step.before) this.#values.located(step.before, time, names);
    const answer = step.refused ? unknown : answerOf(name, role);
    if (step.expect) this.#values.matcher(step.expect, answer, names);
    if (step.wholeAnswer) this.#values.matcher(step.wholeAnswer, rawAnswer, names);
    const refused = step.refused && step.refused.statuses !== 'maybe';
    if (step.save) names.set(step.save.value, answer);
    return step.expect || step.wholeAnswer || refused || step.answered || step.before ? 1 : 0;
  }

  #allowed(step: ActStep): void {
    const { action, args, party, refused, answered, eventually, expect, wholeAnswer } = step;
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
    const method = used?.method ?? args.method?.value;
    if (eventually && (method !== 'GET' || used?.result === 'stream')) {
      this.#complain(
        eventually.at,
        `"${action.value}" is not asked again: it would change something each time`,
        { expected: 'an action that only reads' },
      );
    }
    if (eventually && !expect && !wholeAnswer) {
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
      if (type) this.#values.fits(value, type, names);
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

  #unknownField(at: SourceLocation, key: string, known: readonly string[], what: string): void {
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
      this.#values.fits(value, type ?? text, names);
    }
  }
}
