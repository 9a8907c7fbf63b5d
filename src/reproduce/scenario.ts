import { formatDuration } from '../yaml/index.ts';
import { headOf } from './head.ts';
import { callLines, isPlainAction, reference, tokenLines } from './scenario-calls.ts';
import { matcherText, nested, type ScenarioNames } from './scenario-values.ts';
import {
  type Claim,
  isPlayable,
  type ListenStep,
  type Reproduction,
  type ReproStep,
} from './steps.ts';

/** A failure as a scenario that fails for it. */
export function scenarioText(reproduction: Reproduction): string {
  const { shown, steps } = reproduction;
  const claims = reproduction.claims.filter(isPlayable);
  const calls = steps.filter((step) => step.kind === 'call');
  const names: ScenarioNames = {
    actions: new Set(calls.filter(isPlainAction).map(({ name }) => name)),
    steps: new Map(steps.flatMap((step) => (step.kind === 'wait' ? [] : [[step.name, step]]))),
  };
  const used = new Set<string>(referredIn([steps.map(withoutRecord), claims]));
  const listeners = steps.filter((step) => step.kind === 'listen' && step.isOwn);
  const lines = steps.flatMap((step, index) => {
    if (step.kind === 'wait') return [`- wait: ${formatDuration(step.ms)}`];
    const own = claims.filter((claim) => claim.kind !== 'event' && claim.step === step.name);
    if (step.kind === 'listen') return listenLines(step, names);
    const isFirst = steps.findIndex(({ kind }) => kind === 'call') === index;
    return callLines(step, own, { names, used, needsOne: claims.length === 0 && isFirst });
  });
  const events = claims.flatMap((claim) =>
    claim.kind === 'event' ? eventLines(claim, names) : [],
  );
  const parties = [...new Set(listeners.map((step) => ('party' in step ? step.party : '')))];
  return [
    ...headOf(reproduction),
    `scenario: ${JSON.stringify(shown.summary.replaceAll('$', '$$$$'))}`,
    `verifies: [${shown.requirement}]`,
    ...(parties.length > 0 ? [`parties: [${parties.join(', ')}]`] : []),
    'steps:',
    ...[...tokenLines(calls), ...lines, ...events].map((line) => `  ${line}`),
    '',
  ].join('\n');
}

const withoutRecord = (step: ReproStep): unknown =>
  step.kind === 'wait' ? undefined : { ...step, recorded: undefined };

/** The steps that something refers to. */
function referredIn(piece: unknown): string[] {
  if (Array.isArray(piece)) return piece.flatMap(referredIn);
  if (typeof piece !== 'object' || piece === null) return [];
  const { kind, step } = piece as { kind?: unknown; step?: unknown };
  const own =
    (kind === 'answer' || kind === 'sent' || kind === 'issued') && typeof step === 'string'
      ? [step]
      : [];
  return [...own, ...Object.values(piece).flatMap(referredIn)];
}

function listenLines(step: ListenStep, names: ScenarioNames): string[] {
  if (step.isOwn || step.intentId?.kind === 'plain') return [];
  return [
    `- ${step.party}: open stream`,
    ...(step.intentId ? [`  limit_to: ${reference(step.intentId, names)}`] : []),
    `  save: ${step.name}`,
  ];
}

function eventLines(claim: Extract<Claim, { kind: 'event' }>, names: ScenarioNames): string[] {
  const stream = names.steps.get(claim.stream);
  if (stream?.kind !== 'listen') return [];
  const payload = claim.fields.map(([path, test]) => nested(path, matcherText(test, names), names));
  const [first] = payload;
  const event = first === undefined ? claim.event : `{ ${claim.event}: ${first} }`;
  const within = formatDuration(claim.withinMs);
  const must =
    claim.must === 'come'
      ? [`in_any_order: [${event}]`, `within: ${within}`]
      : claim.must === 'not come'
        ? [`never: [${event}]`, `for: ${within}`]
        : [`count: { ${claim.event}: ${claim.must} }`, `for: ${within}`];
  return [
    `- expect: ${stream.party} sees`,
    ...(stream.isOwn ? [] : [`  on: $${claim.stream}`]),
    ...(claim.of ? [`  of: ${reference(claim.of, names)}`] : []),
    ...must.map((line) => `  ${line}`),
  ];
}
