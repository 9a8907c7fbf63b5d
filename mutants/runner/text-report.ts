import { changesText } from './job.ts';
import { type AssignmentResult, type MutationResult } from './results.ts';

/** Findings as text for a terminal. */

const few = (some: readonly string[], most: number): string =>
  some.length <= most
    ? some.join(', ')
    : `${some.slice(0, most).join(', ')} and ${some.length - most} more`;

export function mutationText(found: readonly MutationResult[]): string[] {
  const lines: string[] = [];
  for (const { mutation, caught, broken, broke } of found) {
    if (caught !== 'named') {
      const what = caught === 'missed' ? 'MISSED   ' : 'otherwise';
      lines.push(`  ${what} ${mutation.id} (${mutation.part}): ${mutation.summary}`);
      lines.push(`            breaks ${mutation.breaks.join(', ')}`);
      if (broken.length > 0) lines.push(`            found ${few(broken, 4)}`);
    }
    if (broke.length > 0) lines.push(`  BROKE     ${mutation.id}: ${few(broke, 2)}`);
  }
  return lines;
}

export const caughtText = (found: readonly MutationResult[]): string[] =>
  found
    .filter(({ caught }) => caught === 'named')
    .map(({ mutation, broken }) => `  ${mutation.id}: ${few(broken, 5)}`);

export const assignmentText = (found: readonly AssignmentResult[]): string[] =>
  found.flatMap(({ name, changes, outcome, falseAlarms, misread, broke }) => {
    const off = [...falseAlarms, ...misread, ...broke];
    if (off.length === 0 && outcome === 'conformant') return [];
    return [
      `  ${name}: ${outcome}`,
      ...(Object.keys(changes).length > 1 ? [`    ${changesText(changes)}`] : []),
      ...falseAlarms.map((flip) => `    ${flip.verdict} ${flip.requirement}: ${flip.message}`),
      ...misread.map((what) => `    misread: ${what}`),
      ...broke.slice(0, 3).map((what) => `    broke: ${what}`),
    ];
  });
