import type { Target } from '../client/contract.ts';
import type { Exchange } from '../history/records.ts';
import type { AnswerBook } from './discovery/answers.ts';
import type { Sight } from './discovery/sights.ts';

/** A target opened and reached, with what it takes to judge it. */
export interface OpenedTarget {
  readonly target: Target;
  readonly book: AnswerBook;
  /** Answers to gaps that no history shows, such as the algorithm of a masked token. */
  readonly sights: readonly Sight[];
  /** Whether an order was pushed off its path by a control. */
  disturbed(intentId: string): boolean;
}

export type Opening =
  | ({ readonly ok: true } & OpenedTarget)
  | {
      readonly ok: false;
      /** `unreachable`: could not be judged. `misconfigured`: the target file or the command says otherwise. */
      readonly kind: 'unreachable' | 'misconfigured';
      /** Each a text for a person, of one or more lines. */
      readonly problems: readonly string[];
    };

type Controls = Target['controls'];

/** Remembers which orders a control was aimed at: by the fields they were created with, or by a call. */
export function disturbances(controls: Controls, records: () => Target['history']['records']) {
  const called = new Set<string>();
  const fields = Object.values(controls).flatMap(({ order }) =>
    order ? [Object.entries(order)] : [],
  );
  const marked = new Set<string>();
  let read = 0;

  const matches = ({ request }: Exchange): boolean =>
    fields.some((entries) =>
      entries.every(
        ([key, value]) => (request.body as Record<string, unknown> | undefined)?.[key] === value,
      ),
    );

  /** What was recorded since the last look. */
  function catchUp(): void {
    const all = records();
    for (; read < all.length; read += 1) {
      const record = all[read];
      if (record?.kind !== 'exchange' || record.endpoint !== 'order.create') continue;
      const body = record.response?.body as { data?: { intent_id?: unknown } } | undefined;
      const id = body?.data?.intent_id;
      if (typeof id === 'string' && matches(record)) marked.add(id);
    }
  }

  const watched: Controls = Object.fromEntries(
    Object.entries(controls).map(([name, control]) => {
      const { call } = control;
      if (!call) return [name, control];
      const noted = async (intentId: string): Promise<Exchange> => {
        called.add(intentId);
        return call(intentId);
      };
      return [name, { ...control, call: noted }];
    }),
  );

  return {
    controls: watched,
    disturbed(intentId: string): boolean {
      catchUp();
      return marked.has(intentId) || called.has(intentId);
    },
  };
}
