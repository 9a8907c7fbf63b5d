import { cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Claim, plain, type Template } from '../steps.ts';
import { type Case, placesIn, shownBy, stepOf } from './evidence.ts';
import { claimAt } from './values.ts';

/** Number of leading key digits that identify a party. */
const tellingDigits = 8;

/** A part of a party's identifier, as text and as a reproduction writes it. */
interface Identity {
  readonly text: string;
  readonly value: Template;
}

/**
 * Parts of party identifiers in a text: a whole identifier, its name, or the beginning of its key. The most telling
 * first.
 */
export function hiddenIn(text: string, { partyIds }: Pick<Case, 'partyIds'>): readonly Identity[] {
  const whole = [...partyIds].map(([id, party]) => ({
    text: id,
    value: { kind: 'party', party } as const,
  }));
  const parts = [...partyIds.keys()].flatMap((id) => {
    const [name = '', key = ''] = id.split('::');
    return [key.slice(0, tellingDigits), name].filter((part) => part !== '');
  });
  return [
    ...whole,
    ...[...new Set(parts)].map((part) => ({ text: part, value: plain(part) })),
  ].filter((identity) => text.includes(identity.text));
}

/** An identity must not show, in an answer, its headers or an event. */
export function privacyClaims(one: Case): Claim[][] {
  const last = one.evidence.at(-1);
  const step = last && stepOf(one, last);
  if (!step || one.deviation !== 'gives away') return [];
  const shown = shownBy(last);
  const places = [...placesIn(shown)].filter(({ value }) => typeof value === 'string');
  const lacking = hiddenIn(JSON.stringify(shown), one).flatMap(({ text, value }) =>
    places
      .filter((place) => String(place.value).includes(text))
      .map(({ path, value: seen }): Claim[] => {
        const [, ...within] = path.map(String);
        if (last.kind === 'exchange') {
          const spot = { record: last, step, leaf: String(path.at(-1)), path, seen };
          return [claimAt(one, spot, { test: 'lacks', value })];
        }
        const fields = [[within, { test: 'names', value }]] as const;
        const known = { kind: 'event', stream: step.name, event: last.event } as const;
        return [{ ...known, fields, must: 'not come', withinMs: 1_000 }];
      }),
  );
  return [...lacking, ...alikeClaims(one)];
}

/** Claims that a market maker cannot tell who took the steps. For findings without a visible identity. */
function alikeClaims({ evidence, steps, actual }: Case): Claim[][] {
  const maker = castNames.find((name) => name === evidence.at(-1)?.party);
  const creation = steps.find(
    (step) => step.kind === 'call' && step.recorded.endpoint === 'order.create',
  );
  if (actual !== undefined || maker === undefined || creation?.kind !== 'call') return [];
  const { party } = creation;
  const others = castNames.filter((name) => name !== party && cast[name] === cast[party]);
  return others.map((other) => [{ kind: 'alike', parties: [party, other], for: maker }]);
}
