import { expect, it } from 'vitest';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import type { Step } from '../language/steps/index.ts';
import type { LogLine, StepContext } from './session.ts';
import { runSteps } from './steps.ts';

it('runs thousands of meanwhile in a row on a clock that nobody drives', async () => {
  const log: LogLine[] = [];
  const target = { timeline: systemTimeline(systemClock()) };
  const session = { target, log, budget: { step: () => {} } };
  const ctx = { session, env: new Map(), concurrent: false } as unknown as StepContext;
  const at = { file: 'a.yaml', line: 1, col: 1, width: 1 };
  const steps = Array.from({ length: 5_000 }, (): Step => ({ kind: 'meanwhile', at, steps: [] }));
  await runSteps(steps, ctx);
  expect(log).toHaveLength(5_000);
});
