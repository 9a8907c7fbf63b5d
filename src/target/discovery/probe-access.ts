import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import type { Ground } from './ground.ts';

/** What every backend says of itself, and to whom. */
export async function probeAccess(ground: Ground): Promise<void> {
  const declared = castNames.filter((name) => ground.target.parties[name]);
  const [first, second] = declared;
  for (const name of declared) {
    await ground.party(name)?.call('health.read');
    await ground.party(name)?.call('stats.read');
  }
  if (first) await ground.party(first)?.call('identity.read', { credential: { label: 'none' } });
  if (first && second) await askWith(ground, first, second);
  const sender = ground.party('sender');
  await sender?.call('order.read', { params: { intent_id: ground.random.uuid() } });
  await sender?.call('order.read', { params: { intent_id: 'no-such-order' } });
  await sender?.call('rfq.list');
  await sender?.send('GET', '/orders');
}

/** Asks one party's backend with another's token. */
async function askWith(ground: Ground, asked: CastName, owner: CastName): Promise<void> {
  const token = ground.party(owner)?.token;
  if (token === undefined) return;
  const credential = { label: `of ${owner}`, token };
  await ground.party(asked)?.call('identity.read', { credential });
}

/** A stream limited to an order that does not exist. */
export async function probeStream(ground: Ground): Promise<void> {
  const stream = await ground.party('sender')?.listen({ intentId: ground.random.uuid() });
  await stream?.close();
}
