import { describe, expect, test } from 'vitest';
import type { Exchange, History, HistoryRecord, Span } from '../../history/records.ts';
import { castNames } from '../../spec/requirements/index.ts';
import { defects } from '../../../test/support/oracle/defects.ts';
import {
  altered,
  fullTrade,
  judge,
  outcomes,
} from '../../../test/support/oracle/findings-and-edits.ts';

const always: Span = { sent: 0, received: Number.MAX_SAFE_INTEGER };
const momentOf = (record: HistoryRecord): number =>
  record.kind === 'end' ? record.at : record.kind === 'frame' ? record.received : record.sent;

/** A recording by another tool: records may be missing, and `precededBy` always is. */
const recordedWhere = (history: History, keeps: (record: HistoryRecord) => boolean): History =>
  altered(history, (record) => {
    if (!keeps(record)) return undefined;
    if (record.kind !== 'exchange') return record;
    const { precededBy: _, ...rest } = record;
    return rest;
  });

const failing = (history: History, recorded?: (party: string) => readonly Span[]) =>
  judge(history, recorded && { recorded })
    .filter(({ outcome }) => outcome === 'fail')
    .map(({ requirement, message }) => `${requirement}: ${message}`);

describe('a recording of some parties of a correct target', () => {
  const life = fullTrade();
  const recordedOf = (names: readonly string[]) => (party: string) =>
    names.includes(party) ? [always] : [];

  test.each(castNames)(
    'blames nobody for actions of unrecorded parties: %s alone, and all but %s',
    (name) => {
      const others: readonly string[] = castNames.filter((one) => one !== name);
      for (const names of [[name], others]) {
        const part = recordedWhere(life, ({ party }) => names.includes(party));
        expect(failing(part, recordedOf(names))).toEqual([]);
      }
    },
  );

  test('blames nobody if each party is recorded for a part of the time', () => {
    const times = life.records.map(momentOf);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    for (const share of [0.25, 0.6]) {
      const turn = first + share * (last - first);
      for (const name of ['sender', 'sender_custodian', 'maker_a']) {
        for (const span of [
          { sent: first, received: turn },
          { sent: turn, received: last },
        ]) {
          const isKept = (record: HistoryRecord): boolean =>
            record.party !== name ||
            (momentOf(record) >= span.sent && momentOf(record) <= span.received);
          const recorded = (party: string) => [party === name ? span : always];
          expect(failing(recordedWhere(life, isKept), recorded)).toEqual([]);
        }
      }
    }
  });

  test('blames wrongly if the recorded parties are taken for all parties', () => {
    const part = recordedWhere(life, ({ party }) => party === 'sender');
    expect(failing(part).length).toBeGreaterThan(0);
  });

  test('finds nearly every defect if all parties are recorded', () => {
    const some = defects.filter((_, index) => index % 9 === 0);
    const recorded = () => [always];
    const found = some.filter(([, requirement, breaking]) =>
      outcomes(breaking(life), requirement, { recorded }).includes('fail'),
    );
    expect(found.length / some.length).toBeGreaterThan(0.95);
  });
});

describe('the unrecorded custodian of a recorded sender', () => {
  const life = fullTrade();
  const alone = recordedWhere(life, ({ party }) => party === 'sender');
  const isAcceptance = (record: HistoryRecord): record is Exchange =>
    record.kind === 'exchange' && record.endpoint === 'quote.accept';

  test('may have accepted at any time while it was not recorded', () => {
    const acceptance = life.records.find(
      (record) => isAcceptance(record) && record.party === 'sender_custodian',
    );
    const at = acceptance ? momentOf(acceptance) : 0;
    const blamed = (recorded: readonly Span[]) =>
      failing(alone, (party) => (party === 'sender_custodian' ? recorded : [always]));
    expect(blamed([])).toEqual([]);
    expect(blamed([{ sent: 0, received: at - 1 }])).toEqual([]);
    expect(blamed([{ sent: at + 60_000, received: always.received }])).toEqual([]);
    expect(blamed([always]).join('\n')).toContain('though nobody accepted a quote');
  });
});
