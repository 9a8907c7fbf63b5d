import { random } from '../../src/random/random.ts';
import { type Dialect, harbour, lantern, meridian } from './dialect.ts';

type Choices = { readonly [Field in keyof Dialect]?: readonly Dialect[Field][] };

/** Answers that the document allows, each independent of the others. */
const choices: Choices = {
  defaultSize: [3, 7, 20, 50],
  newestFirst: [true, false],
  emptyPages: [0, 1],
  unknownStatus: ['empty', 'refuse', 'ignore'],
  reasonField: [['status_reason'], ['outcome', 'code'], ['reason'], ['failure', 'reason']],
  expiryReason: [true, false],
  unsetIsNull: [true, false],
  lifetimeMs: [30_000, 45_000, 75_000, 120_000],
  cancelState: ['EXPIRED', 'FAILED'],
  cancelAnswer: ['order', 'nothing', 'note'],
  cancelAgain: ['refuse', 'repeat'],
  proposalAnswer: ['order', 'nothing', 'note'],
  sourcePerTarget: [true, false],
  amountIsSource: [true, false],
  decimals: [2, 4, 6, 8, 10],
  rounding: ['half-up', 'half-even', 'up', 'down'],
  trailingZeros: [true, false],
  aboveMax: ['refuse-submit', 'refuse-accept', 'fail-order'],
  quoteTwice: [true, false],
  orphans: ['EXPIRED', 'REJECTED', 'PENDING'],
  winnerOthers: ['REJECTED', 'PENDING'],
  errorBody: [harbour.errorBody, meridian.errorBody, lantern.errorBody],
  statuses: [harbour.statuses, meridian.statuses, lantern.statuses],
  createStatus: [200, 201, 202],
  otherStatus: [200, 202],
  health: [harbour.health, meridian.health, lantern.health],
  algorithm: ['HS256', 'RS256'],
  audienceList: [true, false],
  tokenSeconds: [600, 1_800, 3_600],
  utcOffset: [true, false],
  upperIds: [true, false],
  hashPrefix: ['', '0x'],
  lineEnd: ['\n', '\r\n', '\r'],
  bom: [true, false],
  eventIds: [true, false],
  comments: [true, false],
  beat: ['empty', 'time', 'number'],
  beatOnConnect: [true, false],
  creationUpdates: [true, false],
  namedFieldsOnly: [true, false],
  closedOnCancel: [true, false],
  closedOnAccept: [true, false],
  receiverLists: [true, false],
  receiverEvents: [true, false],
  receiverQuotes: [true, false],
  startMs: [0, 20, 600, 1_200],
  settleMs: [3_300, 4_000, 4_600],
  participantId: ['', 'PAR::drawn::1220ab'],
  rfqExtras: [true, false],
  closedRfqReadable: [true, false],
};

/** A correct peer that answers as no house of ours does: every answer drawn by itself. */
export function drawnDialect(seed: number): Dialect {
  const draws = random(BigInt(seed)).fork('dialect');
  const base = draws.pick([harbour, meridian, lantern]);
  const drawn = Object.fromEntries(
    Object.entries(choices).map(([field, values]) => [field, draws.pick(values as unknown[])]),
  );
  return { ...base, ...drawn, name: `drawn-${seed}` } as Dialect;
}
