import {
  classOf,
  idSet,
  isOfEvent,
  ofWalks,
  tiesOf,
  type Candidate,
  type Group,
  type Spot,
} from './cover.ts';
import type { Deviation } from '../../spec/deviations.ts';
import { quantityOf } from './paths.ts';
import { subjectOf } from '../../spec/requirements/index.ts';
import { isObject } from '../../history/json.ts';

/** True if the forged tokens let through have the same defects, at any endpoints. */
function isSameForgery({ members }: Group, cause: Group): boolean {
  const known = new Set(cause.members.map(({ failure }) => failure.token));
  return members.every(({ failure: { token } }) => token !== undefined && known.has(token));
}

/** If good tokens are refused, every request with such a token is refused with 401. */
const isOfRefusedToken = ({ members }: Group, cause: Group): boolean =>
  cause.members.some(
    ({ requirement, failure }) =>
      subjectOf(requirement).token === true && failure.deviation === 'refused',
  ) &&
  members.every(
    ({ failure: { deviation, actual } }) =>
      deviation === 'refused' && (isObject(actual) ? actual['status'] : actual) === 401,
  );

/** Requirement on the verification of each claim of a token. */
const refusedFor: Readonly<Record<string, string>> = {
  aud: 'auth.wrong-audience-refused',
  iss: 'auth.wrong-issuer-refused',
  exp: 'auth.no-expiry-refused',
};

/** True for a wrong claim in the tokens that the target issues. It explains failures in the use of tokens. */
const isStated = ({ where, leaf }: Group): boolean =>
  where === 'token.create' && Object.hasOwn(refusedFor, leaf);

/** A target with a wrong or missing claim in its own tokens does not verify that claim in others either. */
const isAboutItsClaim = ({ members }: Group, cause: Group): boolean =>
  isStated(cause) &&
  members.every(({ failure }) => failure.deviation === 'let through') &&
  members.some(({ requirement }) => requirement === refusedFor[cause.leaf]);

const early = idSet(
  'order.state.pending-to-expired.not-early',
  'order.state.quoted-to-expired.not-early',
  'quote.state.pending-to-expired.not-early',
);
const expires = idSet(
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.though-quoted',
  'order.state.quoted-to-expired',
  'quote.state.pending-to-expired',
);
const expired = idSet(
  'order.state.expired-absorbs',
  'quote.state.expired-absorbs',
  'order.accept.expired-order-refused',
  'order.accept.expired-quote-refused',
  'quote.submit.expired-request-refused',
  'order.cancel.expired-stays',
  'rfq.list.expired-order-left',
);

const isEarly = ({ requirement }: Candidate): boolean => early.has(requirement);
const isOfExpiry = (one: Candidate): boolean => isEarly(one) || expires.has(one.requirement);

/**
 * True if the group follows from a wrong expiry. An order or quote that does not become EXPIRED at its deadline breaks
 * all requirements after the deadline. A wrong deadline in the answers explains a wrong expiry in turn.
 */
const isAfterItsDeadline = (group: Group, { leaf, members }: Group): boolean =>
  (leaf === 'expires_at' || leaf === 'valid_until' || members.some(isOfExpiry)) &&
  group.members.every((one) => isOfExpiry(one) || expired.has(one.requirement));

/** True if an order or a quote ends before its deadline. */
const isCutShort = ({ leaf, members }: Group): boolean =>
  leaf === 'status' && members.some(isEarly);

/** An order or quote that ended too early is missing from lists of open ones, and requests on it are refused. */
const isAfterItsEnd = ({ members }: Group, cause: Group): boolean =>
  isCutShort(cause) &&
  members.every(
    ({ failure: { deviation } }) => deviation === 'left out' || deviation === 'refused',
  );

const temporal: ReadonlySet<string> = new Set<Deviation>([
  'out of order',
  'late or early',
  'too early',
]);

/** Events are compared with the timestamps in answers. If a timestamp is wrong, events seem to come at a wrong time. */
const isHeldAgainst = ({ members }: Group, { leaf }: Group, wheres: ReadonlySet<string>): boolean =>
  (leaf.endsWith('_at') || leaf.endsWith('_until')) &&
  members.every(
    ({ failure, spots }) =>
      temporal.has(failure.deviation ?? '') && spots.some(({ where }) => wheres.has(where)),
  );

const isCount = ({ requirement }: Candidate): boolean =>
  subjectOf(requirement).field?.startsWith('pagination.') === true;

const isOfPages = ({ members }: Group): boolean =>
  members.some((one) => ofWalks.has(one.requirement) || isCount(one));

const isOfCounts = ({ members }: Group): boolean => members.every(isCount);

const itemsOf: ReadonlySet<string> = new Set<Deviation>(['left out', 'too much']);

const isOfItems = ({ members }: Group): boolean =>
  members.some(({ failure }) => itemsOf.has(failure.deviation ?? ''));

/**
 * True if both groups are about the paging of one list. Page cuts, page counts and page contents are one mistake. A
 * list with too few or too many items also has wrong counts.
 */
const isOfItsPages = (group: Group, cause: Group): boolean =>
  (isOfPages(group) && isOfPages(cause)) || (isOfCounts(group) && isOfItems(cause));

/** A walk through a list ends where its count says, so a count that is too low leaves out what comes after. */
const isBehindItsCount = ({ members }: Group, { leaf }: Group): boolean =>
  leaf.startsWith('total_') &&
  members.every(
    ({ failure, spots }) =>
      failure.deviation === 'left out' && spots.some((spot) => spot.leaf === leaf),
  );

/** Deviations that change what happens next, so that more goes wrong with the same order. */
const behavioural: ReadonlySet<string> = new Set<Deviation>([
  'fault',
  'let through',
  'refused',
  'wrong state',
  'too much',
  'left out',
]);

const unique = idSet('order.intent-id.unique', 'quote.quote-id.unique');
const isId: ReadonlySet<string> = new Set(['intent_id', 'quote_id']);

/** Fields that show how an order ended: other requirements depend on that. */
const ends: ReadonlySet<string> = new Set(['status', 'failure_reason']);

const isBehavioural = ({ leaf, members }: Group): boolean =>
  ends.has(leaf) ||
  isSharedId({ leaf, members }) ||
  members.some(({ failure }) => behavioural.has(failure.deviation ?? ''));

/** An order or quote with the id of another is mistaken for it, with all of its fields. */
const isSharedId = ({ leaf, members }: Pick<Group, 'leaf' | 'members'>): boolean =>
  isId.has(leaf) && members.some(({ requirement }) => unique.has(requirement));

/** The answer to a request ranks before the events about it. */
const rankOf = ({ where, members }: Group): number =>
  isOfEvent(members.flatMap(({ spots }) => spots).find((spot) => spot.where === where))
    ? 2
    : members.some(({ failure }) => failure.deviation === 'let through')
      ? 0
      : 1;

const requirementsOf = ({ members }: Group): number =>
  new Set(members.map(({ requirement }) => requirement)).size;

/** Merges each group that follows from a more telling group into that group. */
export function withConsequences(groups: readonly Group[]): Group[] {
  const sorted = groups.toSorted(
    (one, other) =>
      Number(isId.has(other.leaf)) - Number(isId.has(one.leaf)) ||
      Number(isStated(other)) - Number(isStated(one)) ||
      Number(isCutShort(other)) - Number(isCutShort(one)) ||
      requirementsOf(other) - requirementsOf(one) ||
      rankOf(one) - rankOf(other) ||
      other.members.length - one.members.length,
  );
  const kept: { group: Group; ties: Set<string> }[] = [];
  for (const group of sorted) {
    const home = kept.find(({ group: cause, ties }) => follows(group, cause, ties));
    if (!home) {
      kept.push({ group, ties: tiesOf(group.members) });
      continue;
    }
    home.group = { ...home.group, members: [...home.group.members, ...group.members] };
  }
  return withEmptyAnswers(kept.map(({ group }) => group));
}

function follows(group: Group, cause: Group, ties: ReadonlySet<string>): boolean {
  const shared = wheresOf(cause);
  const isSameWhere = [...wheresOf(group)].every((where) => shared.has(where));
  const own = new Set(cause.members.map(({ requirement }) => requirement));
  if (isSameWhere && group.members.every(({ requirement }) => own.has(requirement))) return true;
  // Items are known by their ids: without ids, every requirement on the answer as a whole fails.
  if (isSameWhere && isId.has(cause.leaf) && isOfAll(group)) return true;
  if (isSameWhere && isSharedId(cause)) return true;
  if (isBehindMost(group, cause)) return true;
  if (isHeldAgainst(group, cause, shared)) return true;
  if (isIntermittent(group, cause) || isAfterItsDeadline(group, cause)) return true;
  if (isSameWhere && isOfItsPages(group, cause)) return true;
  if (isBehindItsCount(group, cause)) return true;
  if (isBesideLostEvents(group, cause)) return true;
  if (isOfRefusedToken(group, cause) || isSameForgery(group, cause)) return true;
  if (isAboutItsClaim(group, cause) || isAfterItsEnd(group, cause)) return true;
  const isTied = ({ ties: mine }: Candidate): boolean => [...mine].some((tie) => ties.has(tie));
  const tied = group.members.filter(isTied).length;
  // Only the first of many repeated failures are kept, and they differ by requirement: half of them is enough.
  if (isBehavioural(cause)) return tied * 2 >= group.members.length;
  if (tied < group.members.length) return false;
  // Several fields of one answer that are wrong in the same way, as two that were swapped.
  return isSameWhere && kindOf(group) === kindOf(cause);
}

/** Number of missing fields from which an answer counts as one mistake, even if other failures rest on one of them. */
const severalFields = 4;

/**
 * Merges the groups of other missing fields into the group of an answer that lacks several. This comes last: only then
 * is it known which answers lack several.
 */
function withEmptyAnswers(groups: readonly Group[]): Group[] {
  const empty = groups.find(
    ({ members }) =>
      new Set(members.flatMap((one) => lackedBy(one)?.leaf ?? [])).size >= severalFields,
  );
  if (!empty) return [...groups];
  const wheres = wheresOf(empty);
  const lacks = ({ members }: Group): boolean =>
    members.some((one) => wheres.has(lackedBy(one)?.where ?? ''));
  const others = groups.filter((one) => one !== empty && lacks(one));
  const members = [empty, ...others].flatMap((one) => one.members);
  return groups.flatMap((one) =>
    one === empty ? { ...empty, members } : others.includes(one) ? [] : [one],
  );
}

/** The place of a field that is missing. */
const lackedBy = ({ failure, spots: [first] }: Candidate): Spot | undefined =>
  failure.deviation === 'missing' ? first : undefined;

/** A field that is missing from some answers only is also reported as changed. */
const isIntermittent = (group: Group, cause: Group): boolean =>
  cause.leaf !== '' &&
  quantityOf(cause.leaf) === quantityOf(group.leaf) &&
  cause.members.some((one) => classOf(one, cause.leaf) === 'missing') &&
  group.members.every(({ failure }) => failure.deviation === 'changed');

/** True if the cause is a wrongly handled request that was made on most of the orders on which the group shows. */
function isBehindMost({ members }: Group, cause: Group): boolean {
  if (cause.kind !== 'whole' || !isBehavioural(cause)) return false;
  const isThere = ({ spots }: Candidate): boolean =>
    spots.some(({ where, leaf }) => where === cause.where && leaf === '');
  return members.filter(isThere).length * 2 >= members.length;
}

/** A stream that lost an event shows states that do not follow each other. */
const isBesideLostEvents = (group: Group, cause: Group): boolean =>
  group.members.every(
    ({ failure, spots: [first] }) => failure.deviation === 'wrong state' && isOfEvent(first),
  ) &&
  cause.members.some(
    ({ failure, spots: [first] }) =>
      failure.deviation === 'not sent' && wheresOf(group).has(first?.where ?? ''),
  );

/** True for groups about an answer as a whole, including its counts. */
const isOfAll = ({ kind, leaf }: Group): boolean => kind === 'whole' || leaf.startsWith('total_');

/** The answers and events at which a group shows. */
const wheresOf = ({ kind, where, leaf, members }: Group): ReadonlySet<string> =>
  new Set(
    kind === 'view'
      ? members.flatMap(({ spots }) => spots.find(({ quantity }) => quantity === leaf)?.where ?? [])
      : kind === 'clause'
        ? members.flatMap(({ spots: [first] }) => first?.where ?? [])
        : [where],
  );

const kindOf = ({ leaf, members: [first] }: Group): string | undefined =>
  first && classOf(first, leaf);
