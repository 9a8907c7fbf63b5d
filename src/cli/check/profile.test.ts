import { describe, expect, it } from 'vitest';
import { applyProfile } from './profile.ts';

const embedded = { kind: 'embedded' } as const;
const urls = { kind: 'urls', urls: [] } as const;

describe('a profile', () => {
  it('sets no limits by default, nor as `full`', () => {
    const asIs = { maxWaitMs: undefined, profile: undefined };
    expect(applyProfile({}, urls, 0)).toEqual(asIs);
    expect(applyProfile({ profile: 'full' }, urls, 0)).toEqual(asIs);
  });

  it('waits no longer than it or the target says, unless a flag does', () => {
    const longest = (flags: Parameters<typeof applyProfile>[0], chosen = embedded) =>
      applyProfile(flags, chosen, 0).maxWaitMs;
    expect(longest({ profile: 'standard' })).toBe(60_000);
    expect(applyProfile({ profile: 'standard' }, urls, 0).maxWaitMs).toBe(60_000);
    expect(longest({ profile: 'standard', maxWait: 90_000 })).toBe(90_000);
    expect(longest({ profile: 'smoke' })).toBeUndefined();
  });

  it('counts its time from the beginning of the command', () => {
    expect(applyProfile({ profile: 'smoke' }, urls, 250).profile?.limits).toEqual({
      wallMs: 15_000,
      requests: 300,
      since: 250,
    });
  });

  it('that names its checks cannot be combined with --only', () => {
    const both = { profile: 'smoke', only: ['order.*'] } as const;
    expect(() => applyProfile(both, embedded, 0)).toThrow(/--profile smoke[\s\S]*next: leave out/);
    expect(() => applyProfile({ ...both, profile: 'standard' }, embedded, 0)).not.toThrow();
  });
});
