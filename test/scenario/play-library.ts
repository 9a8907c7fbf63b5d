import { findScenarios, loadScenarios } from '../../src/cli/play/scenario-files.ts';
import { playEmbedded } from '../../src/run/play-embedded.ts';
import type { Scenario } from '../../src/scenario/language/load.ts';
import { recordingTerminal } from './recording-terminal.ts';

const terminal = recordingTerminal();

/** The scenarios of some files and folders. */
export function loaded(...words: readonly string[]): readonly Scenario[] {
  const files = findScenarios([...words], terminal);
  const found = files && loadScenarios(files, terminal);
  if (!found) throw new Error(terminal.text());
  return found.scenarios;
}

/** Takes seconds of the host's, for hundreds of orders. */
export const isLoad = ({ draft }: Scenario): boolean =>
  draft.tags.some(({ value }) => value === 'load');

/** Plays scenarios on the embedded reference; returns failures, findings and the target time. */
export async function played(
  scenarios: readonly Scenario[],
): Promise<{ readonly bad: readonly string[]; readonly targetMs: number }> {
  const judged = await playEmbedded(scenarios, {
    seed: 1n,
    keepsRecords: false,
    onPlayed: () => undefined,
  });
  const bad = judged.flatMap(({ played: one, rules }) => [
    ...(one.verdict === 'pass'
      ? []
      : [`${one.scenario.id}: ${one.verdict} ${one.reason ?? one.failures[0]?.message ?? ''}`]),
    ...rules.flatMap(({ id, verdict, failures }) =>
      verdict === 'fail' || verdict === 'error'
        ? [`${one.scenario.id}: rule ${id}: ${failures[0]?.message ?? verdict}`]
        : [],
    ),
  ]);
  return { bad, targetMs: judged.reduce((sum, { played: one }) => sum + one.targetMs, 0) };
}
