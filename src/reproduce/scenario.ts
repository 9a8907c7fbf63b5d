import { endpoints } from '../spec/endpoints.ts';
import { wordsForFault } from '../faults/faults.ts';
import { formatDuration, writeYaml } from '../yaml/index.ts';
import { collapseRepeats, type WrittenStep } from './collapse-repeats.ts';
import { callSteps, credentialText, isPlainAction, tokenSteps } from './scenario-calls.ts';
import {
  expression,
  literalText,
  type Matcher,
  matcherAt,
  matcherOf,
  type ScenarioNames,
  valueOf,
} from './scenario-values.ts';
import {
  isNamed,
  judgedAfter,
  objectsIn,
  referredIn,
  type Claim,
  type ClaimOf,
  type ListenStep,
  type NamedStep,
  type ReproStep,
  type Reproduction,
  type WaitStep,
} from './steps.ts';

/** A failure as a scenario that fails for it. */
export function scenarioText(reproduction: Reproduction): string {
  const { shown, answers = {} } = reproduction;
  return scenarioFile(headOf(reproduction), {
    scenario: literalText(shown.summary),
    ...(shown.requirement !== '' && { verifies: [shown.requirement] }),
    ...(Object.keys(answers).length > 0 && { gaps: answers }),
    ...flowOf(reproduction),
  });
}

/** Text of a scenario. `comments`: lines at the top, for a reader. */
export const scenarioFile = (
  comments: readonly string[],
  scenario: Readonly<Record<string, unknown>>,
): string => [...comments.map((line) => `# ${line}`), writeYaml(scenario)].join('\n');

/** Parts of a scenario that steps and claims make. */
interface Flow {
  /** Parties with a stream of their own. Absent: none. */
  readonly parties?: readonly string[];
  readonly steps: readonly WrittenStep[];
}

export function flowOf({ steps, claims }: Pick<Reproduction, 'steps' | 'claims'>): Flow {
  const calls = steps.filter((step) => step.kind === 'call');
  const whole: ReadonlySet<unknown> = new Set(aroundData([steps, claims]));
  const names: ScenarioNames = {
    actions: new Set(
      calls.filter((step) => isPlainAction(step) && !whole.has(step.name)).map(({ name }) => name),
    ),
    steps: new Map(steps.flatMap((step) => (isNamed(step) ? [[step.name, step]] : []))),
  };
  const used = new Set<string>(referredIn([steps, claims]));
  const refusable = new Set(claims.flatMap((one) => (one.kind === 'status' ? [one.step] : [])));
  const parties = steps.flatMap((step) =>
    step.kind === 'listen' && step.isOwn && !refusable.has(step.name) ? [step.party] : [],
  );
  const [asked] = claims.length === 0 ? calls : [];
  const written = steps.flatMap((step): readonly WrittenStep[] => {
    if (!isNamed(step)) return [unnamedStep(step, names)];
    const own = claims.filter((claim) => 'step' in claim && claim.step === step.name);
    if (step.kind === 'listen') return listenSteps(step, own, names);
    const after = judgedAfter(step, { steps, claims }).flatMap((claim) =>
      claim.kind === 'compare' ? compareStep(claim, names) : eventSteps(claim, names),
    );
    // All calls of the same endpoint get it, so that they stay alike.
    const needsOne = asked !== undefined && step.recorded.endpoint === asked.recorded.endpoint;
    return [...callSteps(step, own, { names, used, needsOne }), ...after];
  });
  const judged = [...claims, ...listening({ steps, claims })].flatMap((claim) =>
    claim.kind === 'event' && claim.after === undefined ? eventSteps(claim, names) : [],
  );
  const all = collapseRepeats([...tokenSteps(steps.filter(isNamed)), ...written, ...judged]);
  const alike = claims.find((claim) => claim.kind === 'alike');
  return {
    ...(parties.length > 0 && { parties: [...new Set(parties)] }),
    // For a claim that a party cannot tell who took the steps: a second party repeats them.
    steps: alike ? [{ as_each: alike.parties, alike_for: [alike.for], steps: all }] : all,
  };
}

/** Names of steps whose answer is used outside `data`: an action saves only the data. */
const aroundData = (piece: unknown): unknown[] =>
  [...objectsIn(piece)].flatMap(({ kind, step, path }) =>
    kind === 'answer' && Array.isArray(path) && path[0] !== 'data' ? [step] : [],
  );

function waited({ ms, until }: WaitStep): string {
  if (!until) return formatDuration(ms);
  const less = until.lessMs > 0 ? ` - ${formatDuration(until.lessMs)}` : '';
  return `until \${next("${until.next}")${less}}`;
}

function unnamedStep(step: Exclude<ReproStep, NamedStep>, names: ScenarioNames): WrittenStep {
  switch (step.kind) {
    case 'wait':
      return { wait: waited(step) };
    case 'drop':
      return { [step.party]: 'drop stream', on: `$${step.stream}` };
    case 'fault':
      return { fault: wordsForFault(step.fault), ...(step.of && { of: valueOf(step.of, names) }) };
  }
}

/** A scenario must assert something: one that only listens, and leaves it to the rules, accepts any heartbeat count. */
function listening({ steps, claims }: Pick<Reproduction, 'steps' | 'claims'>): Claim[] {
  if (claims.length > 0 || steps.some(({ kind }) => kind === 'call')) return [];
  const [stream] = steps.filter((step) => step.kind === 'listen');
  if (!stream || isForOthers(stream)) return [];
  const [must, withinMs] = [{ atLeast: 0 }, listenedMs];
  return [{ kind: 'event', stream: stream.name, event: 'heartbeat', fields: [], must, withinMs }];
}

/** Long enough for two heartbeats. */
const listenedMs = 65_000;

function compareStep(claim: ClaimOf<'compare'>, names: ScenarioNames): WrittenStep {
  const value = expression(claim.value, names);
  if (value === undefined) throw new Error(`no expression: ${claim.what}`);
  return { expect: `\${${value}}`, is: matcherOf(claim.test, names) };
}

function listenSteps(
  step: ListenStep,
  claims: readonly Claim[],
  names: ScenarioNames,
): readonly WrittenStep[] {
  const status = claims.find((claim) => claim.kind === 'status');
  if (step.resumes !== undefined && !status)
    return [{ [step.party]: 'resume stream', on: `$${step.resumes}` }];
  if (step.isOwn && !status) return [];
  const token = step.token !== step.party && { token: credentialText(step.token) };
  if (isForOthers(step)) {
    const judged =
      status?.must === 'be refused'
        ? { refused: '4xx' }
        : { whole_answer: { status: { at_least: 200 } } };
    const path = valueOf(step.path, names);
    return [{ [step.party]: 'request', method: 'GET', path, ...token, ...judged }];
  }
  const { intentId } = step;
  const order = intentId && valueOf(intentId, names);
  // An id that belongs to no order is saved under a name first: a stream can only be limited to a name.
  const strange = intentId?.kind === 'plain' ? `id_of_${step.name}` : undefined;
  const open = {
    [step.party]: 'open stream',
    ...(order !== undefined && { limit_to: strange ? `$${strange}` : order }),
    ...token,
    ...opened(step, status),
    ...(!status && { save: step.name }),
  };
  return strange ? [{ let: { [strange]: order } }, open] : [open];
}

/** True for a stream of another role: parties open the stream of their own role, others must be requested by path. */
const isForOthers = ({ recorded: { endpoint, role } }: ListenStep): boolean =>
  endpoint !== undefined && !endpoints[endpoint].roles.some((one) => one === role);

function opened({ recorded }: ListenStep, status: ClaimOf<'status'> | undefined): WrittenStep {
  const must = status?.must;
  if (typeof must === 'number') return must < 300 ? { answered: must } : { refused: must };
  if (must === 'be refused') return { refused: '4xx' };
  if (must === 'be answered') return { refused: 'maybe' };
  const wasOpened = (recorded.response?.status ?? 0) < 300;
  return status || wasOpened ? { answered: 200 } : { refused: 'maybe' };
}

/** The key by which an `expect` step says that events must come, or how often. */
function expectedEvents({ event, must, withinMs }: ClaimOf<'event'>, payload: object): WrittenStep {
  const within = formatDuration(withinMs);
  const said = [Object.keys(payload).length === 0 ? event : { [event]: payload }];
  if (must === 'come') return { in_any_order: said, within };
  if (must === 'not come') return { never: said, for: within };
  if (must === 'come once at most') return { at_most_once: said, for: within };
  const count =
    typeof must === 'number'
      ? must
      : 'atMost' in must
        ? { at_most: must.atMost }
        : { at_least: must.atLeast };
  return { count: { [event]: count }, for: within };
}

function eventSteps(claim: Claim, names: ScenarioNames): readonly WrittenStep[] {
  if (claim.kind !== 'event') return [];
  const stream = names.steps.get(claim.stream);
  if (stream?.kind !== 'listen') return [];
  // Of several conditions on one key, the first.
  const payload: Record<string, Matcher> = {};
  for (const [[key = '', ...path], test] of claim.fields)
    payload[key] ??= matcherAt(path, test, names);
  const others = (claim.or ?? []).flatMap((name) => {
    const other = names.steps.get(name);
    return other?.kind === 'listen' && other.isOwn ? [other.party] : [];
  });
  return [
    {
      expect: `${[stream.party, ...others].join(' or ')} sees`,
      ...(!stream.isOwn && { on: `$${stream.resumes ?? claim.stream}` }),
      ...(claim.of && { of: valueOf(claim.of, names) }),
      ...expectedEvents(claim, payload),
    },
  ];
}

/** Comment lines at the top of the file, for a reader. */
export function headOf({ shown }: Reproduction): string[] {
  const { check, source, requirement, part, message } = shown;
  const of =
    source === check
      ? `the check ${check}`
      : `the rule ${source}, in ${isCheckId(check) ? `the check ${check}` : check}`;
  return [
    `${requirement === '' ? '' : `Part ${part}, ${requirement}: `}${oneLine(message)}`,
    `Found by ${of}.`,
    ...(shown.expected === undefined ? [] : [`expected: ${inShort(shown.expected)}`]),
    ...(shown.actual === undefined ? [] : [`actual:   ${inShort(shown.actual)}`]),
  ];
}

/** Ids of checks are one word; names of worlds and the like have several. */
const isCheckId = (text: string): boolean => !text.includes(' ');

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function inShort(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
