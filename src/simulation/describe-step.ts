import {
  type Command,
  type CommandName,
  type CommandOf,
  type Fault,
  type FaultName,
  type FaultOf,
  type Landmark,
  type Moment,
  type PlannedStep,
  isFault,
} from './plan.ts';

/** A step in plain words, without its moment. */
export const describeStep = (step: PlannedStep): string =>
  isFault(step)
    ? `fault: ${(faultWords[step.fault] as (fault: Fault) => string)(step)}`
    : `${step.by} ${(commandWords[step.do] as (command: Command) => string)(step)}`;

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
    `asks for ${endpoint} of ${order}${token === 'none' ? ', without a token' : ''}`,
  burst: ({ count }) => `sends ${count} reads at once`,
};

export const faultWords: { readonly [N in FaultName]: (fault: FaultOf<N>) => string } = {
  'leg reverts': ({ leg, order }) => `leg ${leg} of ${order} will revert`,
  'settlement stalls': ({ order }) => `the settlement of ${order} will stall`,
  'operator withdraws': ({ order }) => `the operator withdraws ${order}`,
  'validation fails': ({ order }) => `${order} fails validation`,
  'streams drop': ({ party }) => `the target ends the streams of ${party}`,
  'streams break': ({ party }) => `the network breaks the streams of ${party}`,
  'streams stall': ({ party, ms }) => `the streams of ${party} stand still for ${ms} ms`,
  'request lost': ({ party }) => `the next request of ${party} is lost`,
  'answer lost': ({ party }) => `the next answer to ${party} is lost`,
  'answer lost and sent again': ({ party }) =>
    `the next answer to ${party} is lost, and it asks again`,
  'request delayed': ({ party, ms }) => `the next request of ${party} takes ${ms} ms`,
  'answer delayed': ({ party, ms }) => `the next answer to ${party} takes ${ms} ms`,
  partition: ({ party, ms }) => `${party} is cut off for ${ms} ms`,
  'host pauses': ({ ms }) => `the host stands still for ${ms} ms`,
  restart({ ms, tornBytes }) {
    const torn = tornBytes === 0 ? '' : `, of which ${tornBytes} bytes are lost,`;
    const killed = tornBytes === undefined ? 'at once' : `in the middle of its next write${torn}`;
    return `the target is killed ${killed} and starts again ${ms === 0 ? 'at once' : `after ${ms} ms`}`;
  },
  'disk full': ({ ms }) => `the disk is full for ${ms} ms`,
};

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
