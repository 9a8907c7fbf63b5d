import type { RequirementId } from '../src/spec/requirements/index.ts';

/** Requirements that rules judge and checks assert as well, each with what a history cannot show there. */
export const alsoAsserted: Readonly<Partial<Record<RequirementId, string>>> = {
  'error.refusal-changes-nothing':
    'What a refusal used up shows in the right request that follows, beside a control that no refusal went before.',
  'error.refusal-is-4xx':
    'Only a check knows that a request names nothing or is odd, so that a success or a broken connection is a wrong answer.',
  'error.refusal-sends-no-event':
    'An announcement that names nothing known comes of a refused creation only if it never comes at other times.',
};
