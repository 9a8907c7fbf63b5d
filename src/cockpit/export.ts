import { isRefusal } from '../protocol/answers.ts';
import type { Exchange } from '../history/records.ts';
import { stepsOf } from '../reproduce/steps-of-history.ts';
import type { WrittenStep } from '../reproduce/collapse-repeats.ts';
import { scenarioFile } from '../reproduce/scenario.ts';
import { callSteps, isPlainAction } from '../reproduce/scenario-calls.ts';
import { literalText, type ScenarioNames } from '../reproduce/scenario-values.ts';
import { type CallStep, type Claim, referredIn } from '../reproduce/steps.ts';
import { controlsOf } from '../run/failures-of-check.ts';
import { partyIdsOf } from '../run/try-failure.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { formatDuration } from '../yaml/index.ts';
import { faultWriter } from './export-faults.ts';
import type { Line } from './line-entry.ts';
import { drivers } from './row-of.ts';
import type { Board, BoardOrder } from './view/board.ts';

export interface ExportInputs {
  readonly target: OpenedTarget;
  readonly line: Pick<Line, 'entries' | 'end' | 'answers'>;
  readonly board: Board;
  /** Start of the line, in milliseconds since the epoch. */
  readonly began: number;
}

const ours: readonly string[] = Object.values(drivers);

/**
 * Exports a line as a scenario: the same calls and faults with the same pauses, and at the end the current state of
 * every order. On the reference it ends in the same state. If there is nothing to play, the text is a single comment
 * (`#`) with the reason.
 */
export function exportScenario(inputs: ExportInputs): string {
  const { target, line, board, began } = inputs;
  const calls = callsOf(target);
  if (calls.length === 0) return '# nothing was done yet\n';
  const created = new Map(
    calls.flatMap((step) => (createdBy(step) ? [[createdBy(step) ?? '', step] as const] : [])),
  );
  const names: ScenarioNames = {
    actions: new Set(calls.filter(isPlainAction).map(({ name }) => name)),
    steps: new Map(calls.map((step) => [step.name, step])),
  };
  const used = new Set([...referredIn(calls), ...[...created.values()].map(({ name }) => name)]);
  const faults = faultWriter(line.entries, created);
  const steps: WrittenStep[] = [];
  let until = began;
  const wait = (instant: number): void => {
    const ms = Math.round(instant - until);
    if (ms > 0) steps.push({ wait: formatDuration(ms) });
    until = Math.max(until, instant);
  };
  const strike = (place: number): void => {
    for (const { at, steps: struck } of faults.before(place)) {
      wait(at);
      steps.push(...struck);
    }
  };
  for (const [index, step] of calls.entries()) {
    strike(step.recorded.precededBy ?? 0);
    wait(step.recorded.sent);
    if (step.recorded.endpoint === 'order.create') steps.push(...faults.ofNext());
    const needsOne = index === 0 && created.size === 0;
    steps.push(...callSteps(step, claimsOf(step), { names, used, needsOne }));
  }
  strike(Number.POSITIVE_INFINITY);
  wait(line.end);
  for (const [id, step] of created) {
    const order = board.orders.get(id);
    if (order) steps.push(endOf(order, step));
  }
  return scenarioFile(
    ['Exported from the cockpit: what was done there, with its pauses, and how every order ended.'],
    { ...headOf(inputs, calls), steps },
  );
}

function callsOf(target: OpenedTarget): readonly CallStep[] {
  const exchanges = target.history.records
    .filter((record): record is Exchange => record.kind === 'exchange' && ours.includes(record.by))
    .toSorted((a, b) => a.sent - b.sent || (a.precededBy ?? 0) - (b.precededBy ?? 0));
  const known = {
    partyIds: partyIdsOf(target),
    aheadMs: target.clock.offset.least,
    controls: controlsOf(target.controls),
  };
  const steps = stepsOf({ exchanges, needed: new Set(), resumed: new Map() }, known);
  return steps.filter((step) => step.kind === 'call');
}

const createdBy = ({ recorded }: CallStep): string | undefined => {
  if (recorded.endpoint !== 'order.create') return undefined;
  const body = recorded.response?.body as { readonly data?: { readonly intent_id?: unknown } };
  const id = body?.data?.intent_id;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
};

/** A refused call must be refused again. Other results need no claim: a step expects success by default. */
const claimsOf = ({ name, recorded }: CallStep): readonly Claim[] =>
  isRefusal(recorded) ? [{ kind: 'status', step: name, must: 'be refused' }] : [];

/** Fields of an order that have the same final value in every run. */
const endFields = ['fx_rate', 'source_amount_actual'] as const;

function endOf({ facts, status }: BoardOrder, { name, party }: CallStep): WrittenStep {
  const fields = endFields.flatMap((field) => {
    const value = facts[field];
    return value === undefined ? [] : [[field, { decimal: value }] as const];
  });
  return {
    [party]: 'read order',
    of: `$${name}`,
    expect: { status, ...Object.fromEntries(fields) },
  };
}

const headOf = ({ target, line }: ExportInputs, calls: readonly CallStep[]) => ({
  scenario: literalText(`Done by hand on ${target.name}`),
  parties: [...new Set(calls.map(({ party }) => party))],
  ...(target.clock.kind !== 'system' && { needs: { clock: 'driven' } }),
  ...(Object.keys(line.answers).length > 0 && { gaps: line.answers }),
});
