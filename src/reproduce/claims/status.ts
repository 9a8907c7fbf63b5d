import { wholeDeviations } from '../../spec/deviations.ts';
import { type Claim, isNamed, type NamedStep } from '../steps.ts';
import { type Case, stepOf } from './evidence.ts';

type Must = Extract<Claim, { kind: 'status' }>['must'];

/** Claims on the status of the last answer. */
export function statusClaims(one: Case): Claim[][] {
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
export const grantClaims = (one: Case): Claim[][] =>
  one.evidence.toReversed().flatMap((record): Claim[][] => {
    const step = stepOf(one, record);
    if (record.kind === 'frame' || !step) return [];
    if (step.kind === 'call' && record.request.method === 'GET') return [];
    const { status = 0 } = record.response ?? {};
    if (isGranted(status)) return [[{ kind: 'status', step: step.name, must: 'be refused' }]];
    return isRefused(status) ? [[{ kind: 'status', step: step.name, must: 'succeed' }]] : [];
  });
