import { endpoints } from '../spec/endpoints.ts';
import { wordsForFault } from '../scenario/language/fault-words.ts';
import { formatDuration } from '../yaml/index.ts';
import { collapseRepeats, type WrittenStep } from './collapse-repeats.ts';
import { callLines, credentialText, isPlainAction, tokenLines } from './scenario-calls.ts';
import {
  expression,
  matcherText,
  nested,
  valueText,
  type ScenarioNames,
} from './scenario-values.ts';
import {
  isNamed,
  judgedAfter,
  objectsIn,
  referredIn,
  type Claim,
  type ListenStep,
  type NamedStep,
  type ReproStep,
  type Reproduction,
  type WaitStep,
} from './steps.ts';

/** A failure as a scenario that fails for it. */
export function scenarioText(reproduction: Reproduction): string {
  const { shown } = reproduction;
  return [
    ...headOf(reproduction),
    `scenario: ${titleText(shown.summary)}`,
    ...(shown.requirement === '' ? [] : [`verifies: [${shown.requirement}]`]),
    ...gapLines(reproduction),
    ...flowLines(reproduction),
    '',
  ].join('\n');
}

function gapLines({ answers = {} }: Reproduction): string[] {
  const said = Object.entries(answers).map(([gap, answer]) => `${gap}: ${JSON.stringify(answer)}`);
  return said.length > 0 ? [`gaps: { ${said.join(', ')} }`] : [];
}

export const titleText = (text: string): string => JSON.stringify(text.replaceAll('$', '$$$$'));

/** Steps and claims as scenario lines, from `parties:` on. */
export function flowLines({ steps, claims }: Pick<Reproduction, 'steps' | 'claims'>): string[] {
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
  const listeners = steps.filter(
    (step) => step.kind === 'listen' && step.isOwn && !refusable.has(step.name),
  );
  const [asked] = claims.length === 0 ? calls : [];
  const written = steps.map((step): WrittenStep => {
    if (!isNamed(step)) return { lines: unnamedLines(step, names) };
    const after = judgedAfter(step, { steps, claims }).flatMap((claim) =>
      claim.kind === 'compare' ? compareLines(claim, names) : eventLines(claim, names),
    );
    const own = claims.filter((claim) => 'step' in claim && claim.step === step.name);
    const { name: saves } = step;
    if (step.kind === 'listen') return { saves, lines: listenLines(step, own, names) };
    // All calls of the same endpoint get it, so that they stay alike.
    const needsOne = asked !== undefined && step.recorded.endpoint === asked.recorded.endpoint;
    return { saves, lines: [...callLines(step, own, { names, used, needsOne }), ...after] };
  });
  const judged = [...claims, ...listening({ steps, claims })].flatMap((claim) =>
    claim.kind === 'event' && claim.after === undefined ? eventLines(claim, names) : [],
  );
  const parties = [...new Set(listeners.map((step) => ('party' in step ? step.party : '')))];
  return [
    ...(parties.length > 0 ? [`parties: [${parties.join(', ')}]`] : []),
    'steps:',
    ...asEachLines(
      claims,
      collapseRepeats([
        { lines: tokenLines(steps.filter(isNamed)) },
        ...written,
        { lines: judged },
      ]),
    ).map((line) => `  ${line}`),
  ];
}

/** For a claim that a party cannot tell who took the steps: a second party repeats them. */
function asEachLines(claims: readonly Claim[], lines: readonly string[]): readonly string[] {
  const alike = claims.find((claim) => claim.kind === 'alike');
  if (!alike) return lines;
  return [
    `- as_each: [${alike.parties.join(', ')}]`,
    `  alike_for: [${alike.for}]`,
    '  steps:',
    ...lines.map((line) => `    ${line}`),
  ];
}

/** Names of steps whose answer is used outside `data`: an action saves only the data. */
const aroundData = (piece: unknown): unknown[] =>
  [...objectsIn(piece)].flatMap(({ kind, step, path }) =>
    kind === 'answer' && Array.isArray(path) && path[0] !== 'data' ? [step] : [],
  );

function waitLine({ ms, until }: WaitStep): string {
  if (!until) return `- wait: ${formatDuration(ms)}`;
  const less = until.lessMs > 0 ? ` - ${formatDuration(until.lessMs)}` : '';
  return `- wait: until \${next("${until.next}")${less}}`;
}

function unnamedLines(step: Exclude<ReproStep, NamedStep>, names: ScenarioNames): string[] {
  switch (step.kind) {
    case 'wait':
      return [waitLine(step)];
    case 'drop':
      return [`- ${step.party}: drop stream`, `  on: $${step.stream}`];
    case 'fault':
      return [
        `- fault: ${wordsForFault(step.fault)}`,
        ...(step.of ? [`  of: ${valueText(step.of, names)}`] : []),
      ];
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

function compareLines(claim: Extract<Claim, { kind: 'compare' }>, names: ScenarioNames): string[] {
  const value = expression(claim.value, names);
  if (value === undefined) throw new Error(`no expression: ${claim.what}`);
  return [`- expect: ${JSON.stringify(`\${${value}}`)}`, `  is: ${matcherText(claim.test, names)}`];
}

function listenLines(step: ListenStep, claims: readonly Claim[], names: ScenarioNames): string[] {
  const status = claims.find((claim) => claim.kind === 'status');
  if (step.resumes !== undefined && !status)
    return [`- ${step.party}: resume stream`, `  on: $${step.resumes}`];
  if (step.isOwn && !status) return [];
  if (isForOthers(step)) return askLines(step, status, names);
  // An id that belongs to no order is saved under a name first: a stream can only be limited to a name.
  const strange = step.intentId?.kind === 'plain' ? `id_of_${step.name}` : undefined;
  return [
    ...(strange && step.intentId
      ? [`- let: { ${strange}: ${valueText(step.intentId, names)} }`]
      : []),
    `- ${step.party}: open stream`,
    ...(step.intentId
      ? [`  limit_to: ${strange ? `$${strange}` : valueText(step.intentId, names)}`]
      : []),
    ...(step.token === step.party ? [] : [`  token: ${credentialText(step.token)}`]),
    `  ${openedText(step, status)}`,
    ...(status ? [] : [`  save: ${step.name}`]),
  ];
}

/** True for a stream of another role: parties open the stream of their own role, others must be requested by path. */
const isForOthers = ({ recorded: { endpoint, role } }: ListenStep): boolean =>
  endpoint !== undefined && !endpoints[endpoint].roles.some((one) => one === role);

function askLines(
  step: ListenStep,
  status: Extract<Claim, { kind: 'status' }> | undefined,
  names: ScenarioNames,
): string[] {
  return [
    `- ${step.party}: request`,
    '  method: GET',
    `  path: ${valueText(step.path, names)}`,
    ...(step.token === step.party ? [] : [`  token: ${credentialText(step.token)}`]),
    `  ${status?.must === 'be refused' ? 'refused: 4xx' : 'whole_answer: { status: { at_least: 200 } }'}`,
  ];
}

function openedText(
  { recorded }: ListenStep,
  status: Extract<Claim, { kind: 'status' }> | undefined,
): string {
  if (typeof status?.must === 'number') {
    return status.must < 300 ? `answered: ${status.must}` : `refused: ${status.must}`;
  }
  if (status?.must === 'be refused') return 'refused: 4xx';
  if (status?.must === 'be answered') return 'refused: maybe';
  const wasOpened = (recorded.response?.status ?? 0) < 300;
  return status || wasOpened ? 'answered: 200' : 'refused: maybe';
}

const countText = (
  must: number | { readonly atMost: number } | { readonly atLeast: number },
): string => {
  if (typeof must === 'number') return String(must);
  return 'atMost' in must ? `{ at_most: ${must.atMost} }` : `{ at_least: ${must.atLeast} }`;
};

function eventLines(claim: Claim, names: ScenarioNames): string[] {
  if (claim.kind !== 'event') return [];
  const stream = names.steps.get(claim.stream);
  if (stream?.kind !== 'listen') return [];
  // One mapping, which has each of its keys once.
  const payload = claim.fields
    .filter(([[key]], index, all) => all.findIndex(([[other]]) => other === key) === index)
    .map(([path, test]) => nested(path, matcherText(test, names), names).slice(2, -2));
  const event =
    payload.length === 0 ? claim.event : `{ ${claim.event}: { ${payload.join(', ')} } }`;
  const within = formatDuration(claim.withinMs);
  const must =
    claim.must === 'come'
      ? [`in_any_order: [${event}]`, `within: ${within}`]
      : claim.must === 'not come'
        ? [`never: [${event}]`, `for: ${within}`]
        : claim.must === 'come once at most'
          ? [`at_most_once: [${event}]`, `for: ${within}`]
          : [`count: { ${claim.event}: ${countText(claim.must)} }`, `for: ${within}`];
  const others = (claim.or ?? []).flatMap((name) => {
    const other = names.steps.get(name);
    return other?.kind === 'listen' && other.isOwn ? [other.party] : [];
  });
  return [
    `- expect: ${[stream.party, ...others].join(' or ')} sees`,
    ...(stream.isOwn ? [] : [`  on: $${stream.resumes ?? claim.stream}`]),
    ...(claim.of ? [`  of: ${valueText(claim.of, names)}`] : []),
    ...must.map((line) => `  ${line}`),
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
    `# ${requirement === '' ? '' : `Part ${part}, ${requirement}: `}${oneLine(message)}`,
    `# Found by ${of}.`,
    ...(shown.expected === undefined ? [] : [`# expected: ${inShort(shown.expected)}`]),
    ...(shown.actual === undefined ? [] : [`# actual:   ${inShort(shown.actual)}`]),
  ];
}

/** Ids of checks are one word; names of worlds and the like have several. */
const isCheckId = (text: string): boolean => !text.includes(' ');

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

function inShort(value: unknown): string {
  const text = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
