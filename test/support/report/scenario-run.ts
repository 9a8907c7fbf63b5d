import type { Exchange, Frame, History, HistoryRecord } from '../../../src/history/records.ts';
import type { RunReport, ScenarioReport } from '../../../src/results/run-report.ts';
import { report } from './check-run.ts';

/** A made-up run of two scenarios, one of which fails. `hostile` is put into all their text. */

const start = Date.parse('2026-01-01T00:00:00.000Z');
export const settled = 'flows/settled';
export const broken = 'flows/broken';

const call = (
  id: string,
  party: string,
  at: number,
  precededBy: number,
  more: Partial<Exchange> = {},
): Exchange => ({
  kind: 'exchange',
  id,
  by: id.split('#')[0] ?? id,
  party,
  role: 'institution',
  params: {},
  query: {},
  auth: 'own',
  request: { method: 'POST', path: '/api/v1/orders', headers: {} },
  response: { status: 201, headers: {}, body: { data: { status: 'PENDING' } } },
  sent: start + at,
  received: start + at,
  precededBy,
  ...more,
});

const told = (id: string, party: string, at: number, event: string, status?: string): Frame => ({
  kind: 'frame',
  id,
  stream: `${id.split('#')[0] ?? id}#1`,
  by: id.split('#')[0] ?? id,
  party,
  role: 'institution',
  received: start + at,
  event,
  data: { status },
});

/** Two worlds, one after the other; each counts from its own beginning. */
export const playedHistory = (hostile = ''): History => {
  const first: HistoryRecord[] = [
    call(`${settled}#1`, 'sender', 0, 0),
    told(`${settled}#3`, 'maker_a', 0, 'quote_request_new'),
    told(`${settled}#4`, 'maker_b', 0, 'quote_request_new'),
    call(`${settled}#2`, 'sender', 0, 1),
    told(`${settled}#5`, 'maker_a', 2_000, 'heartbeat'),
    told(`${settled}#6`, 'sender', 4_000, `order_updated${hostile}`, 'SETTLED'),
    call(`${settled}#7`, 'sender', 4_000, 6),
  ];
  const second: HistoryRecord[] = [
    call(`${broken}#1`, 'sender', 0, 0),
    told(`${broken}#2`, 'maker_a', 0, `quote_request_new${hostile}`),
    call(`${broken}#3`, 'sender', 0, 1, {
      response: { status: 409, headers: {}, body: { code: `wrong${hostile}` } },
    }),
    told(`${broken}#4`, 'sender', 6_000, 'order_updated', 'EXPIRED'),
  ];
  return { records: [...first, ...second] };
};

export const settledScenario: ScenarioReport = {
  id: settled,
  verdict: 'pass',
  drawn: ['line 3: 2, 1'],
  took_ms: 4_000,
  timeline: [
    { at_ms: 0, says: 'fault: stall settlement', line: 2 },
    {
      at_ms: 0,
      says: 'create order',
      party: 'sender',
      outcome: '201 PENDING',
      exchange: `${settled}#2`,
      line: 3,
    },
    { at_ms: 4_000, says: 'wait 4s', line: 5 },
    {
      at_ms: 4_000,
      says: 'read order',
      party: 'sender',
      outcome: '200 SETTLED',
      exchange: `${settled}#7`,
      line: 6,
    },
  ],
};

export const brokenScenario = (hostile = ''): ScenarioReport => ({
  id: `${broken}`,
  verdict: 'fail',
  drawn: [],
  took_ms: 6_000,
  timeline: [
    {
      at_ms: 0,
      says: 'accept quote',
      party: 'sender',
      outcome: `409 wrong${hostile}`,
      exchange: `${broken}#3`,
      line: 4,
    },
    { at_ms: 6_000, says: `let late${hostile}`, outcome: hostile, line: 9 },
  ],
  failures: [
    {
      after: 1,
      at: 'flows/broken.yaml:4:3',
      message: `it did not succeed${hostile}`,
      exchanges: [`${broken}#3`],
      mismatches: [
        { path: 'status', expected: 'any 2xx', actual: `409${hostile}` },
        { path: '', expected: hostile, actual: hostile },
      ],
    },
  ],
});

/** It verifies no requirement, so none of them shows its failure. */
export const playedReport = (hostile = ''): RunReport => ({
  ...report(hostile),
  requirements: [],
  checks: [
    {
      id: settled,
      title: 'It settles',
      requirements: ['order.read'],
      verdict: 'pass',
      failures: [],
    },
    {
      id: broken,
      title: `It breaks${hostile}`,
      requirements: [],
      verdict: 'fail',
      failures: [
        {
          requirement: '',
          outcome: 'fail',
          message: `flows/broken.yaml:4:3: it did not succeed${hostile}`,
          exchanges: [`${broken}#3`],
        },
      ],
    },
  ],
  rules: [],
  scenarios: [settledScenario, brokenScenario(hostile)],
});
