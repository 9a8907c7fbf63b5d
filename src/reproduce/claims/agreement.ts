import { isObject } from '../../history/json.ts';
import { cast, castNames } from '../../spec/requirements/requirement.ts';
import type { CallStep, Claim, Template } from '../steps.ts';
import { bodyOf, type Case, stepOf } from './evidence.ts';

/** What a read must answer: what was asked for. */
export function askedClaims(one: Case): Claim[][] {
  return one.evidence.toReversed().flatMap((record): Claim[][] => {
    const step = stepOf(one, record.id);
    if (step?.kind !== 'call') return [];
    const body = bodyOf(step.recorded);
    const data = isObject(body) ? body['data'] : undefined;
    const asked = [
      ['intent_id', step.intentId],
      ['quote_id', step.quoteId],
    ] as const;
    return asked.flatMap(([field, id]): Claim[][] => {
      const params = step.recorded.params[field];
      if (!id || id.kind === 'plain' || !isObject(data) || params === undefined) return [];
      if (typeof data[field] !== 'string' || same(data[field], params)) return [];
      const path = ['data', field];
      const test = { test: 'equals', value: id } as const;
      return [[{ kind: 'value', step: step.name, of: 'body', path, test }]];
    });
  });
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** What must not depend on who took the steps, as two worlds side by side have shown that it does. */
export function senderClaims({ message, evidence, steps }: Case): Claim[][] {
  if (!/depends on who the senders are/.test(message)) return [];
  const maker = castNames.find((name) => name === evidence.at(-1)?.party);
  const creation = steps.find(
    (step) => step.kind === 'call' && step.recorded.endpoint === 'order.create',
  );
  if (maker === undefined || creation?.kind !== 'call') return [];
  const { party } = creation;
  const others = castNames.filter((name) => name !== party && cast[name] === cast[party]);
  return others.map((other) => [{ kind: 'alike', parties: [party, other], for: maker }]);
}

/** What two answers to the same question must have in common: all of it, or as many items. */
export function alikeClaims(one: Case): Claim[][] {
  if (!/otherwise|differed|told .* from|another answer/.test(one.message)) return [];
  const ids = [...new Set(one.evidence.map(({ id }) => id))];
  const calls = ids.flatMap((id) => {
    const step = stepOf(one, id);
    return step?.kind === 'call' ? [step] : [];
  });
  return calls.flatMap((first, index) =>
    calls
      .slice(index + 1)
      .filter(({ recorded }) => recorded.endpoint === first.recorded.endpoint)
      .flatMap((second) => [
        compared(second, first, 'data', (of) => of),
        compared(second, first, 'number of items', (of) => ({ kind: 'count', of })),
      ]),
  );
}

function compared(
  second: CallStep,
  first: CallStep,
  what: string,
  measure: (of: Template) => Template,
): Claim[] {
  const dataOf = ({ name }: CallStep): Template => ({ kind: 'answer', step: name, path: ['data'] });
  const value = measure(dataOf(first));
  return [
    {
      kind: 'compare',
      value: measure(dataOf(second)),
      test: { test: 'equals', value },
      what: `the ${what} of ${second.name}`,
    },
  ];
}
