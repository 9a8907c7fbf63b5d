import { jwtPart } from '../../protocol/jwt.ts';
import type { CallOptions } from '../../client/contract.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { concurrently } from '../../suite/actions/context.ts';
import { orderBody, paramsOf } from '../../suite/actions/orders.ts';
import { callAs, type ProbeContext, placeOrder, tryOrder } from './probe-context.ts';
import { isDenied, succeeded } from '../../protocol/answers.ts';
import { requestFields } from '../observe/orders.ts';

/** Asks every backend about itself, and tests who gets an answer. */
export async function probeAccess(t: ProbeContext): Promise<void> {
  const declared = castNames.filter(t.has);
  const [first, second] = declared;
  const unknown = t.random.uuid();
  await concurrently(t, [
    ...declared.flatMap((name) => [
      () => t.party(name).call('health.read'),
      () => t.party(name).call('stats.read'),
    ]),
    ...(first ? strangeWaysToAsk(t, first, second) : []),
    () => callAs(t, 'sender', 'order.read', { params: { intent_id: unknown } }),
    () => callAs(t, 'sender', 'order.read', { params: { intent_id: 'no-such-order' } }),
    () => callAs(t, 'sender', 'rfq.list'),
    () => t.party('sender').send('GET', '/orders'),
  ]);
}

/** Requests without a token, with the token of another party, and with an unknown parameter. */
const strangeWaysToAsk = (t: ProbeContext, name: CastName, other: CastName | undefined) => {
  const ask = (options: CallOptions) => () => t.party(name).call('identity.read', options);
  const foreign = other && { label: `of ${other}`, token: t.party(other).token };
  return [
    ask({ credential: { label: 'none' } }),
    ...(foreign ? [ask({ credential: foreign })] : []),
    ask({ query: { assay_unknown: '1' } }),
    () => askWithoutRole(t, name),
  ];
};

/** If tokens can be signed, asks with a token that claims no role. */
async function askWithoutRole(t: ProbeContext, name: CastName): Promise<void> {
  const party = t.party(name);
  const claims = jwtPart(party.token, 'claims');
  const token = claims && (await t.target.signing?.mint({ ...claims, role: undefined }));
  if (token === undefined) return;
  await party.call('identity.read', { credential: { label: 'no role', token } });
}

/** A stream limited to an order that does not exist. */
export async function probeStream(t: ProbeContext): Promise<void> {
  const stream = await t.party('sender').listen({ intentId: t.random.uuid() });
  await stream.close();
}

/** Tests which fields a creation requires, and which unusual values it accepts. */
export async function probeCreation(t: ProbeContext): Promise<void> {
  const repeated = orderBody(t);
  const odd = [
    orderBody(t, { assay_probe: 'x' }),
    orderBody(t, { target_currency: repeated['source_currency'] }),
    orderBody(t, { target_amount: '0' }),
    orderBody(t, { target_amount: 100 }),
    ...requestFields.map((field) => {
      const { [field]: _, ...rest } = orderBody(t);
      return rest;
    }),
  ];
  await concurrently(t, [
    async () => {
      await tryOrder(t, repeated);
      await tryOrder(t, repeated);
    },
    ...odd.map((body) => () => tryOrder(t, body)),
  ]);
}

/** Tests which other parties may read an order, the effect of a cancel, and the request before and after it. */
export async function probeOrderLife(t: ProbeContext): Promise<void> {
  const params = paramsOf(await placeOrder(t));
  await concurrently(t, [
    () => callAs(t, 'outsider', 'order.read', { params }),
    () => callAs(t, 'outsider_custodian', 'order.read', { params }),
    () => callAs(t, 'receiver_custodian', 'order.list'),
    () => callAs(t, 'maker_a', 'rfq.read', { params }),
  ]);
  const sender = t.party('sender');
  const bare = await sender.call('order.cancel', { params });
  const cancelled = isDenied(bare) ? await sender.call('order.cancel', { params, body: {} }) : bare;
  if (!succeeded(cancelled)) return;
  await sender.call('order.read', { params });
  await sender.call('order.cancel', { params });
  await callAs(t, 'maker_a', 'rfq.read', { params });
}
