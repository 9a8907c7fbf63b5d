import type { WorldFinding } from '../outcome.ts';

/** A finding about the target. */
export const defect = (
  cause: string,
  rule: string,
  message: string,
  more: Partial<Pick<WorldFinding, 'requirements' | 'exchanges' | 'expected'>> = {},
): WorldFinding => ({
  cause,
  rule,
  requirements: [],
  message,
  exchanges: [],
  ...more,
  blame: 'defect',
});

/** A finding about Assay itself. */
export const fault = (...of: Parameters<typeof defect>): WorldFinding => ({
  ...defect(...of),
  blame: 'harness',
});
