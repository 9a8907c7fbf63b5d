import { expect, it } from 'vitest';
import { playEmbedded } from '../../src/run/play-embedded.ts';
import { load } from '../../src/scenario/language/load.ts';
import { renderSourceErrors } from '../../src/yaml/index.ts';

const none = {
  read: () => ({ reason: 'none' }),
  resolve: (_: string, wanted: string) => wanted,
};

async function played(expectation: string): Promise<readonly string[]> {
  const text = `scenario: The envelope
steps:
  - sender: create order
    whole_answer: ${expectation}
`;
  const loaded = load({ file: 'envelope.yaml', text }, none);
  if (!loaded.ok) throw new Error(renderSourceErrors(loaded.errors, text));
  const [judged] = await playEmbedded(loaded.scenarios, {
    seed: 1n,
    keepsRecords: false,
    onPlayed: () => undefined,
  });
  return (judged?.played.failures ?? []).flatMap(({ mismatches }) =>
    mismatches.map(({ path, expected }) => `${path}: ${expected}`),
  );
}

it('looks at the status, the headers and the envelope of an answer', async () => {
  const holds = '{ status: 201, headers: { content-type: { matches: json } } }';
  expect(await played(holds)).toEqual([]);
  expect(await played('{ body: { meta: { request_id: { absent: true } } } }')).toEqual([
    'body.meta.request_id: nothing',
  ]);
});

it('counts as an assertion, and knows what an answer has', () => {
  const text =
    'scenario: x\nsteps:\n  - sender: create order\n    whole_answer: { statuss: 200 }\n';
  const loaded = load({ file: 'x.yaml', text }, none);
  expect(loaded.ok ? [] : loaded.errors.map(({ message }) => message)).toEqual([
    expect.stringContaining('statuss'),
  ]);
});
