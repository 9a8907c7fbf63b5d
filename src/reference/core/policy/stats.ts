import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Decimal } from '../money.ts';
import type { StatsFigures } from './policy.ts';

const subjects = { institution: 'orders', custodian: 'orders', 'market-maker': 'quotes' } as const;

const written = (sums: ReadonlyMap<string, Decimal>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => [currency, sum.toFixed()]),
  );

const lower = (counts: Readonly<Record<string, number>>, suffix: string) =>
  Object.fromEntries(
    Object.entries(counts).map(([status, count]) => [`${status.toLowerCase()}${suffix}`, count]),
  );

/** Counts by state, settlements, and settled volume by currency (2.8). */
export const statsView: Record<Assignment['stats.fields'], (figures: StatsFigures) => object> = {
  flat: ({ role, total, byStatus, settlements, volume }) => ({
    [`total_${subjects[role]}`]: total,
    ...lower(byStatus, `_${subjects[role]}`),
    settlements,
    settled_source_volume: written(volume.source),
    settled_target_volume: written(volume.target),
  }),
  nested: ({ role, total, byStatus, settlements, volume }) => ({
    [subjects[role]]: { total, by_status: byStatus },
    settlements: {
      total: settlements,
      volume: { source: written(volume.source), target: written(volume.target) },
    },
  }),
};
