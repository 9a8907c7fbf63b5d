import type { Exchange, Frame } from '../../../src/history/records.ts';
import { scenarioText } from '../../../src/reproduce/scenario.ts';
import {
  plain,
  type CallStep,
  type Claim,
  type ListenStep,
  type NamedStep,
} from '../../../src/reproduce/steps.ts';
import { exchange, frame as madeFrame } from '../records.ts';
import { claimsFor, type Case } from '../../../src/reproduce/claims/index.ts';
import type { Place } from '../../../src/results/run-report.ts';

export const orderId = '0b5c7d0e-6a51-4b1e-8a44-0d9d6f1e0001';
export const orderOf = { kind: 'answer', step: 'order', path: ['data', 'intent_id'] } as const;

export function call(name: string, body: unknown, more: Partial<Exchange> = {}): CallStep {
  const response = { status: 200, headers: {}, body };
  const recorded = exchange({ id: name, endpoint: 'order.list', response, ...more });
  const path = plain(recorded.request.path);
  return { kind: 'call', name, party: 'sender', token: 'sender', path, headers: {}, recorded };
}

export const created: CallStep = call(
  'order',
  { data: { intent_id: orderId, status: 'PENDING' } },
  {
    endpoint: 'order.create',
    request: { method: 'POST', path: '/api/v1/orders', headers: {}, body: {} },
  },
);
export const page = (name: string, ...ids: readonly string[]): CallStep =>
  call(name, {
    data: ids.map((intent_id) => ({ intent_id, status: 'PENDING', memo: 'm' })),
    pagination: { page: 1, page_size: 2, total_items: ids.length, total_pages: 1 },
  });

export const listen: ListenStep = {
  kind: 'listen',
  name: 'stream_of_sender',
  party: 'sender',
  token: 'sender',
  path: plain('/api/v1/orders/events'),
  isOwn: true,
  recorded: { ...created.recorded, id: 'stream', opensStream: true },
};
export const frame = (event: string, data: unknown): Frame =>
  madeFrame({ id: `frame of ${event}`, stream: 'stream', event, data, text: '' });

export type Facts = Pick<Case, 'deviation' | 'places' | 'expected' | 'actual'>;

export const inList = (field: string): readonly Place[] => [{ endpoint: 'order.list', field }];

export function caseOf(facts: Facts, evidence: readonly (NamedStep | Frame)[]): Case {
  const records = evidence.flatMap((one): readonly (Exchange | Frame)[] => {
    return one.kind === 'frame' ? [one] : [one.recorded];
  });
  const calls = evidence.filter((one) => one.kind === 'call');
  return {
    ...facts,
    evidence: records,
    steps: [listen, created, ...calls.filter((one) => one !== created)],
    partyIds: new Map(),
  };
}

/** The assertions of the claims in a scenario, one a line. */
export function written(one: Case): readonly string[] {
  const shown = {
    check: 'c',
    source: 'c',
    requirement: 'r',
    part: '1',
    summary: 's',
    message: 'm',
  };
  const { steps } = one;
  const asserted = (claims: readonly Claim[]): string => {
    const lines = scenarioText({ shown, steps, claims }).split('\n');
    const first = lines.findIndex((line) => /whole_answer|- expect|answered|refused/.test(line));
    return lines
      .slice(first)
      .map((line) => line.trim())
      .filter((line) => /expect|is:|whole|count|for|once|never|answered|refused/.test(line))
      .join(' ');
  };
  return claimsFor(one).map(asserted);
}
