import type { Claim, PathPart, Template, Test } from '../steps.ts';
import { eventsOf, jqPath, jqValue } from './values.ts';

/** Texts of the script line that reports a broken claim. */

const place = (path: readonly PathPart[]): string =>
  path
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'each' in part ? 'each item' : `the item of that ${part.where}`;
    })
    .join('.');

/** Claim in words. */
export function wordsOf(claim: Claim): string {
  switch (claim.kind) {
    case 'status': {
      const must = typeof claim.must === 'number' ? `be answered ${claim.must}` : claim.must;
      return `${claim.step} must ${must}`;
    }
    case 'lines': {
      const must =
        typeof claim.must === 'string' ? claim.must : `not hold ${valueWords(claim.must.lack)}`;
      return `the messages of ${claim.stream} must ${must}`;
    }
    case 'event':
      return eventWords(claim);
    case 'alike':
      return `${claim.for} must not be able to tell ${claim.parties[0]} from ${claim.parties[1]}`;
    case 'compare':
      return `${claim.what} ${testWords(claim.test)}`;
    case 'value': {
      const part = claim.of === 'headers' ? 'headers' : 'answer';
      const where = claim.path.length === 0 ? `the ${part}` : `${place(claim.path)} in the ${part}`;
      const refused = claim.orRefused ? ', or it must be refused' : '';
      return `${where} of ${claim.step} ${testWords(claim.test)}${refused}`;
    }
  }
}

function eventWords(claim: Extract<Claim, { kind: 'event' }>): string {
  const { event, stream, or = [], fields, must } = claim;
  const shows = fields.map(([path, test]) => `${place(path)} ${testWords(test)}`).join(' and ');
  const what = `${event}${shows === '' ? '' : `, in which ${shows},`}`;
  const how =
    typeof must === 'string'
      ? must
      : typeof must === 'number'
        ? `come ${must} times`
        : 'atMost' in must
          ? `come ${must.atMost} times at most`
          : `come ${must.atLeast} times at least`;
  return `${what} must ${how} on ${[stream, ...or].join(' or ')}`;
}

function testWords(test: Test): string {
  switch (test.test) {
    case 'form':
      return `must be of the form of ${test.form}`;
    case 'one_of':
      return `must be one of ${test.values.map(String).join(', ')}`;
    case 'equals':
      return `must be ${valueWords(test.value)}`;
    case 'differs':
      return `must not be ${valueWords(test.value)}`;
    case 'at_most':
      return `must be at most ${valueWords(test.value)}`;
    case 'at_least':
      return `must be at least ${valueWords(test.value)}`;
    case 'near':
      return `must be ${valueWords(test.value)}, or within ${test.within}${typeof test.within === 'number' ? ' ms' : ''} of it`;
    case 'any':
      return test.of.map(testWords).join(', or ');
    case 'lacks':
      return `must not contain ${valueWords(test.value)}`;
    case 'names':
      return `must contain ${valueWords(test.value)}`;
    case 'unique':
      return `must hold no two items of the same ${test.field}`;
    case 'field':
      return `must have a ${test.field} that ${testWords(test.is)}`;
    case 'count':
      return 'must be a whole number of zero or more';
    case 'object':
      return 'must be an object';
    case 'list':
      return 'must be a list';
    case 'text':
      return 'must be text';
    case 'present':
    case 'absent':
      return `must be ${test.test}`;
  }
}

/** A value in words. Values that differ in every run are computed beside it. */
function valueWords(template: Template): string {
  switch (template.kind) {
    case 'plain':
      return JSON.stringify(template.value);
    case 'party':
      return `the party id of ${template.party}`;
    case 'answer':
      return `the ${template.path.at(-1)} that ${template.step} was answered`;
    case 'sent':
      return `the ${template.path.at(-1)} that ${template.step} sent`;
    case 'count':
      return `the number of items${stepWords(template.of)}`;
    case 'pages':
      return 'as many pages as its items fill';
    case 'duration':
      return `${template.ms} ms`;
    case 'later':
      return template.ms === 0 ? 'the time of the answer' : jqValue(template);
    case 'math':
    case 'field':
    case 'epoch':
    case 'claims':
    case 'joined':
    case 'fresh':
    case 'text':
    case 'object':
    case 'list':
      return jqValue(template);
  }
}

const stepWords = (template: Template): string => {
  if (template.kind === 'joined') return ' on all pages';
  return template.kind === 'answer' ? ` in ${template.step}` : '';
};

/** jq expression for the actual value. */
export function seenOf(claim: Claim): string {
  switch (claim.kind) {
    case 'status':
      return `.${claim.step} | {status, body}`;
    case 'value':
      return `. as $all | .${claim.step} | {seen: (.${claim.of} ${jqPath(claim.path)}), status, body}`;
    case 'compare':
      return `. as $all | ${jqValue(claim.value)}`;
    case 'lines':
      return `.${claim.stream}.events`;
    case 'alike':
      throw new Error(`no script can look at this: ${wordsOf(claim)}`);
    case 'event':
      return `[${eventsOf(claim)} | select(.event == ${JSON.stringify(claim.event)}) | .data]`;
  }
}

/** jq expression for the expected value. Undefined if the value is constant. */
export function expectedValueOf(claim: Claim): string | undefined {
  if (claim.kind !== 'value' && claim.kind !== 'compare') return undefined;
  const { test } = claim;
  const isOf = 'value' in test && test.value.kind !== 'plain';
  return isOf ? `. as $all | ${jqValue(test.value)}` : undefined;
}
