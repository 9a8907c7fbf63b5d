import type { Deviation } from '../deviations.ts';
import type { EndpointName } from '../endpoints.ts';
import type { EventName, heartbeat } from '../events.ts';
import type { GapId } from '../gaps/index.ts';
import type { Part } from '../vocabulary.ts';
import { needs } from './needs.ts';
import type { Excuse, Needs, Requirement, Subject } from './requirement.ts';

export type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Kebab<Tail>}`
  : S;
export const kebab = <S extends string>(name: S): Kebab<S> =>
  name.toLowerCase().replaceAll('_', '-') as Kebab<S>;

/** A statement that is not like the others of its part. */
export type Statement = Pick<Requirement, 'summary'> & Partial<Requirement>;
/** @param section where it is not that of the statements beside it */
type Says = (summary: string, section?: Part) => Statement;
export type Statements<Name extends string> = Readonly<Record<Name, string | Statement>>;

/** Says it with the needs of its part; every method but `says` with those of its name. */
const saying = (known: Partial<Requirement>) => {
  const saysWith =
    (more: Partial<Requirement>): Says =>
    (summary, section) => ({ ...known, ...more, summary, ...(section && { part: section }) });
  const says = saysWith({});
  const withNeeds = Object.entries(needs).map(([name, needed]) => [
    name,
    saysWith({ needs: needed }),
  ]);
  const others = Object.fromEntries(withNeeds) as Readonly<Record<keyof typeof needs, Says>>;
  return Object.assign(says, { says, ...others });
};

/** `needing.settlement('…')`: a statement that takes more, or less, than the others of its part. */
export const needing = saying({});

/** `breach('not sent').settlement('…')`: a statement, with what breaking it is. */
export const breach = (departs: Deviation, about?: Subject) =>
  saying({ departs, ...(about && { about }) });
/** A statement that has another subject than those beside it. */
export const of = (about: Subject) => saying({ about });
export const ofField = (field: string) => of({ field });

/** A statement whose words have no exact meaning, with the open question that admits a departure from it. */
export const vague = (
  gap: GapId,
  closes: Excuse['closes'],
  more?: Pick<Requirement, 'departs' | 'about'>,
) => saying({ level: 'vague', excuse: { gap, closes }, ...more });

/** A statement that no black box can judge, with the reason. */
export const notObservable = (summary: string, unobservable: string): Statement => ({
  summary,
  unobservable,
});

const statement = (said: string | Statement): Statement =>
  typeof said === 'string' ? { summary: said } : said;

/** The statements of one part. A bare sentence is a `must` that the given parties can exercise. */
export const part = <Id extends string>(
  name: Part,
  usual: Needs,
  statements: Statements<Id>,
): Readonly<Record<Id, Requirement>> => {
  const complete = (said: string | Statement): Requirement => {
    const own = statement(said);
    const needed = own.unobservable === undefined && { needs: usual };
    return { part: name, level: 'must', ...needed, ...own };
  };
  const entries = Object.entries<string | Statement>(statements);
  return Object.fromEntries(entries.map(([id, said]) => [id, complete(said)])) as Record<
    Id,
    Requirement
  >;
};

/** Statements about one thing: their ids begin with its name. */
export const about =
  <const Name extends string>(subject: Subject, name: Name, departs?: Deviation) =>
  <Facet extends string>(
    section: Part,
    usual: Needs,
    statements: Statements<Facet>,
  ): Readonly<Record<`${Name}.${Facet}`, Requirement>> => {
    const entries = Object.entries<string | Statement>(statements).map(([facet, said]) => {
      const own = { ...(departs && { departs }), ...statement(said) };
      return [`${name}.${facet}`, { ...own, about: { ...subject, ...own.about } }];
    });
    return part(section, usual, Object.fromEntries(entries) as Statements<`${Name}.${Facet}`>);
  };
/** `at('order.list')('4.2', …)`: statements about an endpoint. */
export const at = <const E extends EndpointName>(endpoint: E) => about({ endpoint }, endpoint);
/** `on('order_updated')('6', …)`: statements about an event. */
export const on = <const E extends EventName | typeof heartbeat>(event: E) =>
  about({ event }, `event.${kebab(event)}`);
