import type { Verdict } from '../../src/results/verdicts.ts';
import { type RequirementId, requirements } from '../../src/spec/requirements/index.ts';
import type { Mutation } from '../index.ts';
import { type AnswerChanges, type JobResult, changesText, nameOf } from './job.ts';
import { excused } from './open-answers.ts';

/** Result for one mutation. */
export interface MutationResult {
  readonly mutation: Mutation;
  /** `named`: a requirement that it names was found broken. `otherwise`: only others were. */
  readonly caught: 'named' | 'otherwise' | 'missed';
  /** Requirements that failed, or warned if they are vague. */
  readonly broken: readonly string[];
  readonly by: readonly string[];
  readonly broke: readonly string[];
}

/** A verdict that an admissible answer to a gap made worse: a false alarm. */
export interface FalseAlarm {
  readonly requirement: string;
  readonly verdict: Verdict;
  readonly message: string;
}

export interface AssignmentResult {
  readonly name: string;
  /** Answers that differ from the usual ones. */
  readonly changes: AnswerChanges;
  readonly outcome: string;
  readonly falseAlarms: readonly FalseAlarm[];
  readonly excused: number;
  /** Answers to gaps that were seen as others than they are, or as changing. */
  readonly misread: readonly string[];
  readonly broke: readonly string[];
}

const isBad = (verdict: Verdict | undefined): boolean => verdict === 'fail' || verdict === 'warn';

/** Requirements that are found broken here and are not in the plain reference. */
export const newlyBroken = (ran: JobResult, plain: JobResult): string[] =>
  Object.keys(requirements).filter((id) => isBad(ran.verdicts[id]) && !isBad(plain.verdicts[id]));

export function assessMutation(
  mutation: Mutation,
  ran: JobResult,
  plain: JobResult,
): MutationResult {
  const broken = newlyBroken(ran, plain);
  const named = broken.some((id) => mutation.breaks.includes(id as RequirementId));
  const caught = named ? 'named' : broken.length > 0 ? 'otherwise' : 'missed';
  return { mutation, caught, broken, by: ran.by, broke: ran.broke };
}

/** Admissible verdicts if an answer to a gap leaves no occasion to exercise a requirement. */
const silent: readonly (Verdict | undefined)[] = ['pass', 'out_of_scope', 'not_exercised'];

export function assessAssignment(ran: JobResult, plain: JobResult): AssignmentResult {
  const changes: AnswerChanges = ran.job.kind === 'assignment' ? ran.job.changes : {};
  const worse = Object.keys(requirements).flatMap((id): FalseAlarm[] => {
    const verdict = ran.verdicts[id] ?? 'error';
    if (silent.includes(verdict) || verdict === plain.verdicts[id]) return [];
    return [{ requirement: id, verdict, message: ran.messages[id] ?? '' }];
  });
  const falseAlarms = worse.filter((flip) => !excused(flip, changes));
  return {
    name: nameOf(ran.job),
    changes,
    outcome: ran.outcome,
    falseAlarms,
    excused: worse.length - falseAlarms.length,
    misread: ran.misread,
    broke: ran.broke,
  };
}

/** Requirements that pass on the plain reference and that no mutation made fail: nothing shows that they can. */
export const unproven = (plain: JobResult, found: readonly MutationResult[]): string[] => {
  const proven = new Set(found.flatMap(({ broken }) => broken));
  return Object.entries(requirements)
    .filter(([id, { level }]) => level !== undefined && !proven.has(id))
    .map(([id]) => id)
    .filter((id) => plain.verdicts[id] === 'pass');
};

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
