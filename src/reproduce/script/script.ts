import { headOf } from '../scenario.ts';
import {
  isNamed,
  judgedAfter,
  objectsIn,
  wasGranted,
  type CallStep,
  type Claim,
  type ListenStep,
  type NamedStep,
  type ReproStep,
  type Reproduction,
  type Template,
} from '../steps.ts';
import { prelude } from './prelude.ts';
import {
  addressLines,
  partyLines,
  routeLines,
  tokenLines,
  tokenOf,
  type ScriptParty,
  urlOf,
} from './tokens.ts';
import { expectedValueOf, seenOf, wordsOf } from './claim-text.ts';
import { inQuotes, jqCondition, jqValue, shellWord } from './values.ts';
import type { ClockSection } from '../../target/file/target-file.ts';

/** Facts about the target that a script needs. */
export interface ScriptTarget {
  readonly participants: readonly ScriptParty[];
  readonly clock: ScriptClock;
  /** Command that starts it, if it is our own reference. */
  readonly start?: string;
}

/** Tokens may have expired after such a wait. */
const longWaitMs = 300_000;

/** A failure as a script of bash, curl and jq. Only if `noScript` gives no reason against one. */
export function scriptText(reproduction: Reproduction, target: ScriptTarget): string {
  const { steps, shown } = reproduction;
  const claims = scriptClaims(reproduction);
  const used = partiesIn({ ...reproduction, claims });
  const participants = target.participants.filter(({ name }) => used.acting.has(name));
  const own = steps.filter((step) => step.kind === 'listen' && step.isOwn);
  const rest = steps.filter((step) => !own.includes(step));
  return [
    '#!/usr/bin/env bash',
    ...headOf(reproduction).map((line) => `# ${line}`),
    '# Exit code 0: it holds. 1: it does not. 2: the flow could not be played.',
    ...writtenFor(reproduction),
    ...(target.start === undefined ? [] : [`# The target: ${target.start}`]),
    'set -u -o pipefail',
    '',
    ...addressLines(participants),
    prelude.trimEnd(),
    '',
    clockText(target.clock),
    '',
    ...routeLines(participants),
    ...tokenLines(participants),
    ...keptTokens(steps),
    ...partyLines([...used.named].toSorted()),
    '',
    '# ---- the flow ----',
    ...[...own, ...rest].flatMap((step) => [
      ...stepLines(step, claims),
      ...judgedAfter(step, { steps, claims }).flatMap(judgedInPlace),
    ]),
    ...claims.filter((claim) => isOfStream(claim) && !('after' in claim)).flatMap(judgedInPlace),
    '',
    `echo ${shellWord(`holds: ${shown.summary}`)}`,
    '',
  ].join('\n');
}

/** Claims that a script can judge. */
const scriptClaims = ({ claims, inScript = [] }: Reproduction): readonly Claim[] =>
  claims.length > 0 ? claims : inScript;

/** Reason why no script can show the failure. Undefined if one can. */
export function noScript(reproduction: Reproduction): string | undefined {
  const { steps, shown } = reproduction;
  const isSigned = ({ token }: NamedStep): boolean =>
    typeof token === 'object' && token.kind === 'signed';
  if (steps.filter(isNamed).some(isSigned))
    return 'it takes a token signed with the key of the target, and a script holds no key';
  if (scriptClaims(reproduction).length > 0) return undefined;
  return `${shown.requirement} cannot be told from single answers`;
}

function writtenFor({ answers = {} }: Reproduction): string[] {
  const said = Object.entries(answers).map(([gap, answer]) => `${gap} = ${answer}`);
  return said.length > 0 ? [`# Only for a target that answers so: ${said.join(', ')}.`] : [];
}

/** Parties that act, and parties whose identifier is used. */
function partiesIn({ steps, claims }: Reproduction) {
  const named = [...objectsIn([steps, claims])].flatMap(({ kind, party }) =>
    kind === 'party' ? [String(party)] : [],
  );
  const acting = steps
    .filter(isNamed)
    .flatMap(({ kind, party, token }) => [
      party,
      ...(kind === 'call' && typeof token === 'string' ? [token] : []),
    ]);
  return { acting: new Set<string>([...acting, ...named]), named: new Set(named) };
}

const mentionsNow = (piece: Template | Claim | undefined): boolean =>
  [...objectsIn(piece)].some(({ kind }) => kind === 'later');

const address = (party: string, path: Template): string =>
  path.kind === 'plain'
    ? `"$${urlOf(party)}"${shellWord(String(path.value))}`
    : `"$${urlOf(party)}$(text ${shellWord(jqValue(path))})"`;

function stepLines(step: ReproStep, claims: readonly Claim[]): string[] {
  if (step.kind === 'wait' && step.until !== undefined) {
    return [`wait_until ${step.until.next} ${step.until.lessMs}`, 'tokens'];
  }
  if (step.kind === 'wait') {
    return [`wait_ms ${step.ms}`, ...(step.ms >= longWaitMs ? ['tokens'] : [])];
  }
  // Checks cause faults only by controls, which are fields of orders.
  if (!isNamed(step)) throw new Error(`no script can do this: ${step.kind}`);
  const own = claims.filter((claim) => 'step' in claim && claim.step === step.name);
  if (step.kind === 'listen') return listenLines(step, own);
  return [
    ...(step.patienceMs === undefined ? [] : [`wait_ms ${step.patienceMs}`]),
    ...(mentionsNow(step.body) ? ['now="$(now_ms)"'] : []),
    callLine(step),
    ...(isPreparation(step, own) ? [`granted ${step.name}`] : []),
    ...own.flatMap(judgedLines),
  ];
}

const isPreparation = (step: CallStep, own: readonly Claim[]): boolean =>
  wasGranted(step) &&
  !step.mayBeRefused &&
  !own.some((claim) => claim.kind === 'status' || 'orRefused' in claim);

function callLine({ name, party, token, path, body, headers, recorded }: CallStep): string {
  const words = [
    `call ${name} ${recorded.request.method}`,
    address(party, path),
    credentialWord(token),
    bodyWord(body),
    ...Object.entries(headers).map(([header, value]) => shellWord(`${header}: ${value}`)),
    ...(typeof token === 'object' && token.kind === 'header'
      ? [`"${token.header}: ${token.parts.map(inQuotes).join(`$${tokenOf(token.party)}`)}"`]
      : []),
  ];
  return words.join(' ');
}

function credentialWord(token: CallStep['token']): string {
  if (token === 'none' || (typeof token === 'object' && token.kind === 'header')) return "''";
  if (typeof token === 'string') return `"$${tokenOf(token)}"`;
  if (token.kind === 'issued') return `"$(text '.${token.step}.body.data.token')"`;
  if (token.kind === 'unsigned') {
    return `"$(jq -rn --arg token "$${tokenOf(token.party)}" "$defs "'$token | unsigned')"`;
  }
  if (token.kind === 'first' || token.kind === 'expired') return `"$${firstToken(token.party)}"`;
  if (token.kind === 'signed') throw new Error('a script holds no key');
  return `${token.after === undefined ? '' : `"$${tokenOf(token.after)}"`}${shellWord(token.text)}`;
}

const firstToken = (party: string): string => `FIRST_${tokenOf(party)}`;

/** Lines that save the tokens that must expire. */
function keptTokens(steps: readonly ReproStep[]): string[] {
  const parties = steps
    .filter(isNamed)
    .flatMap(({ token }) =>
      typeof token === 'object' && (token.kind === 'first' || token.kind === 'expired')
        ? [token.party]
        : [],
    );
  return [...new Set(parties)].map((party) => `${firstToken(party)}="$${tokenOf(party)}"`);
}

function bodyWord(body: Template | undefined): string {
  if (!body) return "''";
  if (body.kind === 'plain' && typeof body.value === 'string') return shellWord(body.value);
  return `"$(json ${shellWord(jqValue(body))})"`;
}

function listenLines(step: ListenStep, own: readonly Claim[]): string[] {
  const { name, party, path, token, recorded, resumes } = step;
  const opens = resumes === undefined ? `listen ${name}` : `resume ${name} ${resumes}`;
  const isOpened = (recorded.response?.status ?? 0) < 300;
  return [
    `${opens} ${address(party, path)} ${credentialWord(token)}`,
    ...(isOpened && own.length === 0 ? [`granted ${name}`] : []),
    ...own.map(mustLine),
  ];
}

/** Claims on the time of an answer are compared with the clock at that moment. */
const judgedLines = (claim: Claim): string[] => [
  ...(mentionsNow(claim) ? ['now="$(now_ms)"'] : []),
  mustLine(claim),
];

/** A line that fails shows the claim, the expected value and the actual value. */
const mustLine = (claim: Claim): string =>
  ['must', wordsOf(claim), jqCondition(claim), seenOf(claim), expectedValueOf(claim)]
    .flatMap((word, index) => (word === undefined ? [] : [index === 0 ? word : shellWord(word)]))
    .join(' ');

const isOfStream = ({ kind }: Claim): boolean => kind === 'event' || kind === 'lines';

function judgedInPlace(claim: Claim): string[] {
  if (claim.kind !== 'event' && claim.kind !== 'lines') return judgedLines(claim);
  const { must, withinMs } = claim;
  if (must !== 'come') return [`wait_ms ${withinMs}`, 'look', mustLine(claim)];
  const words = [wordsOf(claim), jqCondition(claim), seenOf(claim)].map(shellWord);
  return [`within ${withinMs} ${words.join(' ')}`];
}

type Controlled = Pick<Extract<ClockSection, { kind: 'controlled' }>, 'kind' | 'now' | 'advance'>;

/** Facts about a target's clock that a script needs. */
type ScriptClock = Controlled | { readonly kind: 'system' };

const system = `# ---- time: the host's clock ----
now_ms() { jq -n 'now * 1000 | floor'; }
wait_ms() { sleep "$(jq -n "$1 / 1000")"; }`;

/** Shell functions for waiting: on the host's clock, or by moving the target's clock. */
export function clockText(clock: ScriptClock): string {
  return clock.kind === 'system' ? system : controlled(clock);
}

function controlled({ now, advance }: Controlled): string {
  const pointer = now.at.split('/').slice(1).map(unescaped);
  const path = JSON.stringify(pointer);
  return [
    "# ---- time: the target's clock, which is moved ----",
    `CLOCK_NOW="\${CLOCK_NOW:-${inQuotes(now.url)}}"`,
    `CLOCK_ADVANCE="\${CLOCK_ADVANCE:-${inQuotes(advance.url)}}"`,
    `now_ms() { curl -sS "$CLOCK_NOW" | jq "$defs getpath(${path.replaceAll('"', String.raw`\"`)}) | moment | floor"; }`,
    'wait_ms() {',
    '  local now ms=$1 to url',
    '  now="$(now_ms)" || cannot "the clock does not tell its time"',
    '  to=$((now + ms))',
    '  url="$CLOCK_ADVANCE"',
    ...['ms', 'now', 'to'].map((name) => `  url="\${url//\\$${name}/$${name}}"`),
    `  jq -nc --argjson now "$now" --argjson ms "$ms" --argjson to "$to" "$defs "${shellWord(advanceBody(advance.body))} |`,
    `    curl -sS -f -X POST -H 'content-type: application/json' --data-binary @- "$url" >/dev/null ||`,
    '    cannot "the clock was not moved"',
    "  sleep 0.2 # for the streams' messages to arrive",
    '}',
  ].join('\n');
}

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** The body with its placeholders as jq names them. */
function advanceBody(body: unknown): string {
  if (typeof body === 'string') {
    const name = /^\$(ms|now|to|now_iso|to_iso)$/.exec(body)?.[1];
    if (name === undefined) return JSON.stringify(body);
    return name.endsWith('_iso') ? `iso($${name.slice(0, -4)})` : `$${name}`;
  }
  if (Array.isArray(body)) return `[${body.map(advanceBody).join(', ')}]`;
  if (typeof body !== 'object' || body === null) return JSON.stringify(body ?? {});
  const fields = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}: ${advanceBody(value)}`,
  );
  return `{${fields.join(', ')}}`;
}
