import { wholeDeviations } from '../../spec/deviations.ts';
import { isNamed, type Claim, type NamedStep } from '../steps.ts';
import { stepOf, type Case } from './evidence.ts';
import { eventClaim, eventClaims, subjectOf } from './events.ts';
import { alikeClaims, listClaims, pageClaims } from './lists.ts';
import { askedClaims, foundClaims, hiddenIn, privacyClaims, valueClaims } from './values.ts';
import { relationClaims } from './relations.ts';
import { heartbeat } from '../../spec/events.ts';
import { groupBy } from '../../history/group-by.ts';
import { limits } from '../../spec/limits.ts';

const watchedMs = 2_000;
const heartbeatMs = limits.heartbeatIntervalMs + 5_000;

/**
 * Claims on the raw lines of a stream, for scripts only: a script has no rules. A scenario cannot express them and need
 * not: rules judge each message in it.
 */
export function lineClaims(one: Case): Claim[] {
  const subject = subjectOf(one);
  if (!subject?.frame) return [];
  const { frame, event, stream } = subject;
  const withinMs = event === heartbeat ? heartbeatMs : watchedMs;
  const lines = (must: Extract<Claim, { kind: 'lines' }>['must']): Claim[] => [
    { kind: 'lines', stream: stream.name, must, withinMs },
  ];
  if (event === '') return lines('have names');
  if (frame.data === undefined) return lines('have JSON');
  if (one.deviation === 'to others') return [eventClaim(subject, 'not come', [], withinMs)];
  if (one.deviation !== 'gives away') return [];
  return hiddenIn(JSON.stringify([frame.data, frame.text, frame.comments]), one)
    .slice(0, 1)
    .flatMap(({ value }) => lines({ lack: value }));
}

type Must = Extract<Claim, { kind: 'status' }>['must'];

/** Claims on the status of the last answer. */
function statusClaims(one: Case): Claim[][] {
  const last = one.evidence.at(-1);
  const step = last && stepOf(one, last);
  if (last?.kind !== 'exchange' || !step) return [];
  return mustsOf(one, last.response?.status).flatMap((must) => {
    const tries = must === 'succeed' ? [step, ...sameBefore(one, step)] : [step];
    return tries.map(({ name }): Claim[] => [{ kind: 'status', step: name, must }]);
  });
}

/** Earlier equal requests: a refused request may have been repeated, and a sound backend grants the first one. */
const sameBefore = ({ steps }: Case, last: NamedStep): readonly NamedStep[] =>
  steps
    .filter(isNamed)
    .filter(
      (step) =>
        step.recorded !== last.recorded &&
        (step.recorded.response?.status ?? 0) >= 400 &&
        requestOf(step) === requestOf(last),
    );

const requestOf = ({ party, recorded: { auth, request } }: NamedStep): string =>
  JSON.stringify([party, auth, request.method, request.path, request.body]);

function mustsOf({ deviation = 'other', expected, must }: Case, status = 0): readonly Must[] {
  if (must && 'answered' in must) return ['succeed'];
  if (must && 'refused' in must) return ['be refused'];
  const isStatus = typeof expected === 'number' && expected >= 100 && expected < 600;
  const isOfAnswer = wholeDeviations.has(deviation) || deviation === 'wrong value';
  if (isStatus && isOfAnswer && status !== expected) return [expected];
  // The document may leave open if it is granted.
  if (!isGranted(status) && !isRefused(status)) return ['be answered', 'succeed', 'be refused'];
  if (deviation === 'refused') return ['succeed'];
  return deviation === 'let through' || deviation === 'other status' ? ['be refused'] : [];
}

const isGranted = (status: number): boolean => status >= 200 && status < 300;
const isRefused = (status: number): boolean => status >= 400 && status < 500;

/** Least likely claims: a granted request must be refused, or a refused one granted. */
const grantClaims = (one: Case): Claim[][] =>
  one.evidence.toReversed().flatMap((record): Claim[][] => {
    const step = stepOf(one, record);
    if (record.kind === 'frame' || !step) return [];
    if (step.kind === 'call' && record.request.method === 'GET') return [];
    const { status = 0 } = record.response ?? {};
    if (isGranted(status)) return [[{ kind: 'status', step: step.name, must: 'be refused' }]];
    return isRefused(status) ? [[{ kind: 'status', step: step.name, must: 'succeed' }]] : [];
  });

export type { Case } from './evidence.ts';

const ofFields = [pageClaims, relationClaims, valueClaims, privacyClaims];
const ofWholes = [statusClaims, eventClaims, listClaims];

/**
 * Sets of claims on single answers and events that may express a finding, made of its places, its deviation and its
 * values. The likeliest first. Playing them shows which one fails on the target and holds on a sound backend.
 */
export function claimsFor(one: Case): Claim[][] {
  const isWhole = wholeDeviations.has(one.deviation ?? 'other');
  const likely = isWhole
    ? [...ofWholes, ...ofFields, alikeClaims]
    : [...ofFields, alikeClaims, ...ofWholes];
  const all = [askedClaims, ...likely, foundClaims, grantClaims].flatMap((make) => make(one));
  const tried = [...all, ...all.map(ofEach), ...all.flatMap(orRefused)];
  return [...groupBy(tried, (claims) => JSON.stringify(claims)).values()].flatMap(([first]) =>
    first ? [[...first]] : [],
  );
}

/** Variant of value claims that also holds if a sound backend refuses the request: then there is no wrong answer. */
function orRefused(claims: readonly Claim[]): Claim[][] {
  if (!claims.every((claim) => claim.kind === 'value')) return [];
  return [claims.map((claim) => ({ ...claim, orRefused: true }))];
}

/** Variant of value claims on all items of a list, since another run may show the failure at another item. */
const ofEach = (claims: readonly Claim[]): Claim[] =>
  claims.map((claim) => {
    if (claim.kind !== 'value' || claim.path.length < 3) return claim;
    const path = claim.path.map((part) =>
      typeof part === 'object' ? ({ each: true } as const) : part,
    );
    return { ...claim, path };
  });
