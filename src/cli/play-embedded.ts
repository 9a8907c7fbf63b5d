import type { HistoryRecord } from '../history/records.ts';
import { random } from '../runtime/random.ts';
import { planOf } from '../scenario/plan.ts';
import type { Scenario } from '../scenario/language/load.ts';
import { play } from '../scenario/run/play.ts';
import type { GapId } from '../spec/gaps/index.ts';
import { assign } from '../target/assignment.ts';
import { openEmbedded } from '../target/embedded.ts';
import { type Judged, judgeByRules, type PlayInputs } from './play-run.ts';

/** Each scenario in a world of its own, one after another: a fresh reference with the answers that it asks for. */
export async function playEmbedded(
  scenarios: readonly Scenario[],
  inputs: PlayInputs,
): Promise<readonly Judged[]> {
  const results: Judged[] = [];
  for (const scenario of scenarios) {
    const answers = assign(
      Object.fromEntries(scenario.draft.gaps.map(({ key, value }) => [key, value.value])),
    );
    const opened = await openEmbedded({
      seed: inputs.seed,
      assignment: answers,
      listening: false,
      reaches: planOf(scenario).reaches,
      ...(inputs.maxWaitMs !== undefined && { maxWaitMs: inputs.maxWaitMs }),
    });
    try {
      // What a reference was built with need not be found out.
      const target = { ...opened, answers: { get: (gap: GapId) => answers[gap] } };
      const played = await play(scenario, {
        target,
        random: random(inputs.seed),
        reference: opened.hooks,
      });
      const seen = opened.history.records;
      const records = inputs.keepsRecords
        ? seen.map((record) => renamed(record, scenario.id))
        : seen;
      const judged = { played, records, rules: judgeByRules(target, records, played.disturbed) };
      inputs.onPlayed(judged);
      results.push(inputs.keepsRecords ? judged : { ...judged, records: [] });
    } finally {
      await opened.close();
    }
  }
  return results;
}

/** What a party does by itself has the same id in every world; under the scenario's name it is told apart. */
function renamed(record: HistoryRecord, scenario: string): HistoryRecord {
  const own = (id: string): string => (id.startsWith('party.') ? `${scenario} ${id}` : id);
  switch (record.kind) {
    case 'exchange':
      return { ...record, id: own(record.id) };
    case 'frame':
      return { ...record, id: own(record.id), stream: own(record.stream) };
    case 'end':
      return { ...record, stream: own(record.stream) };
  }
}
