import { dialects, type DialectName } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { startFlawedPeer } from './flawed-peer.ts';
import type { Flaw } from './flaws/flaw.ts';
import { accessProofs } from './proofs/access.ts';
import { amountProofs } from './proofs/amounts.ts';
import { eventProofs } from './proofs/events.ts';
import { fieldProofs } from './proofs/fields.ts';
import { listProofs } from './proofs/lists.ts';
import { secondHandCourseProofs } from './proofs/second-hand-course.ts';
import { secondHandReadProofs } from './proofs/second-hand-reads.ts';
import { serviceProofs } from './proofs/service.ts';
import { stateProofs } from './proofs/states.ts';
import { thirdHandProofs } from './proofs/third-hand.ts';
import { type Proof, worldOf } from './proofs/world.ts';

const proofs: Readonly<Record<string, Proof>> = {
  ...accessProofs,
  ...fieldProofs,
  ...amountProofs,
  ...stateProofs,
  ...listProofs,
  ...serviceProofs,
  ...eventProofs,
  ...secondHandReadProofs,
  ...secondHandCourseProofs,
  ...thirdHandProofs,
};

/** Whether a flaw shows by requests of clients, at a sound peer and at one that has it. */
export async function showsAt(
  flaw: Flaw,
  name: DialectName,
): Promise<{ sound: boolean; flawed: boolean }> {
  const proof = proofs[flaw.id];
  if (!proof) throw new Error(`no proof of ${flaw.id}`);
  const dialect = dialects[name];
  const options = { dialect, clock: 'hand' } as const;
  const shows = async (peer: Awaited<ReturnType<typeof startPeer>>): Promise<boolean> => {
    try {
      return await proof(worldOf(peer, dialect));
    } finally {
      await peer.close();
    }
  };
  return {
    sound: await shows(await startPeer(options)),
    flawed: await shows(await startFlawedPeer(flaw, options)),
  };
}
