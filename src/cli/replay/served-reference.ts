import { random } from '../../random/random.ts';
import { standardParties } from '../../reference/http/index.ts';
import type { ScriptTarget } from '../../reproduce/script/script.ts';
import { castNames } from '../../spec/requirements/index.ts';

const origin = 'http://127.0.0.1:9000';

/** The reference as `assay serve` offers it, on a clock that scripts move. */
export function servedReference(mutation: string | undefined): ScriptTarget {
  const start = `assay serve --clock virtual${mutation === undefined ? '' : ` --mutation ${mutation}`}`;
  const participants = standardParties(random(1n)).flatMap(({ name, prefix }) => {
    const known = castNames.find((one) => one === name);
    return known
      ? [{ name: known, baseUrl: `${origin}/${prefix}`, token: { kind: 'own' } as const }]
      : [];
  });
  return {
    start,
    participants,
    clock: {
      kind: 'controlled',
      now: { url: `${origin}/_sim/clock`, at: '/now_ms' },
      advance: { url: `${origin}/_sim/clock/advance`, body: { expected_now: '$now', ms: '$ms' } },
    },
  };
}
