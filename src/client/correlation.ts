import { createHash } from 'node:crypto';
import type { correlationHeaders } from '../history/correlation.ts';

/** Makes the correlation headers of an exchange from its id. */
export type Correlate = (
  exchangeId: string,
) => Readonly<Record<(typeof correlationHeaders)[number], string>>;

const hexOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/**
 * Headers for the exchanges of one run. The request id begins with the run's id. Of the trace id, the first half is
 * the run's and the second half, like the parent id, the exchange's; the flags ask for the trace to be kept.
 */
export function correlationOf(runId: string): Correlate {
  const run = hexOf(runId);
  return (exchangeId) => {
    const exchange = hexOf(`${runId} ${exchangeId}`);
    return {
      traceparent: `00-${run}${exchange}-${exchange}-01`,
      'x-request-id': `${runId}-${exchange}`,
    };
  };
}
