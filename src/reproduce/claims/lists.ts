import { isObject } from '../../history/json.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { plain, type Claim, type PathPart, type Template } from '../steps.ts';
import { hiddenIn } from './hidden.ts';
import { bodyOf, type Case, lastOf, placesIn, reference, steadyPath, stepOf } from './evidence.ts';

const mustNotHold =
  /held an|stood on a list|was shown|was still on|among the settlements|showed an item|shown all the same|showed .* quote/;

/** What must be on a list, and what must not. */
export const listClaims = (one: Case): Claim[][] =>
  one.evidence.toReversed().flatMap((record) => claimsOnList(one, record));

function claimsOnList(one: Case, record: Case['evidence'][number]): Claim[][] {
  const body = bodyOf(record);
  const items =
    isObject(body) && Array.isArray(body['data']) ? body['data'].filter(isObject) : undefined;
  const step = stepOf(one, record.id)?.name;
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
    ['quote_id', 'intent_id', 'sender_party_id', 'market_maker_party_id', 'mm_party_id'].flatMap(
      (where) => {
        const is = reference(item[where], one);
        return is.kind === 'plain' ? [] : [claim(where, is, 'absent')];
      },
    ),
  );
}

/** An identity that must not show, in whatever was said. */
export function privacyClaims(one: Case): Claim[][] {
  const last = lastOf(one);
  if (
    !last ||
    !/gave .* away|named the side|showed the|identity/.test(
      `${one.message} ${String(one.expected)}`,
    )
  )
    return [];
  const body = bodyOf(last);
  const headers = last.kind === 'exchange' ? (last.response?.headers ?? {}) : {};
  const shown = JSON.stringify([body, headers]);
  const step = stepOf(one, last.kind === 'frame' ? last.stream : last.id)?.name;
  if (step === undefined) return [];
  return hiddenIn(shown, one).flatMap((value) => {
    const text =
      value.kind === 'party'
        ? idOf(value.party, one)
        : String(value.kind === 'plain' && value.value);
    const test = { test: 'lacks', value } as const;
    const placesOf = (root: unknown) =>
      [...placesIn(root)].filter(
        (place) => typeof place.value === 'string' && place.value.includes(text),
      );
    const inBody = placesOf(body).map(({ path }): Claim[] =>
      last.kind === 'frame'
        ? [neverTells(step, last.event, path.map(String), value)]
        : [{ kind: 'value', step, of: 'body', path: steadyPath(body, path, one), test }],
    );
    const inHeaders = placesOf(headers).map(({ path }): Claim[] => [
      { kind: 'value', step, of: 'headers', path: path.map(String), test },
    ]);
    return [...inBody, ...inHeaders];
  });
}

const idOf = (party: CastName, { partyIds }: Case): string =>
  [...partyIds].find(([, name]) => name === party)?.[0] ?? '';

/** No event of a kind with a party's identity in it. */
const neverTells = (
  stream: string,
  event: string,
  path: readonly string[],
  value: Template,
): Claim => ({
  kind: 'event',
  stream,
  event,
  fields: [[path, { test: 'names', value }]],
  must: 'not come',
  withinMs: 1_000,
});
