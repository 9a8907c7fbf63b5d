import { createSecrets } from '../../../src/history/secrets/secrets.ts';
import type { Exchange, Frame, HistoryRecord } from '../../../src/history/records.ts';
import { uiPage } from '../../../src/cli/ui-page.ts';
import { historyFiles, toHtml } from '../../../src/report/index.ts';
import { report } from '../../support/report/check-run.ts';

const parties = ['sender', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'] as const;
const startMs = Date.parse('2026-01-01T00:00:00.000Z');
const states = ['PENDING', 'QUOTED', 'EXECUTING', 'SETTLED'] as const;

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

/** Orders that are created, read and settled in turn, with an event for every fourth exchange. */
function records(exchanges: number): readonly HistoryRecord[] {
  return Array.from({ length: exchanges }, (_, n): readonly HistoryRecord[] => {
    const at = startMs + n * 40 + Math.floor(n / 1_000) * 60_000;
    const party = parties[n % parties.length] ?? 'sender';
    const order = `${hex(Math.floor(n / 8), 8)}-0000-4000-8000-${hex(7, 12)}`;
    const data = {
      intent_id: order,
      status: states[Math.floor((n % 8) / 2)],
      source_amount_max: '2000.00',
      memo: 'as long as any other, so that bodies are of a usual size'.repeat(6),
      expires_at: new Date(at + 60_000).toISOString(),
    };
    const common = { by: `check.${n % 40}`, party, role: 'institution' } as const;
    const exchange: Exchange = {
      kind: 'exchange',
      id: `check.${n % 40}#${n}`,
      ...common,
      endpoint: 'order.read',
      params: { intent_id: order },
      query: {},
      auth: 'own',
      request: { method: 'GET', path: `/api/v1/orders/${order}`, headers: {} },
      response: { status: 200, headers: {}, body: { data } },
      sent: at,
      received: at + 12,
    };
    const frame: Frame = {
      kind: 'frame',
      id: `stream#1/${n}`,
      stream: 'stream#1',
      ...common,
      by: 'party.sender',
      received: at + 20,
      event: 'order_updated',
      data,
    };
    return n % 4 === 0 ? [exchange, frame] : [exchange];
  }).flat();
}

/** The page of a run with this number of exchanges, and the number of its timeline entries. */
export function pageOfLongRun(exchanges: number): {
  readonly html: string;
  readonly entries: number;
} {
  const all = records(exchanges);
  const html = toHtml(report(), {
    shell: uiPage('report'),
    history: historyFiles(all, report(), createSecrets()).page,
  });
  return { html, entries: all.length };
}
