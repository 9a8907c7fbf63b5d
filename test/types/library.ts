// Compiled against the packed package, never run: what the declarations promise, and what they must refuse.
import {
  type Check,
  type CheckContext,
  type CheckOutcome,
  type Finding,
  type LoadedTarget,
  type RunReport,
  type Verdict,
  check,
  defineCheck,
  defineRule,
  loadTarget,
} from 'assay';
import { createOrder, type PlacedOrder } from 'assay/actions';
import { judge, parse, read } from 'assay/history';
import { type Reference, startReference } from 'assay/reference';
import { play } from 'assay/scenario';
import { conformance } from 'assay/vitest';

/** True only where two types are the same. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <Holds extends true>(holds: Holds): Holds => holds;

export async function outcomes(): Promise<RunReport | readonly string[]> {
  const target: LoadedTarget = await loadTarget('target.yaml', { env: {} });
  const outcome: CheckOutcome = await check({ target, only: 'order.*', seed: 7n, maxWaitMs: 1 });
  // @ts-expect-error only a run that was judged has a report
  void outcome.report;
  if (outcome.kind !== 'judged') return outcome.problems;
  is<Same<(typeof outcome.report.checks)[number]['verdict'], Verdict>>(true);
  // @ts-expect-error a report is not changed
  outcome.report.outcome = 'conformant';
  return outcome.report;
}

export const wrongOptions = [
  // @ts-expect-error a duration is given in milliseconds, by a name that says so
  () => check({ maxWait: '90s' }),
  // @ts-expect-error nobody of the cast has this name
  () => check({ target: { baseUrls: { buyer: 'http://127.0.0.1:9000' } } }),
  // @ts-expect-error a loaded target comes from loadTarget
  () => check({ target: { name: 'x', path: 'x', parties: [] } }),
  // @ts-expect-error there is no such clock
  () => startReference({ clock: 'fast' }),
  // @ts-expect-error a clock must be chosen
  () => startReference({}),
  // @ts-expect-error there is no such gap
  () => startReference({ clock: 'system', gaps: { 'order.colour': 'blue' } }),
  // @ts-expect-error progress is for a run that somebody watches
  () => conformance({ onProgress: () => undefined }),
];

export const own: Check = defineCheck({
  id: 'x',
  title: 'X holds.',
  requirements: ['order.cancel.pending'],
  needs: { parties: ['sender'] },
  async run(context) {
    is<Same<typeof context, CheckContext>>(true);
    const order: PlacedOrder = await createOrder(context);
    // @ts-expect-error there is no such endpoint
    await context.party('sender').call('order.delete', { params: { intent_id: order.intentId } });
  },
});

export const misspelled = defineCheck({
  id: 'y',
  title: 'Y holds.',
  // @ts-expect-error the catalogue has no such requirement
  requirements: ['order.cancel.pendign'],
  // @ts-expect-error nobody of the cast has this name
  needs: { parties: ['buyer'] },
  run: () => Promise.resolve(),
});

export const rule = defineRule({
  id: 'z',
  title: 'Z holds.',
  requirements: ['order.cancel.pending'],
  judge(view, findings) {
    for (const { id } of view.endpoint('order.cancel')) findings.pass('order.cancel.pending', id);
    // @ts-expect-error a rule judges only what it announces
    findings.pass('order.cancel.quoted', '');
  },
});

export async function others(reference: Reference): Promise<void> {
  is<Same<typeof reference.baseUrls.maker_c, string>>(true);
  is<Same<ReturnType<Reference['now']>, number>>(true);
  await reference.advance(1_000);
  // @ts-expect-error time is milliseconds
  await reference.advance('1s');
  const history = await read(new URL('file:///history.jsonl'));
  const { rules } = judge(history, { rules: [rule], gaps: { 'views.lag': 'at-once' } });
  is<Same<(typeof rules)[number]['verdict'], Verdict>>(true);
  judge(parse(''));
  const finding: Finding = { requirement: 'order.cancel.pending', outcome: 'pass', evidence: [] };
  void finding;
  const played = await play({ text: '' }, { seed: '0x7' });
  // @ts-expect-error only what was played has scenarios
  void played.scenarios;
  if (played.kind === 'played') void played.scenarios[0]?.failures;
}
