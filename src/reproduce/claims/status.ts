import { type Claim, isNamed, type NamedStep } from '../steps.ts';
import { type Case, lastOf, stepOf } from './evidence.ts';

/** What an answer's status must be. */
export function statusClaims(one: Case): Claim[][] {
  const last = lastOf(one);
  if (last?.kind !== 'exchange') return [];
  const step = stepOf(one, last.id);
  const must = expectedStatus(one, last.response?.status);
  if (!step || must === undefined) return [];
  const tries = must === 'succeed' ? [step, ...sameBefore(one, step)] : [step];
  return tries.map(({ name }) => [{ kind: 'status', step: name, must }]);
}

/** What was refused may have been asked for again and again, and a sound backend grants it the first time. */
const sameBefore = ({ steps }: Case, last: NamedStep): readonly NamedStep[] =>
  steps.filter(isNamed).filter(({ recorded }) => {
    const { party, auth, request, response } = recorded;
    const isSame =
      party === last.party &&
      auth === last.recorded.auth &&
      request.method === last.recorded.request.method &&
      request.path === last.recorded.request.path &&
      JSON.stringify(request.body) === JSON.stringify(last.recorded.request.body);
    return isSame && recorded !== last.recorded && (response?.status ?? 0) >= 400;
  });

type Must = Extract<Claim, { kind: 'status' }>['must'];

function expectedStatus({ expected, message }: Case, status: number | undefined): Must | undefined {
  if (typeof expected === 'number' && expected >= 100 && expected < 600) {
    return status === expected ? undefined : expected;
  }
  const words = typeof expected === 'string' ? expected : '';
  if (words.startsWith('success, or a 4xx')) return 'be answered';
  if (/^a (4xx|refusal)|4xx status/.test(words)) return 'be refused';
  if (/\(2xx\)|^a success/.test(words)) return 'succeed';
  if (/\b(succeeded|was accepted|was taken|served)\b/.test(message) && (status ?? 0) < 300) {
    return 'be refused';
  }
  return undefined;
}

/** Least told by the words of a finding: what was granted should not have been, or the other way round. */
export function grantClaims(one: Case): Claim[][] {
  return one.evidence.toReversed().flatMap((record): Claim[][] => {
    if (record.kind === 'frame') return [];
    const step = stepOf(one, record.id);
    const status = record.response?.status ?? 0;
    if (!step) return [];
    if (step.kind === 'call' && record.request.method === 'GET') return [];
    if (status >= 200 && status < 300)
      return [[{ kind: 'status', step: step.name, must: 'be refused' }]];
    if (status < 400 || status > 499) return [];
    return [[{ kind: 'status', step: step.name, must: 'succeed' }]];
  });
}
