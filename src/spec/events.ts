import type { ResourceName } from './resources.ts';
import type { Role } from './vocabulary.ts';

export type StreamName = 'order' | 'maker';

export interface EventKind {
  readonly stream: StreamName;
  /** Payload fields the document names (part 6). No others are promised. */
  readonly fields: readonly string[];
  /** The resource whose field forms the payload's known fields follow. */
  readonly resource?: ResourceName;
}

/** Part 6. `heartbeat` is on both streams. */
export const eventKinds = {
  order_updated: { stream: 'order', fields: ['intent_id', 'status'], resource: 'order' },
  quote_received: { stream: 'order', fields: ['fx_rate', 'target_amount'], resource: 'quote' },
  quote_request_new: { stream: 'maker', fields: [], resource: 'rfq' },
  quote_request_expired: { stream: 'maker', fields: [] },
  quote_accepted: { stream: 'maker', fields: ['intent_id', 'fx_rate'], resource: 'quote' },
  quote_rejected: { stream: 'maker', fields: ['intent_id'], resource: 'quote' },
  settlement_completed: { stream: 'maker', fields: ['transaction_hash'], resource: 'settlement' },
} as const satisfies Record<string, EventKind>;
export type EventName = keyof typeof eventKinds;
export const heartbeat = 'heartbeat';

export const streamEndpoint = { order: 'order.events', maker: 'maker.events' } as const;

export const streamOf = (role: Role): StreamName => (role === 'market-maker' ? 'maker' : 'order');
