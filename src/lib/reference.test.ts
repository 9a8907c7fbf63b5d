import { afterEach, describe, expect, it } from 'vitest';
import { castNames } from '../spec/requirements/requirement.ts';
import { type Reference, type ReferenceOptions, startReference } from './reference.ts';

let open: Reference[] = [];
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()));
  open = [];
});
const start = async (options: ReferenceOptions): Promise<Reference> => {
  const reference = await startReference(options);
  open.push(reference);
  return reference;
};

describe('a reference for tests', () => {
  it('serves the whole cast on loopback', async () => {
    const { baseUrls, parties, origin } = await start({ clock: 'virtual' });
    expect(Object.keys(baseUrls)).toEqual(castNames);
    expect(new URL(origin).hostname).toBe('127.0.0.1');
    const { data } = (await (
      await fetch(`${baseUrls.maker_b}/auth/token`, { method: 'POST' })
    ).json()) as {
      readonly data: unknown;
    };
    expect(data).toMatchObject({ role: 'market-maker', canton_party_id: parties.maker_b.partyId });
  });

  it('moves its own time only', async () => {
    const reference = await start({ clock: 'virtual' });
    const before = reference.now();
    await reference.advance(90_000);
    expect(reference.now() - before).toBe(90_000);
  });

  it('is the same for the same seed', async () => {
    const [one, same, other] = await Promise.all([
      start({ clock: 'virtual', seed: 7 }),
      start({ clock: 'virtual', seed: '0x7' }),
      start({ clock: 'virtual', seed: 8n }),
    ]);
    expect(one.parties.sender.partyId).toBe(same.parties.sender.partyId);
    expect(one.parties.sender.partyId).not.toBe(other.parties.sender.partyId);
  });

  it('answers gaps as it is told', async () => {
    const { baseUrls } = await start({ clock: 'system', gaps: { 'auth.refusal_status': '403' } });
    const { status } = await fetch(`${baseUrls.sender}/api/v1/whoami`);
    expect(status).toBe(403);
  });

  it('frees its port, and may be closed twice', async () => {
    const { origin, close } = await start({ clock: 'system' });
    await close();
    await close();
    const port = Number(new URL(origin).port);
    expect((await start({ clock: 'system', port })).origin).toBe(origin);
  });

  it('says what is wrong', async () => {
    const { origin, advance } = await start({ clock: 'system' });
    const port = Number(new URL(origin).port);
    const refusals = [
      [
        () => startReference({ clock: 'system', port }),
        'port',
        /the port is taken; leave port out/,
      ],
      [() => advance(1), 'clock', /host's clock cannot be moved: start .* "virtual"/],
      [() => start({ clock: 'virtual' }).then((one) => one.advance(-1)), 'clock', /whole milli/],
      [() => start({ clock: 'virtual' }).then((one) => one.advance(1e12)), 'clock', /ten years/],
      [() => startReference({ clock: 'fast' as 'system' }), 'clock', /not "virtual" or "system"/],
      [() => startReference({ clock: 'system', seed: -1 }), 'seed', /"-1" is no seed/],
      [
        () => startReference({ clock: 'system', gaps: { 'views.lag': 'never' } }),
        'gaps',
        /views\.lag is "never", not one of at-once/,
      ],
      [
        () => startReference({ clock: 'system', gaps: { 'views.lak': 'x' } as object }),
        'gaps',
        /no gap views\.lak; did you mean "views\.lag"/,
      ],
    ] as const;
    for (const [act, code, message] of refusals) {
      await expect(act()).rejects.toMatchObject({
        name: 'UsageError',
        code,
        message: expect.stringMatching(message),
      });
    }
  });
});
