import { isObject } from '../../history/json.ts';
import { hasForm } from '../../spec/forms.ts';
import type { Claim, Template, Test } from '../steps.ts';
import { bodyOf, type Case, placesIn, stepOf } from './evidence.ts';

const sources = ['source_amount', 'source_amount_actual', 'mm_quoted_source_amount'] as const;
const targets = ['mm_delivered_target_amount', 'target_amount'] as const;

/** What amounts must be beside one another. */
export function moneyClaims(one: Case): Claim[][] {
  const isRate = one.message.startsWith('the amounts and the rate agreed in');
  const isMaximum = /above (?:its )?source_amount_max$/.test(one.message);
  if (!isRate && !isMaximum) return [];
  return one.evidence.toReversed().flatMap((record) => {
    const step = record.kind === 'exchange' ? stepOf(one, record.id) : undefined;
    if (step?.kind !== 'call') return [];
    return [...placesIn(bodyOf(record))].flatMap(({ path, value }): Claim[][] => {
      if (!isObject(value)) return [];
      const of = (field: string): Template => ({
        kind: 'answer',
        step: step.name,
        path: [...path, field],
      });
      const source = sources.find((name) => hasForm('decimal', value[name]));
      const target = targets.find((name) => hasForm('decimal', value[name]));
      if (source === undefined) return [];
      const what = `${source} in ${step.name}`;
      if (isMaximum) {
        if (!('source_amount_max' in value)) return [];
        const most: Test = { test: 'at_most', value: of('source_amount_max') };
        return [[{ kind: 'compare', value: of(source), test: most, what }]];
      }
      if (target === undefined || !hasForm('decimal', value['fx_rate'])) return [];
      const test = eitherWay(of(target), of('fx_rate'), unitOf(value[source]));
      return [[{ kind: 'compare', value: of(source), test, what }]];
    });
  });
}

/** Which way round a rate is read is open: the amount is right in either. */
const eitherWay = (target: Template, rate: Template, within: string): Test => ({
  test: 'any',
  of: (['/', '*'] as const).map((op) => ({
    test: 'near',
    value: { kind: 'math', op, left: target, right: rate },
    within,
  })),
});

/** One of the last place that an amount shows. */
function unitOf(amount: unknown): string {
  const [, places = ''] = String(amount).split('.');
  return places === '' ? '1' : `0.${'0'.repeat(places.length - 1)}1`;
}
