import { isObject } from '../../history/json.ts';
import { plain, type Claim, type PathPart, type Template } from '../steps.ts';
import { bodyOf, type Case, lastOf, reference, stepOf } from './evidence.ts';

const mustNotHold = /held an|stood on a list|was shown|was still on|among the settlements|showed an item|shown all the same|showed .* quote/;

/** What must be on a list, and what must not. */
export function listClaims(one: Case): Claim[][] {
  const last = lastOf(one);
  if (last?.kind !== 'exchange') return [];
  const body = bodyOf(last);
  const items = isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isObject) : undefined;
  const step = stepOf(one, last.id)?.name;
  if (!items || step === undefined) return [];
  const claim = (where: string, is: Template, test: 'present' | 'absent'): Claim[] => {
    const path: readonly PathPart[] = ['data', { where, is }];
    return [{ kind: 'value', step, of: 'body', path, test: { test } }];
  };
  if (/left out an item/.test(one.message)) {
    const is = reference(one.expected, one);
    const named = is.kind === 'answer' ? String(is.path.at(-1)) : 'intent_id';
    return is.kind === 'plain' ? [] : [claim(named, is, 'present')];
  }
  if (/filtered by/.test(one.message)) return [claim('status', plain(one.actual), 'absent')];
  if (!mustNotHold.test(one.message)) return [];
  return items.flatMap((item) =>
    ['quote_id', 'intent_id', 'sender_party_id', 'market_maker_party_id', 'mm_party_id'].flatMap((where) => {
      const is = reference(item[where], one);
      return is.kind === 'plain' ? [] : [claim(where, is, 'absent')];
    }),
  );
}

/** An identity that must not show, in whatever was said. */
export function privacyClaims(one: Case): Claim[][] {
  const last = lastOf(one);
  if (!last || !/gave .* away|named the side|showed the|identity/.test(`${one.message} ${String(one.expected)}`)) return [];
  const shown = JSON.stringify(bodyOf(last));
  const step = stepOf(one, last.kind === 'frame' ? last.stream : last.id)?.name;
  if (step === undefined) return [];
  const hidden = [...one.partyIds].filter(([id]) => shown.includes(id));
  return hidden.map(([, party]) => {
    const test = { test: 'lacks', value: { kind: 'party', party } } as const;
    return last.kind === 'frame'
      ? [{ kind: 'event', stream: step, event: last.event, fields: [[[], { test: 'names', value: test.value }]], must: 'not come', withinMs: 1_000 }]
      : [{ kind: 'value', step, of: 'body', path: ['data'], test }];
  });
}
