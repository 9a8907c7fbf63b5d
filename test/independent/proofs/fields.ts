import { isTaken, partyOf, type Proof, settledOrder } from './world.ts';

const found = (rows: readonly Record<string, unknown>[], id: string) =>
  rows.find((row) => row.intent_id === id) ?? {};

export const fieldProofs: Readonly<Record<string, Proof>> = {
  'memo-cut-in-lists': async (world) => {
    const memo = 'x'.repeat(141);
    const id = await world.order({ memo });
    return found((await world.list('sender', 'orders')).rows, id).memo !== memo;
  },
  'memo-folded-for-search': async (world) => {
    const id = await world.order({ memo: '12 m²' });
    return (await world.get('sender', `orders/${id}`)).data.memo !== '12 m²';
  },
  'acceptance-moves-to-settlement': async (world) => {
    const { id, accepted } = await settledOrder(world);
    const { data } = await world.get('sender', `orders/${id}`);
    return data.quote_accepted_at !== accepted.data.quote_accepted_at;
  },
  'deadline-keeps-date-past-midnight': async (world) => {
    await world.advance(Date.parse('2031-05-05T23:59:59.000Z') - world.now());
    const id = await world.order();
    const { data } = await world.get('sender', `orders/${id}`);
    return String(data.expires_at) < String(data.created_at);
  },
  'acceptance-without-milliseconds': async (world) => {
    const { accepted } = await settledOrder(world);
    return !/:\d\d\.\d{3}/.test(String(accepted.data.quote_accepted_at));
  },
  'settlement-in-cents': async (world) => {
    const id = await world.order({ target_amount: '1.234', target_currency: 'KWD' });
    const offered = await world.post('maker_a', `quote-requests/${id}/quotes`, {
      fx_rate: '1',
      target_amount: '1.234',
      valid_until: new Date(world.now() + 60_000).toISOString(),
    });
    await world.accept('sender', id, offered);
    await world.advance(6_000);
    const { data } = await world.get('maker_a', `settlements/${id}`);
    return Number(data.target_amount) !== 1.234;
  },
  'tiny-rate-with-exponent': async (world) => {
    const target = world.dialect.sourcePerTarget ? '1000000000.00' : '10.00';
    const id = await world.order({ target_amount: target, source_amount_max: '200000000.00' });
    const offered = await world.post('maker_a', `quote-requests/${id}/quotes`, {
      fx_rate: '0.0000001',
      target_amount: world.dialect.amountIsSource ? '100000000.00' : target,
      valid_until: new Date(world.now() + 60_000).toISOString(),
    });
    await world.accept('sender', id, offered);
    await world.advance(6_000);
    return String((await world.get('maker_a', `settlements/${id}`)).data.fx_rate).includes('e');
  },
  'request-amount-through-a-float': async (world) => {
    const id = await world.order({ target_amount: '123456789012345678.91' });
    const row = found((await world.list('maker_a', 'quote-requests')).rows, id);
    return row.target_amount !== '123456789012345678.91';
  },
  'request-deadline-of-first-quote': async (world) => {
    const id = await world.order();
    await world.offer('maker_a', id, { validMs: 5_000 });
    const row = found((await world.list('maker_a', 'quote-requests')).rows, id);
    const { data } = await world.get('maker_a', `quote-requests/${id}`);
    return data.expires_at !== row.expires_at;
  },
  'party-escaped-in-token-result': async (world) => {
    const { data } = await world.send('POST', 'sender_custodian', 'auth/token');
    return data.canton_party_id !== partyOf('sender_custodian');
  },
  'order-ids-come-round': async (world) => {
    const ids: string[] = [];
    for (let count = 0; count < 101; count += 1) ids.push(await world.order());
    return new Set(ids).size < ids.length;
  },
  'custodian-told-the-maximum': async (world) => {
    const id = await world.order();
    const offered = await world.offer('maker_a', id);
    const { data } = await world.accept('sender_custodian', id, offered);
    return Number(data.source_amount_actual) !== 10;
  },
  'stats-null-before-first-win': async (world) => {
    await world.offer('maker_a', await world.order());
    const answer = await world.get('maker_a', 'dashboard/stats');
    return isTaken(answer) && /"data":null/.test(answer.text);
  },
};
