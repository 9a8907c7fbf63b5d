import { isFault, type Command, type Fault, type Moment, type PlannedStep } from './plan.ts';

/** A step in plain words, without its moment. */
export const describeStep = (step: PlannedStep): string =>
  isFault(step) ? describeFault(step) : `${step.by} ${describeCommand(step)}`;

function describeCommand(command: Command): string {
  switch (command.do) {
    case 'create': {
      const { label, targetAmount, targetCurrency, maximum, sourceCurrency, senderInBody } =
        command;
      const said =
        senderInBody === undefined ? '' : `, with ${senderInBody} as its sender in the body`;
      return `creates ${label}: ${targetAmount} ${targetCurrency} for at most ${maximum} ${sourceCurrency}${said}`;
    }
    case 'quote': {
      const { validity } = command;
      const until =
        'forMs' in validity
          ? `for ${validity.forMs} ms`
          : `until ${before(-validity.afterOrderMs)} its expires_at`;
      return `quotes ${command.order} at ${command.rate}, valid ${until}: ${command.label}`;
    }
    case 'accept':
      return `accepts ${command.quote} on ${command.order}`;
    case 'cancel':
      return `cancels ${command.order}`;
    case 'accept the proposal':
      return `accepts the proposal of ${command.order}`;
    case 'read':
      return `reads ${command.order}`;
    case 'list quotes':
      return `lists the quotes of ${command.order}`;
    case 'read settlement':
      return `reads the settlement of ${command.order}`;
    case 'look':
      return `reads all views of ${command.order}`;
    case 'list': {
      const { what, status, page, pageSize } = command;
      const parts = [
        ...(status === undefined ? [] : [`that are ${status}`]),
        ...(page === undefined ? [] : [`page ${page}`]),
        ...(pageSize === undefined ? [] : [`${pageSize} a page`]),
      ];
      return `lists ${what}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
    }
    case 'read stats':
      return 'reads its stats';
    case 'ask who it is':
      return 'asks who it is';
    case 'listen': {
      const limit = command.order === undefined ? '' : `, limited to ${command.order}`;
      const from = command.resumes === undefined ? '' : `, going on from ${command.resumes}`;
      return `listens${limit}${from}: ${command.label}`;
    }
    case 'stop listening':
      return `closes ${command.stream}`;
    case 'ask with its first token':
      return 'asks who it is with its first token';
    case 'repeat':
      return 'sends its last request again';
    case 'stray':
      return `asks for ${command.endpoint} of ${command.order ?? 'an order that there is not'}${command.token === 'none' ? ', without a token' : ''}`;
    case 'burst':
      return `sends ${command.count} reads at once`;
  }
}

function describeFault(fault: Fault): string {
  switch (fault.fault) {
    case 'leg reverts':
      return `fault: leg ${fault.leg} of ${fault.order} will revert`;
    case 'settlement stalls':
      return `fault: the settlement of ${fault.order} will stall`;
    case 'operator withdraws':
      return `fault: the operator withdraws ${fault.order}`;
    case 'validation fails':
      return `fault: ${fault.order} fails validation`;
    case 'streams drop':
      return `fault: the target ends the streams of ${fault.party}`;
    case 'streams break':
      return `fault: the network breaks the streams of ${fault.party}`;
    case 'streams stall':
      return `fault: the streams of ${fault.party} stand still for ${fault.ms} ms`;
    case 'request lost':
      return `fault: the next request of ${fault.party} is lost`;
    case 'answer lost':
      return `fault: the next answer to ${fault.party} is lost`;
    case 'answer lost and sent again':
      return `fault: the next answer to ${fault.party} is lost, and it asks again`;
    case 'request delayed':
      return `fault: the next request of ${fault.party} takes ${fault.ms} ms`;
    case 'answer delayed':
      return `fault: the next answer to ${fault.party} takes ${fault.ms} ms`;
    case 'partition':
      return `fault: ${fault.party} is cut off for ${fault.ms} ms`;
    case 'host pauses':
      return `fault: the host stands still for ${fault.ms} ms`;
    case 'restart':
      return `fault: the target is killed ${killedWhen(fault)} and starts again ${fault.ms === 0 ? 'at once' : `after ${fault.ms} ms`}`;
    case 'disk full':
      return `fault: the disk is full for ${fault.ms} ms`;
  }
}

const killedWhen = ({ tornBytes }: Extract<Fault, { readonly fault: 'restart' }>): string =>
  tornBytes === undefined
    ? 'at once'
    : `in the middle of its next write${tornBytes === 0 ? '' : `, of which ${tornBytes} bytes are lost,`}`;

const before = (ms: number): string =>
  ms === 0 ? 'the moment of' : ms > 0 ? `${ms} ms before` : `${-ms} ms after`;

/** Moment of a step, relative to the step before it. */
export function describeMoment(at: Moment): string {
  if ('afterMs' in at) return at.afterMs === 0 ? 'at once' : `${at.afterMs} ms later`;
  const { near, leadMs } = at;
  return `${leadMs === 0 ? 'at' : before(leadMs)} ${nameOf(near)}`;
}

function nameOf(near: Extract<Moment, { readonly leadMs: number }>['near']): string {
  switch (near.of) {
    case 'expires_at':
    case 'settlement window':
    case 'next leg':
      return `the ${near.of} of ${near.order}`;
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
