import { isTaken, partyOf, type Proof, settledOrder } from './world.ts';

const minute = 60_000;

export const secondHandReadProofs: Readonly<Record<string, Proof>> = {
  'memo-ends-at-emoji': async (world) => {
    const memo = 'rent 🏠 May';
    const id = await world.order({ memo });
    return (await world.get('sender', `orders/${id}`)).data.memo !== memo;
  },
  'archived-row-without-hash': async (world) => {
    const { id } = await settledOrder(world);
    await world.advance(11 * minute);
    const { rows } = await world.list('sender', 'orders');
    return rows.some((row) => row.intent_id === id && typeof row.transaction_hash !== 'string');
  },
  'full-hour-hides-requests': async (world) => {
    const hour = 60 * minute;
    await world.advance(hour - (world.now() % hour) - 10_000);
    const id = await world.order();
    await world.advance(15_000);
    const isOpen = (await world.get('sender', `orders/${id}`)).data.status === 'PENDING';
    const { rows } = await world.list('maker_a', 'quote-requests');
    return isOpen && !rows.some((row) => row.intent_id === id);
  },
  'older-token-dies-after-renewal': async (world) => {
    const token = await world.newToken('sender');
    await world.advance(5_000);
    await world.newToken('sender');
    await world.advance(5 * minute + 5_000);
    return !isTaken(await world.send('GET', 'sender', 'api/v1/whoami', { token }));
  },
  'custodian-loses-participant': async (world) => {
    await world.advance(21 * minute);
    const { data } = await world.get('sender_custodian', 'whoami');
    return typeof data.participant_id !== 'string';
  },
  'old-quotes-outside-the-filter': async (world) => {
    const { offered } = await settledOrder(world);
    await world.advance(10 * minute);
    const { rows } = await world.list('maker_a', 'quotes', { status: 'ACCEPTED' });
    return !rows.some((row) => row.quote_id === offered.data.quote_id);
  },
  'stats-envelope-from-cache': async (world) => {
    const timestamp = async (): Promise<number> => {
      const { text } = await world.get('sender', 'dashboard/stats');
      return Date.parse(String(JSON.parse(text).meta.timestamp));
    };
    const before = await timestamp();
    await world.advance(2 * minute);
    return (await timestamp()) === before;
  },
  'stats-fail-during-settlement': async (world) => {
    const id = await world.order();
    await world.accept('sender', id, await world.offer('maker_a', id));
    await world.advance(world.dialect.startMs + 10);
    return !isTaken(await world.get('sender_custodian', 'dashboard/stats'));
  },
  'receiver-custodian-loses-unsettled': async (world) => {
    const id = await world.order();
    await world.post('sender', `orders/${id}/cancel`);
    return !isTaken(await world.get('receiver_custodian', `orders/${id}`));
  },
  'identity-sticks-to-connection': async (world) => {
    for (const key of ['sender', 'maker_a', 'sender_custodian', 'outsider']) {
      const { data } = await world.get(key, 'whoami');
      if (data.party_id !== partyOf(key)) return true;
    }
    return false;
  },
  'early-look-hides-settlement': async (world) => {
    const id = await world.order();
    await world.accept('sender', id, await world.offer('maker_a', id));
    await world.get('maker_a', `settlements/${id}`);
    await world.advance(10_000);
    return !isTaken(await world.get('maker_a', `settlements/${id}`));
  },
  'submissions-answered-crosswise': async (world) => {
    // On a busy host two requests may miss each other.
    for (let tries = 0; tries < 10; tries += 1) {
      const id = await world.order();
      const offers = ['maker_a', 'maker_b'].map((maker) => world.offer(maker, id));
      const [one, other] = await Promise.all(offers);
      if (one?.data.quote_id === other?.data.quote_id) return true;
    }
    return false;
  },
};
