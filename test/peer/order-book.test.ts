import { expect, it } from 'vitest';
import { partyOf, worldOf } from '../independent/proofs/world.ts';
import { harbour } from './dialect.ts';
import { startPeer } from './server.ts';

it('announces a quote once to a sender that is its own custodian', async () => {
  const peer = await startPeer({ dialect: harbour, clock: 'hand' });
  try {
    const world = worldOf(peer, harbour);
    const stream = await world.listen('sender');
    const id = await world.order({ sender_custodian_party_id: partyOf('sender') });
    await world.offer('maker_a', id);
    const names = (await stream.events()).map(({ name }) => name);
    expect(names.filter((name) => name === 'quote_received')).toHaveLength(1);
  } finally {
    await peer.close();
  }
});
