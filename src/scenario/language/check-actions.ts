import { endpoints } from '../../spec/endpoints.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { cast } from '../../spec/requirements/index.ts';
import { OrderRequest, QuoteRequest } from '../../spec/resources.ts';
import { type ActionName, actionOf, answerOf, endpointFor } from './actions.ts';
import {
  argType,
  checkLocated,
  checkMatcher,
  checkOrder,
  checkQuote,
  checkToken,
  fits,
} from './check-values.ts';
import type { Names, Scope } from './infer-types.ts';
import type { ActStep } from './steps/act.ts';
import {
  count,
  decimal,
  duration,
  rawAnswer,
  resourceType,
  stream,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';
import { type Entry, oneOfThese } from '../../yaml/index.ts';
import type { Arg } from './arg.ts';

/** Checks one action; returns the number of its assertions, 0 or 1. */
export function checkAction(step: ActStep, names: Names, scope: Scope): number {
  checkUse(step, scope);
  for (const order of [step.of, step.for, step.limit_to]) if (order) checkOrder(order, scope);
  if (step.quote) checkQuote(step.quote, step.of !== undefined, scope);
  if (step.on) checkLocated(step.on, stream, scope);
  checkBody(step, scope);
  const unchecked = [step.as_is, step.query, step.headers].flatMap((entries) => entries ?? []);
  for (const { value } of unchecked) argType(value, scope);
  if (step.where) checkFilters(step.action.value, step.where, scope);
  if (step.page) checkPage(step.page, scope);
  if (step.page_size) fits(step.page_size, count, scope);
  if (step.path) fits(step.path, text, scope);
  if (step.body) argType(step.body, scope);
  if (step.raw_body) fits(step.raw_body, text, scope);
  if (step.token) checkToken(step.token, scope);
  if (step.before) checkLocated(step.before, time, scope);
  const answer = step.refused ? unknown : answerOf(step.action.value, cast[step.party]);
  if (step.expect) checkMatcher(step.expect, answer, scope);
  if (step.whole_answer) checkMatcher(step.whole_answer, rawAnswer, scope);
  if (step.save) names.set(step.save.value, answer);
  const refused = step.refused && step.refused.statuses !== 'maybe';
  return step.expect || step.whole_answer || refused || step.answered || step.before ? 1 : 0;
}

function checkPage(page: Arg, scope: Scope): void {
  if (page.kind !== 'plain' || typeof page.value !== 'string') return fits(page, count, scope);
  if (page.value === 'all') return;
  scope.complain(page.at, `found ${JSON.stringify(page.value)}`, {
    expected: 'a whole number, without quotes, or all',
  });
}

/** Checks that the party may perform the action, and that the keys of the step fit each other. */
function checkUse(step: ActStep, { complain }: Scope): void {
  const { action, party, refused, answered, eventually } = step;
  const role = cast[party];
  const endpoint = endpointFor(action.value, role);
  const used = endpoint && endpoints[endpoint];
  const roles: readonly string[] = used?.roles ?? [];
  if (!refused && roles.length > 0 && !roles.includes(role)) {
    complain(action.at, `${party} is of role ${role}, which may not "${action.value}"`, {
      expected: `a party of role ${roles.join(' or ')}, or "refused"`,
    });
  }
  if (refused && answered) complain(refused.at, 'both refused and answered');
  if (refused && !used && actionOf(action.value).endpoint !== 'raw')
    complain(refused.at, `"${action.value}" asks nobody, so nobody can refuse it`);
  if (!eventually) return;
  const method = used?.method ?? step.method?.value;
  if (method !== 'GET' || used?.result === 'stream') {
    const message = `"${action.value}" is not asked again: it would change something each time`;
    complain(eventually.at, message, { expected: 'an action that only reads' });
  }
  if (!step.expect && !step.whole_answer) {
    complain(eventually.at, '"eventually" with nothing to hold', {
      expected: 'an "expect" beside it',
    });
  }
}

function checkBody({ action, with: given = [], without = [] }: ActStep, scope: Scope): void {
  const schema = action.value === 'create order' ? OrderRequest : QuoteRequest;
  const fields = new Map<string, Type>(
    fieldsOf(schema).map(({ name, form }) => [
      name,
      form === 'decimal' ? decimal : form === 'timestamp' ? time : text,
    ]),
  );
  if (action.value === 'submit quote') fields.set('valid_for', duration);
  const unknownField = (at: ActStep['at'], key: string): void => {
    const { expected, hint } = oneOfThese(key, [...fields.keys()]);
    scope.complain(at, `the body of "${action.value}" has no field ${JSON.stringify(key)}`, {
      expected,
      hint: hint ?? 'what the document does not list goes under "as_is"',
    });
  };
  for (const { key, at, value } of given) {
    const type = fields.get(key);
    if (type) fits(value, type, scope);
    else unknownField(at, key);
  }
  for (const { value, at } of without) if (!fields.has(value)) unknownField(at, value);
  const until = given.find(({ key }) => key === 'valid_until');
  if (until && given.some(({ key }) => key === 'valid_for'))
    scope.complain(until.at, 'both valid_for and valid_until');
}

function checkFilters(action: ActionName, where: readonly Entry<Arg>[], scope: Scope): void {
  const item = resourceType(action === 'list orders' ? 'order' : 'own-quote');
  const status = item.kind === 'object' ? item.fields['status'] : undefined;
  for (const { key, value } of where) fits(value, (key === 'status' && status) || text, scope);
}
