import { expect, it } from 'vitest';
import { canaryNamed } from '../../mutants/canaries/index.ts';
import { worldScenario } from '../../src/run/world-scenario.ts';
import { drawPlan } from '../../src/simulation/draw/draw-plan.ts';
import type { PlannedStep } from '../../src/simulation/plan.ts';
import { playAndJudge } from '../../src/simulation/run-world.ts';

const at = (afterMs: number) => ({ at: { afterMs } });
const order: PlannedStep = {
  ...at(0),
  by: 'sender',
  do: 'create',
  label: 'order 1',
  custodian: 'sender_custodian',
  receiver: 'outsider',
  receiverCustodian: 'outsider_custodian',
  sourceCurrency: 'USD',
  targetCurrency: 'EUR',
  targetAmount: '1000.00',
  maximum: '2000.00',
};
const lost: PlannedStep = {
  ...at(0),
  fault: 'answer lost and sent again',
  party: 'maker_a',
  ms: 1_000,
};
const quote: PlannedStep = {
  ...at(1_000),
  by: 'maker_a',
  do: 'quote',
  order: 'order 1',
  label: 'quote 1',
  rate: '1',
  validity: { forMs: 30_000 },
};

it('a failure that needs a lost answer comes to a scenario that loses it', async () => {
  const planted = canaryNamed('repeated-quote-not-kept');
  if (!planted) throw new Error('the defect has another name');
  const tamper = () => planted.tamper();
  const drawn = drawPlan('0x0000000000000001');
  const plan = {
    ...drawn,
    assignment: { ...drawn.assignment, 'quote.twice': 'allow', 'proposal.effect': 'none' },
    steps: [order, lost, quote],
  };
  const options = { depth: 'process', mutation: planted.id } as const;
  const { run, outcome } = await playAndJudge(plan, options, { tamperOf: tamper });
  const [finding] = outcome.findings;
  if (!finding) throw new Error('nothing was found');
  const target = { chosen: { kind: 'embedded' }, seed: 1n, tamper } as const;
  const scenario = await worldScenario(run, finding, target, 'x');
  expect(scenario).toMatchObject({ ok: true, proof: 'claims' });
  expect(scenario.ok && scenario.text).toContain(
    '  - fault: lose next answer of maker_a\n  - maker_a: submit quote\n',
  );
});
