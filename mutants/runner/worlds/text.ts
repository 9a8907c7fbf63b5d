import type { Mutation, Written } from '../../mutation.ts';
import type { HuntResult } from './hunt.ts';

/** Median; for an even count the smaller of the two middle numbers. */
export function median(numbers: readonly number[]): number | undefined {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

const share = (some: number, all: number): string =>
  all === 0 ? '-' : `${Math.round((100 * some) / all)} %`;

const foundOf = (results: readonly HuntResult[]): readonly number[] =>
  results.flatMap(({ foundAfter }) => foundAfter ?? []);

/** One line for each canary, then the totals, then the canaries that no world showed. */
export function canaryText(
  canaries: readonly Written[],
  results: readonly HuntResult[],
  seeds: number,
): readonly string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const width = Math.max(...canaries.map(({ id }) => id.length));
  const lines = canaries.map(({ id }) => {
    const { foundAfter, finding, broke } = byId.get(id) ?? {};
    const after = foundAfter === undefined ? (broke ? 'broke' : '-') : String(foundAfter);
    return `${id.padEnd(width)}  ${after.padStart(6)}  ${finding?.cause ?? broke ?? ''}`;
  });
  const found = foundOf(results);
  const half = median(found);
  const last = found.length === 0 ? '' : `, at the latest after ${Math.max(...found)}`;
  const missed = canaries.filter(({ id }) => byId.get(id)?.foundAfter === undefined);
  return [
    ...lines,
    '',
    `canaries ${canaries.length}: found ${found.length} within ${seeds} seeds` +
      (half === undefined ? '' : `, half of them after ${half}${last}`),
    ...missed.map(({ id, summary }) => `not found: ${id}: ${summary}`),
  ];
}

/** No scenario of a canary should be longer. */
const mostSteps = 8;

/**
 * The smallest world and the scenario of each canary, then the number of short scenarios, then the canaries without
 * one.
 */
export function scenarioTable(
  canaries: readonly Written[],
  results: readonly HuntResult[],
): readonly string[] {
  const byId = new Map(results.map((result) => [result.id, result]));
  const width = Math.max(...canaries.map(({ id }) => id.length));
  const rows = canaries.map(({ id }) => {
    const { shrunk, foundAfter, broke } = byId.get(id) ?? {};
    const missing = broke ?? (foundAfter === undefined ? 'no world shows it' : undefined);
    const steps = shrunk?.steps;
    const isShort = steps !== undefined && steps <= mostSteps;
    const why = missing ?? shrunk?.why ?? (isShort ? '' : `more than ${mostSteps} steps`);
    const cells = [shrunk?.planned ?? '-', steps ?? '-', shrunk?.proof ?? '-'];
    const line = `${id.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(8)).join('')}  ${why}`;
    return { line: line.trimEnd(), isShort };
  });
  const short = rows.filter(({ isShort }) => isShort).length;
  return [
    `${'canary'.padEnd(width)}  ${['planned', 'steps', 'proof'].map((cell) => cell.padStart(8)).join('')}`,
    ...rows.map(({ line }) => line),
    '',
    `canaries ${canaries.length}: ${short} have a scenario of at most ${mostSteps} steps that fails with the defect and passes without it`,
  ];
}

/** Share of the mutations that worlds found, by the part of the document that they break. */
export function mutationShares(
  mutations: readonly Mutation[],
  results: readonly HuntResult[],
  seeds: number,
): readonly string[] {
  const found = new Set(
    results.filter(({ foundAfter }) => foundAfter !== undefined).map(({ id }) => id),
  );
  const parts = [...new Set(mutations.map(({ part }) => part))].toSorted();
  const count = (some: readonly Mutation[]): number =>
    some.filter(({ id }) => found.has(id)).length;
  const rows = parts.map((part) => {
    const own = mutations.filter((one) => one.part === part);
    const first = `part ${part}`.padEnd(10);
    return `${first} ${String(count(own)).padStart(4)} of ${String(own.length).padEnd(4)} ${share(count(own), own.length)}`;
  });
  const half = median(foundOf(results));
  const all = mutations.length;
  return [
    ...rows,
    '',
    `mutations ${all}: found by worlds ${count(mutations)} within ${seeds} seeds, ${share(count(mutations), all)}` +
      (half === undefined ? '' : `; half of those after ${half}`),
    ...mutations
      .filter(({ id }) => !found.has(id))
      .map((one) => `not found: ${one.part} ${one.id}`),
  ];
}
