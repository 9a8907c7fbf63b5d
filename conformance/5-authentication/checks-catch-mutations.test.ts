import { describe, expect, it } from 'vitest';
import { ranWith, tokenMutations } from '../../test/support/token-mutations.ts';

/** One for each of the checks; the others in checks-catch-mutations.long.test.ts. */
const firstOfEach = tokenMutations.filter(
  ([only], place) => tokenMutations.findIndex(([other]) => other === only) === place,
);

describe('checks of tokens', () => {
  it('judge how a token is sent though the backend issues none itself', async () => {
    let begun = false;
    const { checks } = await ranWith(
      {
        response: (wire, { endpoint }) => {
          begun ||= endpoint === 'order.list';
          return begun && endpoint === 'token.create' ? { ...wire, status: 404, body: {} } : wire;
        },
      },
      { only: ['auth.scheme*'] },
    );
    expect([...new Set(checks.map(({ verdict }) => verdict))]).toEqual(['pass']);
  });

  it.each(firstOfEach)('%s finds %s broken', async (only, requirement, tamper) => {
    expect((await ranWith(tamper, { only: [only] })).failed).toContain(requirement);
  });
});
