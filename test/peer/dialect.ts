/** Refusals that the document does not require, from almost none to those of a strict house. */
export interface Strictness {
  /** Parties and contracts of any form are taken. */
  readonly anyForm: boolean;
  /** One `source_contract_id` serves one order, ever. */
  readonly contractOnce: boolean;
  /** A receiver is a party of this peer. */
  readonly knownParties: boolean;
  /** Refuses unknown query parameters and body fields, and page numbers and sizes out of range. */
  readonly unknownRefused: boolean;
  /** Decimals of an amount at most. */
  readonly amountDecimals: number;
}

const usual: Strictness = {
  anyForm: false,
  contractOnce: false,
  knownParties: false,
  unknownRefused: false,
  amountDecimals: 10,
};

/**
 * Answers of a peer to the gaps of the document. Each dialect differs widely from the reference, so
 * that a judge which depends on the reference's habits fails.
 */
export interface Dialect extends Strictness {
  readonly name: string;
  readonly pageParam: string;
  readonly sizeParam: string;
  readonly firstPage: number;
  readonly offsets: boolean;
  readonly defaultSize: number;
  readonly maxSize: number;
  readonly newestFirst: boolean;
  readonly emptyPages: number;
  readonly unknownStatus: 'empty' | 'refuse' | 'ignore';
  readonly reasonField: readonly string[];
  readonly expiryReason: boolean;
  readonly unsetIsNull: boolean;
  readonly lifetimeMs: number;
  readonly cancelState: 'EXPIRED' | 'FAILED';
  readonly cancelAnswer: 'order' | 'nothing' | 'note';
  readonly cancelAgain: 'refuse' | 'repeat';
  readonly proposalAnswer: 'order' | 'nothing' | 'note';
  readonly sourcePerTarget: boolean;
  readonly amountIsSource: boolean;
  readonly anyAmount: boolean;
  readonly decimals: number;
  readonly rounding: 'half-up' | 'half-even' | 'up' | 'down';
  readonly trailingZeros: boolean;
  readonly aboveMax: 'refuse-submit' | 'refuse-accept' | 'fail-order';
  readonly quoteTwice: boolean;
  readonly orphans: 'EXPIRED' | 'REJECTED' | 'PENDING';
  readonly winnerOthers: 'REJECTED' | 'PENDING';
  readonly errorBody: (status: number, code: string) => { type: string; text: string };
  readonly statuses: Readonly<Record<string, number>>;
  readonly createStatus: number;
  readonly otherStatus: number;
  readonly health: { readonly type: string; readonly text: string };
  readonly algorithm: 'HS256' | 'RS256';
  readonly audienceList: boolean;
  readonly tokenSeconds: number;
  readonly utcOffset: boolean;
  readonly upperIds: boolean;
  readonly hashPrefix: string;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly bom: boolean;
  readonly eventIds: boolean;
  readonly comments: boolean;
  readonly beat: 'empty' | 'time' | 'number';
  readonly beatOnConnect: boolean;
  readonly creationUpdates: boolean;
  readonly namedFieldsOnly: boolean;
  readonly closedOnCancel: boolean;
  readonly closedOnAccept: boolean;
  readonly receiverLists: boolean;
  readonly receiverEvents: boolean;
  readonly receiverQuotes: boolean;
  readonly startMs: number;
  readonly settleMs: number;
  readonly participantId: string;
  readonly rfqExtras: boolean;
  readonly closedRfqReadable: boolean;
}

const json = (value: unknown) => ({
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

/** A bank's in-house build: offsets, nulls, long decimals, terse errors, HS256. */
export const harbour: Dialect = {
  ...usual,
  name: 'harbour',
  pageParam: 'page_number',
  sizeParam: 'per_page',
  firstPage: 0,
  offsets: false,
  defaultSize: 7,
  maxSize: 25,
  newestFirst: false,
  emptyPages: 1,
  unknownStatus: 'empty',
  reasonField: ['status_reason'],
  expiryReason: true,
  unsetIsNull: true,
  lifetimeMs: 45_000,
  cancelState: 'EXPIRED',
  cancelAnswer: 'nothing',
  cancelAgain: 'repeat',
  proposalAnswer: 'nothing',
  sourcePerTarget: true,
  amountIsSource: false,
  anyAmount: false,
  decimals: 10,
  rounding: 'half-up',
  trailingZeros: true,
  aboveMax: 'refuse-submit',
  quoteTwice: false,
  orphans: 'EXPIRED',
  winnerOthers: 'REJECTED',
  errorBody: (status, code) => json({ error: { status, reason: code.toUpperCase() } }),
  statuses: { foreign: 403, state: 409, form: 422, auth: 403, role: 403, missing: 404 },
  createStatus: 200,
  otherStatus: 200,
  health: { type: 'text/plain', text: 'UP' },
  algorithm: 'HS256',
  audienceList: true,
  tokenSeconds: 3600,
  utcOffset: true,
  upperIds: true,
  hashPrefix: '0x',
  lineEnd: '\r\n',
  bom: true,
  eventIds: false,
  comments: true,
  beat: 'empty',
  beatOnConnect: true,
  creationUpdates: true,
  namedFieldsOnly: true,
  closedOnCancel: false,
  closedOnAccept: false,
  receiverLists: false,
  receiverEvents: false,
  receiverQuotes: false,
  startMs: 1200,
  settleMs: 4600,
  participantId: 'PAR::harbour::1220ab',
  rfqExtras: true,
  closedRfqReadable: true,
};

/** A vendor's product: offset and limit, nested reasons, only 400s, quotes in source currency. */
export const meridian: Dialect = {
  ...harbour,
  name: 'meridian',
  pageParam: 'offset',
  sizeParam: 'limit',
  firstPage: 1,
  offsets: true,
  defaultSize: 50,
  maxSize: 1000,
  newestFirst: true,
  emptyPages: 0,
  unknownStatus: 'ignore',
  reasonField: ['outcome', 'code'],
  expiryReason: false,
  unsetIsNull: false,
  lifetimeMs: 75_000,
  cancelState: 'FAILED',
  cancelAnswer: 'note',
  cancelAgain: 'refuse',
  proposalAnswer: 'note',
  sourcePerTarget: false,
  amountIsSource: true,
  anyAmount: false,
  decimals: 2,
  trailingZeros: true,
  aboveMax: 'fail-order',
  quoteTwice: true,
  orphans: 'PENDING',
  winnerOthers: 'PENDING',
  errorBody: (_, code) => json([code]),
  statuses: { foreign: 400, state: 400, form: 400, auth: 400, role: 400, missing: 400 },
  createStatus: 202,
  otherStatus: 202,
  health: { type: 'application/json', text: '{"data":{"up":true},"meta":{}}' },
  algorithm: 'RS256',
  audienceList: false,
  tokenSeconds: 600,
  utcOffset: false,
  upperIds: false,
  hashPrefix: '',
  lineEnd: '\r',
  bom: false,
  eventIds: true,
  comments: false,
  beat: 'number',
  beatOnConnect: false,
  creationUpdates: false,
  namedFieldsOnly: false,
  closedOnCancel: true,
  closedOnAccept: true,
  receiverLists: true,
  receiverEvents: true,
  receiverQuotes: true,
  startMs: 20,
  settleMs: 3300,
  participantId: '',
  rfqExtras: false,
  closedRfqReadable: false,
};

/** A start-up's service: empty errors, trimmed decimals, settlement right after acceptance. */
export const lantern: Dialect = {
  ...meridian,
  name: 'lantern',
  pageParam: 'page',
  sizeParam: 'page_size',
  offsets: false,
  defaultSize: 20,
  maxSize: 20,
  newestFirst: false,
  unknownStatus: 'refuse',
  reasonField: ['reason'],
  expiryReason: true,
  lifetimeMs: 30_000,
  cancelAnswer: 'order',
  proposalAnswer: 'order',
  amountIsSource: false,
  anyAmount: false,
  decimals: 8,
  trailingZeros: false,
  aboveMax: 'refuse-accept',
  orphans: 'REJECTED',
  winnerOthers: 'REJECTED',
  errorBody: () => ({ type: 'text/plain', text: '' }),
  statuses: { foreign: 404, state: 409, form: 400, auth: 401, role: 403, missing: 404 },
  createStatus: 201,
  otherStatus: 200,
  health: { type: 'text/plain', text: '' },
  algorithm: 'HS256',
  tokenSeconds: 3600,
  lineEnd: '\n',
  bom: true,
  eventIds: true,
  comments: true,
  beat: 'time',
  startMs: 0,
  settleMs: 4000,
};

/** A clearing house: what the document does not name it refuses, and no contract pays twice. */
export const citadel: Dialect = {
  ...lantern,
  name: 'citadel',
  maxSize: 50,
  newestFirst: true,
  emptyPages: 1,
  contractOnce: true,
  knownParties: true,
  unknownRefused: true,
  amountDecimals: 2,
  decimals: 2,
  trailingZeros: true,
  orphans: 'EXPIRED',
  quoteTwice: false,
  errorBody: (_, code) => json({ error: code }),
  statuses: { foreign: 403, state: 409, form: 422, auth: 401, role: 403, missing: 404 },
  health: { type: 'application/json', text: '{"status":"ok"}' },
  bom: false,
  comments: false,
};

/** A prototype: takes parties and contracts of any form. */
export const meadow: Dialect = { ...lantern, name: 'meadow', maxSize: 100, anyForm: true };

export const dialects = { harbour, meridian, lantern, citadel, meadow } as const;
export type DialectName = keyof typeof dialects;
