import type { CallPolicy, EventStream } from '../../client/contract.ts';
import type { Exchange, HistoryRecord } from '../../history/records.ts';
import { describeExchange, noAnswerReason } from '../../protocol/answers.ts';

/**
 * The effect of a request is unknown, or a stream was interrupted and its events are unknown. The error ends the
 * caller: neither this request nor anything that depends on it is judged.
 */
export class UnknownEffectError extends Error {
  override readonly name = 'UnknownEffectError';
  readonly exchange: Exchange | undefined;

  constructor(reason: string, exchange?: Exchange) {
    super(reason);
    this.exchange = exchange;
  }
}

/** A stream with another look at its opening, or another search for an event. */
export const streamWith = (
  stream: EventStream,
  changes: { readonly opened?: () => Exchange; readonly find?: EventStream['find'] },
): EventStream => ({
  get opened() {
    return changes.opened?.() ?? stream.opened;
  },
  get isOpen() {
    return stream.isOpen;
  },
  get frames() {
    return stream.frames;
  },
  get ended() {
    return stream.ended;
  },
  find: changes.find ?? ((match, until, since) => stream.find(match, until, since)),
  close: () => stream.close(),
});

/**
 * Calls that return only complete answers of the service. Without one they throw, so that no caller can take a missing
 * answer for a refusal or a grant.
 * @param records the records so far
 */
export function answeredOnly(
  records: () => readonly HistoryRecord[],
  policy?: CallPolicy,
): CallPolicy {
  function answered(exchange: Exchange): void {
    const reason = noAnswerReason(exchange, records());
    if (reason === undefined) return;
    const text = `${describeExchange(exchange)}: ${reason}`;
    throw new UnknownEffectError(`it is not known what would have come of it: ${text}`, exchange);
  }
  return {
    async call(send, kind) {
      const exchange = await (policy ? policy.call(send, kind) : send());
      answered(exchange);
      return exchange;
    },
    async listen(open) {
      const stream = await (policy ? policy.listen(open) : open({ onSilence: () => {} }));
      answered(stream.opened);
      return stream;
    },
    stream(shared) {
      const stream = policy?.stream(shared) ?? shared;
      return streamWith(stream, {
        opened() {
          answered(stream.opened);
          return stream.opened;
        },
      });
    },
  };
}
