import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  allowed,
  createOrder,
  isRefusal,
  paramsOf,
  type PlacedOrder,
  quoteBody,
  readOrder,
  said,
  succeeded,
  targetNow,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { formatTimestamp, parseTimestamp } from '../../src/spec/forms.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { untilNear } from '../3-states/expiring.ts';
import { cancelling, stateOf, waits } from '../3-states/words.ts';

/** A request can be quoted, and its order cancelled, for as long as the order is PENDING: not in its youth only. */

const quoting = 'access.quote.submit.market-maker-allowed';
const cancel = 'order.cancel.pending-with-quotes';

/** Not the very last moment: how long a quote must be valid at least is open. */
const lastQuoteMs = 6_000;
const cancelMs = 2_500;

const submit = (
  trial: Trial,
  maker: CastName,
  order: PlacedOrder,
  validForMs?: number,
): Promise<Exchange> =>
  trial.party(maker).call('quote.submit', {
    params: paramsOf(order),
    body: quoteBody(trial, order, validForMs === undefined ? {} : { validForMs }),
  });

/** Whether a quote was answered while it could still be taken: calls may have to wait for their turn. */
function isTimely(trial: Trial, { request, received }: Exchange, expiresAt = Infinity): boolean {
  const { valid_until } = request.body as { readonly valid_until?: unknown };
  const last = Math.min(parseTimestamp(valid_until) ?? -Infinity, expiresAt);
  return received + trial.target.clock.offset.most < last;
}

/** Judges that a quote is taken so long before its order's deadline that is taken as well when the order is new. */
async function judgeQuoting(
  trial: Trial,
  maker: CastName,
  order: PlacedOrder,
  beforeMs: number,
): Promise<void> {
  const expiresAt = await untilNear(trial, order, beforeMs);
  const late = await submit(trial, maker, order);
  const what = `a quote on a request ${Math.round(beforeMs / 1_000)} s before it expires`;
  if (succeeded(late)) return void allowed(trial, quoting, late, what);
  if (!isRefusal(late) || !isTimely(trial, late, expiresAt)) return;
  const { valid_until } = late.request.body as { readonly valid_until?: unknown };
  const validForMs = (parseTimestamp(valid_until) ?? 0) - late.sent;
  const early = await submit(trial, maker, await createOrder(trial), validForMs);
  if (succeeded(early)) allowed(trial, quoting, late, what);
  else if (isTimely(trial, early))
    trial.undecided(quoting, `a quote as short on a new request: ${said(early)}`);
}

const untilTheEnd = defineCheck({
  id: 'quote.submit.until-the-end',
  title:
    'An order is quoted in the second half of its life and shortly before its end, then cancelled.',
  requirements: [quoting, cancel],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.orderExpiry },
  async run(trial) {
    const order = await createOrder(trial);
    const { expiresAt } = order;
    if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
    const lifeMs = expiresAt - targetNow(trial).latest;
    const stages = [
      ['maker_a', lifeMs * 0.45],
      ['maker_b', lifeMs * 0.2],
      ['maker_c', lastQuoteMs],
    ] as const;
    for (const [maker, beforeMs] of stages) {
      if (beforeMs >= lastQuoteMs) await judgeQuoting(trial, maker, order, beforeMs);
    }
    await untilNear(trial, order, cancelMs);
    const { data } = await readOrder(trial, order);
    const cancelled = await cancelling(trial, order);
    const isInTime = cancelled.received + trial.target.clock.offset.most < expiresAt;
    if (stateOf(data) !== 'PENDING' || !(succeeded(cancelled) || isInTime)) return undefined;
    const what = `a cancel of a PENDING order shortly before it expires at ${formatTimestamp(expiresAt)}`;
    allowed(trial, cancel, cancelled, what);
    return undefined;
  },
});

export const lateDeedChecks: readonly Check[] = [untilTheEnd];
