import { jwtPart } from '../../protocol/jwt.ts';
import type { CallOptions } from '../../client/contract.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { concurrently } from '../../suite/actions/index.ts';
import { callAs, type ProbeContext } from './probe-context.ts';

/** What every backend says of itself, and to whom. */
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

/** Without a token, with that of another party, and with a parameter that nothing names. */
const strangeWaysToAsk = (
  t: ProbeContext,
  name: CastName,
  other: CastName | undefined,
): readonly (() => Promise<unknown>)[] => {
  const ask = (options: CallOptions) => () => t.party(name).call('identity.read', options);
  const foreign = other && { label: `of ${other}`, token: t.party(other).token };
  return [
    ask({ credential: { label: 'none' } }),
    ...(foreign ? [ask({ credential: foreign })] : []),
    ask({ query: { assay_unknown: '1' } }),
    () => askWithoutRole(t, name),
  ];
};

/** Where tokens can be signed, with one that claims no role. */
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
