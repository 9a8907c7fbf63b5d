import { type CastName, castNames } from '../../spec/requirements/requirement.ts';
import type { ProbeContext } from './probe-context.ts';

/** What every backend says of itself, and to whom. */
export async function probeAccess(context: ProbeContext): Promise<void> {
  const declared = castNames.filter((name) => context.target.parties[name]);
  const [first, second] = declared;
  for (const name of declared) {
    await context.party(name)?.call('health.read');
    await context.party(name)?.call('stats.read');
  }
  if (first) await context.party(first)?.call('identity.read', { credential: { label: 'none' } });
  if (first && second) await askWith(context, first, second);
  const sender = context.party('sender');
  await sender?.call('order.read', { params: { intent_id: context.random.uuid() } });
  await sender?.call('order.read', { params: { intent_id: 'no-such-order' } });
  await sender?.call('rfq.list');
  await sender?.send('GET', '/orders');
}

/** Asks one party's backend with another's token. */
async function askWith(context: ProbeContext, asked: CastName, owner: CastName): Promise<void> {
  const token = context.party(owner)?.token;
  if (token === undefined) return;
  const credential = { label: `of ${owner}`, token };
  await context.party(asked)?.call('identity.read', { credential });
}

/** A stream limited to an order that does not exist. */
export async function probeStream(context: ProbeContext): Promise<void> {
  const stream = await context.party('sender')?.listen({ intentId: context.random.uuid() });
  await stream?.close();
}
