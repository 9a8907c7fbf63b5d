import { claimsOf } from '../../client/token-renewal.ts';
import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import { callAs, type ProbeContext } from './probe-context.ts';

/** What every backend says of itself, and to whom. */
export async function probeAccess(t: ProbeContext): Promise<void> {
  const declared = castNames.filter(t.has);
  const [first, second] = declared;
  for (const name of declared) {
    await t.party(name).call('health.read');
    await t.party(name).call('stats.read');
  }
  if (first) await t.party(first).call('identity.read', { credential: { label: 'none' } });
  if (first && second) await askWith(t, first, second);
  if (first) await askOddly(t, first);
  const sender = t.party('sender');
  await callAs(t, 'sender', 'order.read', { params: { intent_id: t.random.uuid() } });
  await callAs(t, 'sender', 'order.read', { params: { intent_id: 'no-such-order' } });
  await callAs(t, 'sender', 'rfq.list');
  await sender.send('GET', '/orders');
}

/** Asks one party's backend with another's token. */
async function askWith(t: ProbeContext, asked: CastName, owner: CastName): Promise<void> {
  const credential = { label: `of ${owner}`, token: t.party(owner).token };
  await t.party(asked).call('identity.read', { credential });
}

/** Asks with a parameter that nothing names, and where tokens can be signed with one that claims no role. */
async function askOddly(t: ProbeContext, name: CastName): Promise<void> {
  const party = t.party(name);
  await party.call('identity.read', { query: { assay_unknown: '1' } });
  const claims = claimsOf(party.token);
  const token = claims && (await t.target.signing?.mint({ ...claims, role: undefined }));
  if (token === undefined) return;
  await party.call('identity.read', { credential: { label: 'no role', token } });
}

/** A stream limited to an order that does not exist. */
export async function probeStream(t: ProbeContext): Promise<void> {
  const stream = await t.party('sender').listen({ intentId: t.random.uuid() });
  await stream.close();
}
