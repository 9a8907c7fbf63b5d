import { expect, it } from 'vitest';
import { load } from '../language/load.ts';
import { roundsOf } from './as-each.ts';

const none = {
  read: () => ({ reason: 'none' }),
  resolve: (_: string, wanted: string) => wanted,
};
const loaded = (steps: string) =>
  load({ file: 'a.yaml', text: `scenario: Nobody can tell\nsteps:\n${steps}` }, none);
const asEach = (parties: string, alikeFor: string): string =>
  `  - as_each: [${parties}]\n    alike_for: [${alikeFor}]\n    steps:\n` +
  '      - sender: create order\n        with: { receiver_party_id: $outsider.party_id }\n' +
  '        save: order\n      - maker_a: read request\n        of: $order\n';

it('lets another party change parts with the first, and nobody else', () => {
  const read = loaded(asEach('sender, outsider', 'maker_a'));
  const [step] = read.ok ? (read.scenarios[0]?.draft.steps ?? []) : [];
  const rounds = step?.kind === 'as_each' ? roundsOf(step) : [];
  const acting = rounds.map((steps) => steps.map((one) => 'party' in one && one.party));
  expect(acting).toEqual([
    ['sender', 'maker_a'],
    ['outsider', 'maker_a'],
  ]);
  const named = rounds.map((steps) => /"kind":"name","name":"(\w+)"/.exec(JSON.stringify(steps)));
  expect(named.map((found) => found?.[1])).toEqual(['outsider', 'sender']);
});

it.each([
  ['one party', 'sender', 'maker_a', 'two parties or more'],
  ['a party twice', 'sender, sender', 'maker_a', 'two parties or more'],
  ['parties of two roles', 'sender, maker_b', 'maker_a', 'maker_b is of role market-maker'],
  ['one who knows', 'sender, outsider', 'sender', 'it knows who it is'],
])('refuses %s', (_, parties, alikeFor, message) => {
  const read = loaded(asEach(parties, alikeFor));
  expect(read.ok ? '' : read.errors.map((error) => error.message).join('\n')).toContain(message);
});
