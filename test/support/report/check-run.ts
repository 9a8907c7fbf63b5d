import { createSecrets } from '../../../src/history/secrets/secrets.ts';
import {
  failuresKept,
  type SourceReport,
  type RunResult,
} from '../../../src/results/source-report.ts';
import type { Exchange, Frame, History } from '../../../src/history/records.ts';
import type { Requirement } from '../../../src/spec/requirements/index.ts';
import { assembleReport, type ReportContext } from '../../../src/report/assemble.ts';
import type { RequirementReport, RunReport } from '../../../src/results/run-report.ts';

/**
 * A small made-up run with one of everything. `hostile` is put into all text of targets and
 * authors.
 */

const start = Date.parse('2026-01-01T00:00:00.000Z');

export const catalogue = (hostile = ''): Readonly<Record<string, Requirement>> => ({
  'order.read': { part: '4.2', level: 'must', summary: `The sender reads its order.${hostile}` },
  'order.form': { part: '2.2', level: 'must', summary: 'Amounts are decimal strings.' },
  'settle.about': { part: '1', level: 'vague', summary: 'Settling takes about 4 seconds.' },
  'token.late': { part: '5', level: 'must', summary: 'An expired token is refused with 401.' },
  'token.forged': { part: '5', level: 'must', summary: 'A forged token is refused.' },
  'maker.third': { part: '4.4', level: 'must', summary: 'A third maker may quote.' },
  'event.told': { part: '6', level: 'must', summary: 'The sender is told of a quote.' },
});

const exchange = (id: string, at: number, more: Partial<Exchange>): Exchange => ({
  kind: 'exchange',
  id,
  by: id.split('#')[0] ?? id,
  party: 'sender',
  role: 'institution',
  params: {},
  query: {},
  auth: 'own',
  request: { method: 'GET', path: '/api/v1/orders/7', headers: { accept: 'application/json' } },
  response: { status: 200, headers: {}, body: { data: { fx_rate: 1.1 } } },
  sent: start + at,
  received: start + at + 12,
  ...more,
});

export const history = (hostile = ''): History => {
  const created = exchange('order.flow#1', 0, {
    endpoint: 'order.create',
    request: {
      method: 'POST',
      path: '/api/v1/orders',
      headers: { accept: 'application/json' },
      body: { memo: `it's mine${hostile}`, target_amount: '1000.00' },
    },
    response: { status: 201, headers: {}, body: { data: { fx_rate: 1.1, note: hostile } } },
  });
  const read = exchange('order.flow#2', 30, { endpoint: 'order.read' });
  const opened = exchange('order.flow#3', 40, {
    endpoint: 'order.events',
    opensStream: true,
    request: { method: 'GET', path: '/api/v1/orders/events', headers: {} },
    response: { status: 200, headers: {} },
  });
  const frame: Frame = {
    kind: 'frame',
    id: 'order.flow#3/1',
    stream: 'order.flow#3',
    by: 'order.flow',
    party: 'sender',
    role: 'institution',
    received: start + 4_900,
    event: 'order_updated',
    data: { status: 'SETTLED' },
  };
  return { records: [created, read, opened, frame] };
};

const source = (
  id: string,
  requirements: readonly string[],
  { failures = [], omitted = 0, ...more }: Partial<SourceReport>,
): SourceReport => ({
  id,
  title: `What ${id} does.`,
  requirements,
  verdict: 'pass',
  ...more,
  failures,
  ...(omitted > 0 && { omitted }),
  judged: [],
});

const withCatalogue = (
  hostile: string,
  some: readonly Omit<RequirementReport, 'part' | 'level' | 'summary'>[],
): RequirementReport[] =>
  some.map(({ id, ...rest }) => {
    const { part = '1', level = 'must', summary = '' } = catalogue(hostile)[id] ?? {};
    return { id, part, level, summary, ...rest };
  });

export const result = (hostile = ''): RunResult => {
  const tooLong = 'it waits 3605 s, longer than max_wait (90 s)';
  const noMaker = 'party maker_c is not declared';
  const formMessage = `The rate was a number.${hostile}`;
  return {
    checks: [
      source('order.flow', ['order.read', 'order.form'], {
        verdict: 'fail',
        reason: formMessage,
        failures: [
          {
            requirement: 'order.form',
            outcome: 'fail',
            message: formMessage,
            expected: `a decimal string${hostile}`,
            must: { words: `a decimal string${hostile}` },
            actual: { fx_rate: 1.1, note: hostile },
            exchanges: ['order.flow#2', 'order.flow#1'],
            deviation: 'wrong form',
          },
        ],
      }),
      source('token.expiry', ['token.late'], { verdict: 'out_of_scope', reason: tooLong }),
      source('token.forgery', ['token.forged'], {
        verdict: 'inconclusive',
        reason: 'its twin was refused too',
        failures: [
          {
            requirement: 'token.forged',
            outcome: 'inconclusive',
            message: 'its twin was refused too',
            exchanges: [],
          },
        ],
      }),
      source('maker.three', ['maker.third'], { verdict: 'out_of_scope', reason: noMaker }),
      source('event.quote', ['event.told'], {
        verdict: 'not_exercised',
        reason: 'no order could be created: POST /api/v1/orders answered 503',
        seen: ['event.quote#1'],
      }),
    ],
    rules: [
      source('settle-duration', ['settle.about'], {
        verdict: 'warn',
        reason: 'Settling took 4.9 s.',
        omitted: failuresKept,
        failures: [
          {
            requirement: 'settle.about',
            outcome: 'warn',
            message: 'Settling took 4.9 s.',
            expected: 'about 4 s',
            must: { words: 'about 4 s' },
            actual: '4.9 s',
            exchanges: ['order.flow#3/1'],
          },
        ],
      }),
    ],
    requirements: withCatalogue(hostile, [
      { id: 'order.read', verdict: 'pass', judged_by: ['order.flow'], exercised: 2 },
      {
        id: 'order.form',
        verdict: 'fail',
        reason: formMessage,
        judged_by: ['order.flow'],
        exercised: 4,
        failed: 2,
        contrast: {
          in: { state: `PENDING${hostile}` },
          there: { failed: 2, of: 2 },
          elsewhere: { failed: 0, of: 2 },
          passed: 'order.flow#2',
        },
      },
      {
        id: 'settle.about',
        verdict: 'warn',
        reason: 'Settling took 4.9 s.',
        judged_by: ['settle-duration'],
        exercised: 1,
      },
      { id: 'token.late', verdict: 'out_of_scope', reason: tooLong, judged_by: [], exercised: 0 },
      {
        id: 'token.forged',
        verdict: 'inconclusive',
        reason: 'its twin was refused too',
        judged_by: ['token.forgery'],
        exercised: 1,
      },
      { id: 'maker.third', verdict: 'out_of_scope', reason: noMaker, judged_by: [], exercised: 0 },
      {
        id: 'event.told',
        verdict: 'not_exercised',
        reason: 'no order could be created: POST /api/v1/orders answered 503',
        judged_by: [],
        exercised: 0,
      },
    ]),
    suiteDigest: '0123456789abcdef'.repeat(4),
    targetMs: 65_000,
  };
};

export const context = (hostile = ''): ReportContext => ({
  version: '0.1.0',
  secrets: createSecrets(),
  target: {
    name: `acme-fx 2.3${hostile}`,
    participants: { sender: { role: 'institution', base_url: 'http://127.0.0.1:9000/bank-a' } },
    clock: { kind: 'system', max_wait_ms: 90_000, offset_ms: 3 },
  },
  run: {
    seed: '0x0000000000000007',
    started_at: '2026-01-01T00:00:00.000Z',
    finished_at: '2026-01-01T00:01:05.250Z',
    wall_ms: 65_250,
    started_with: ['--target', `acme${hostile}.yaml`],
  },
  gaps: [
    {
      id: 'list.page_param',
      part: '4.5',
      question: 'Which query parameter asks for a page?',
      declared: 'page',
      observed: `page_no${hostile}`,
      consistent: false,
      unlocks: 0,
    },
    {
      id: 'stream.resume',
      part: '6',
      question: 'Can a client resume a stream?',
      consistent: true,
      unlocks: 2,
    },
    {
      id: 'error.shape',
      part: '7',
      question: 'What does an error body look like?',
      observed: 'problem',
      consistent: true,
      unlocks: 0,
    },
  ],
  history: history(hostile),
});

export const report = (hostile = ''): RunReport =>
  assembleReport(result(hostile), context(hostile));
