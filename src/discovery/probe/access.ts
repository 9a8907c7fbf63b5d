import { jwtPart } from '../../protocol/jwt.ts';
import type { CallOptions } from '../../client/contract.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { concurrently } from '../../suite/actions/index.ts';
import { callAs, type ProbeContext } from './probe-context.ts';

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
