import { wordsForFault } from '../faults/faults.ts';
import {
  type Command,
  type CommandName,
  type CommandOf,
  type Fault,
  plainFault,
  isFault,
  type Landmark,
  type Moment,
  type PlannedStep,
} from './plan.ts';

/** A step in plain words, without its moment. */
export const describeStep = (step: PlannedStep): string =>
  isFault(step)
    ? `fault: ${describeFault(step)}`
    : `${step.by} ${(commandWords[step.do] as (command: Command) => string)(step)}`;

function describeFault(fault: Fault): string {
  const words = wordsForFault(plainFault(fault));
  if ('order' in fault) return `${words} of ${fault.order}`;
  return fault.fault === 'answer lost and sent again' ? `${words}, and it asks again` : words;
}

const commandWords: { readonly [N in CommandName]: (command: CommandOf<N>) => string } = {
  create({ label, targetAmount, targetCurrency, maximum, sourceCurrency, senderInBody }) {
    const sender =
      senderInBody === undefined ? '' : `, with ${senderInBody} as its sender in the body`;
    return `creates ${label}: ${targetAmount} ${targetCurrency} for at most ${maximum} ${sourceCurrency}${sender}`;
  },
  quote({ order, label, rate, validity }) {
    const until =
      'forMs' in validity
        ? `for ${validity.forMs} ms`
        : `until ${before(-validity.afterOrderMs)} its expires_at`;
    return `quotes ${order} at ${rate}, valid ${until}: ${label}`;
  },
  accept: ({ order, quote }) => `accepts ${quote} on ${order}`,
  cancel: ({ order }) => `cancels ${order}`,
  'accept the proposal': ({ order }) => `accepts the proposal of ${order}`,
  read: ({ order }) => `reads ${order}`,
  'list quotes': ({ order }) => `lists the quotes of ${order}`,
  'read settlement': ({ order }) => `reads the settlement of ${order}`,
  look: ({ order }) => `reads all views of ${order}`,
  list({ what, status, page, pageSize }) {
    const parts = [
      ...(status === undefined ? [] : [`that are ${status}`]),
      ...(page === undefined ? [] : [`page ${page}`]),
      ...(pageSize === undefined ? [] : [`${pageSize} a page`]),
    ];
    return `lists ${what}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
  },
  'read stats': () => 'reads its stats',
  'ask who it is': () => 'asks who it is',
  listen({ label, order, resumes }) {
    const limit = order === undefined ? '' : `, limited to ${order}`;
    const from = resumes === undefined ? '' : `, going on from ${resumes}`;
    return `listens${limit}${from}: ${label}`;
  },
  'stop listening': ({ stream }) => `closes ${stream}`,
  'ask with its first token': () => 'asks who it is with its first token',
  repeat: () => 'sends its last request again',
  stray: ({ endpoint, order = 'an order that there is not', token }) =>
    `asks for ${endpoint} of ${order}${token === undefined ? '' : tokenWords[token]}`,
  burst: ({ count }) => `sends ${count} reads at once`,
};

const tokenWords = { none: ', without a token', first: ', with its first token' } as const;

const before = (ms: number): string =>
  ms === 0 ? 'the moment of' : ms > 0 ? `${ms} ms before` : `${-ms} ms after`;

/** Moment of a step, relative to the step before it. */
export function describeMoment(at: Moment): string {
  if ('afterMs' in at) return at.afterMs === 0 ? 'at once' : `${at.afterMs} ms later`;
  const { near, leadMs } = at;
  return `${leadMs === 0 ? 'at' : before(leadMs)} ${nameOf(near)}`;
}

function nameOf(near: Landmark): string {
  if ('order' in near) return `the ${near.of} of ${near.order}`;
  switch (near.of) {
    case 'valid_until':
      return `the valid_until of ${near.quote}`;
    case 'token expiry':
      return `the token expiry of ${near.party}`;
    case 'heartbeat':
      return `the next heartbeat of ${near.stream}`;
    case 'end of day':
      return 'the end of the day';
  }
}
