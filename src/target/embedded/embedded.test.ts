import { afterEach, describe, expect, it } from 'vitest';
import { writeHistory } from '../../history/jsonl.ts';
import { random } from '../../random/random.ts';
import { castNames, controls } from '../../spec/requirements/requirement.ts';
import { discover } from '../../discovery/discover.ts';
import { openEmbedded } from './embedded.ts';
import type { OpenedTarget } from '../opened-target.ts';

const fieldsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));

const opened: OpenedTarget[] = [];
afterEach(async () => {
  for (const target of opened.splice(0)) await target.close();
});

async function open(seed = 1n): Promise<OpenedTarget> {
  const target = await openEmbedded({ seed });
  opened.push(target);
  return target;
}

describe('the embedded reference', () => {
  it('is the whole cast, reached and listening, and offers every control', async () => {
    const target = await open();
    expect(Object.keys(target.parties)).toEqual(castNames);
    expect(Object.keys(target.controls).toSorted()).toEqual([...controls].toSorted());
    for (const name of castNames) {
      const party = target.party(name, 'test');
      expect(party.partyId).toMatch(/^\w+::[0-9a-f]+$/);
      expect(party.events.isOpen).toBe(true);
    }
    expect(target.notes).toEqual([]);
  });

  it('gives the same bytes for the same seed, and others for another', async () => {
    const histories = await Promise.all(
      [1n, 1n, 2n].map(async (seed) => {
        const target = await open(seed);
        await discover(target, target.answers, random(seed).fork('discovery'));
        await target.timeline.act('test', () => target.timeline.sleep(300_000));
        return writeHistory(target.history.records, target.secrets);
      }),
    );
    expect(histories[0]).toContain('"event":"heartbeat"');
    expect(histories[1]).toBe(histories[0]);
    expect(histories[2]).not.toBe(histories[0]);
  });

  it('leaves nothing behind for the world that comes next, even when it is closed twice', async () => {
    const first = await open();
    await first.close();
    await first.close();
    const [next, other] = [await open(), await open(2n)];
    const bearer = { label: 'own token elsewhere', token: other.party('sender', 'test').token };
    const statuses = await next.timeline.act('test', async () => {
      const sender = next.party('sender', 'test');
      const strange = await sender.call('identity.read', { credential: bearer });
      return [strange.response?.status, (await sender.call('identity.read')).response?.status];
    });
    expect(statuses).toEqual([401, 200]);
    const [before, after] = [first, next].map(({ history }) => history.records.slice(0, 16));
    expect(after).toEqual(before);
  });

  it('trusts the tokens that its key mints', async () => {
    const target = await open();
    const sender = target.party('sender', 'test');
    const claims = fieldsOf(sender.token);
    const now = Math.floor(target.timeline.now() / 1_000);
    const asked = await target.timeline.act('test', async () => {
      const statuses: (number | undefined)[] = [];
      for (const exp of [now + 60, now - 60]) {
        const token = await target.signing?.mint({ ...claims, exp });
        const credential = { label: 'minted', ...(token !== undefined && { token }) };
        statuses.push((await sender.call('identity.read', { credential })).response?.status);
      }
      return statuses;
    });
    expect(asked).toEqual([200, 401]);
  });

  it('renews tokens across hours', async () => {
    const target = await open();
    const sender = target.party('sender', 'test');
    const first = sender.token;
    const answer = await target.timeline.act('test', async () => {
      await target.timeline.sleep(5 * 3_600_000);
      return sender.call('identity.read');
    });
    expect(answer.response?.status).toBe(200);
    expect(sender.token).not.toBe(first);
  });
});
