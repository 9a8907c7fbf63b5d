import type { SeededFlags } from './flags.ts';
import { random } from '../random/random.ts';
import { gapIds, gaps } from '../spec/gaps/index.ts';
import { discover } from '../discovery/discover.ts';
import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import type { GapFinding } from '../target/gap-observations.ts';
import { withGaps } from '../target/file/draft-target-file.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { endedSentence, loggable, loggableJson, printable } from '../report/index.ts';
import { endWithTarget } from '../run/end-with-target.ts';
import { everythingRejected, RunEndedError } from '../suite/engine/run-end.ts';
import { type CommandInput, stoppableRun, usageFailure } from './command.ts';
import { writeConfiguration } from './files.ts';
import { progressLine } from './progress-line.ts';
import { announceRun, chooseTarget, withTarget } from './choose-target.ts';
import { type ExitCode, partyLines } from './terminal.ts';

/** Connects to every party, and shows the target's answers to the gaps of the document. */
export async function probe(input: CommandInput): Promise<ExitCode> {
  const { terminal: given } = input;
  const flags = input.flags as SeededFlags;
  const terminal = flags.json ? { ...given, out: given.err } : given;
  const { seed } = flags;
  const { secrets } = terminal;
  const chosen = chooseTarget(flags, terminal);
  if (flags.write && chosen.kind !== 'file') {
    throw usageFailure('--write needs a target file', 'name one: --target FILE');
  }
  const runEnd = stoppableRun(terminal);
  const runId = announceRun(flags, chosen, terminal.out);
  const line = progressLine(terminal);
  line.stage('reaching every party');
  const probed = withTarget(chosen, seed, { secrets, runId, runEnd }, async (target) => {
    line.stage('finding how the target answers what the document leaves open');
    const draws = random(seed, '', target.runId).fork('discovery');
    const run = endWithTarget(target, runEnd, terminal.date);
    const { answers, observations, history } = target;
    const found = await discover(target, answers, draws, observations).catch(
      async (thrown: unknown) => {
        if (!(thrown instanceof RunEndedError)) throw thrown;
        await everythingRejected();
        return observeGaps(history, answers.declared, observations);
      },
    );
    await run.over();
    // Masked here, because they also go into the target file, which is written without masking.
    const findings = secrets.maskJson(found) as readonly GapFinding[];
    return { parties: partiesText(target), found: foundOf(target, findings), findings };
  });
  const { parties, findings, found } = await probed.finally(line.end).finally(runEnd.forget);
  const ended = runEnd.ended();
  const shown = { ...found, ...(ended && { ended_early: ended }) };
  if (flags.json) given.out(loggableJson(JSON.stringify(shown, undefined, 2)));
  terminal.out(loggable(printable(parties)));
  terminal.out(loggable(printable(findingsText(findings))));
  if (ended) {
    terminal.out(`\n${endedSentence(ended)}${flags.write ? '; nothing was written' : ''}`);
    return 3;
  }
  if (flags.write && chosen.kind === 'file') {
    writeConfiguration(secrets, chosen.path, withGaps(chosen.text, findings));
    terminal.out(`\nwritten into ${flags.target ?? chosen.path}`);
  }
  return 0;
}

/** Findings of the probe, in the form of `--json`. */
const foundOf = (target: OpenedTarget, findings: readonly GapFinding[]) => ({
  target: target.name,
  parties: target.parties,
  clock: { kind: target.clock.kind, offset_ms: target.clock.offset },
  notes: target.notes,
  gaps: findings,
  open: gapIds.filter((id) => !findings.some(({ gap }) => gap === id)),
});

/** `2 to 5 ms ahead of this machine`; nothing of a clock that keeps no time of its own. */
export function clockText({ kind, offset: { least, most } }: OpenedTarget['clock']): string {
  const from =
    least >= 0
      ? `${least} to ${most} ms ahead of`
      : most <= 0
        ? `${-most} to ${-least} ms behind`
        : `${-least} ms behind to ${most} ms ahead of`;
  return kind === 'system' ? `clock: system, ${from} this machine` : `clock: ${kind}`;
}

function partiesText(target: OpenedTarget): string {
  return [
    target.name,
    ...partyLines(Object.entries(target.parties).map(([name, party]) => ({ name, ...party }))),
    clockText(target.clock),
    ...target.notes.map((note) => `note: ${note}`),
    '',
  ].join('\n');
}

function findingsText(findings: readonly GapFinding[]): string {
  const width = Math.max(...gapIds.map((id) => id.length));
  const lines = findings.map(({ gap, declared, observed, consistent, seen }) => {
    const answer = observed ?? 'not seen';
    const stated = declared === undefined ? '' : ` (declared: ${declared})`;
    const doubt = consistent ? '' : `  NOT CONSISTENT: ${seen.join(', ')}`;
    return `${gap.padEnd(width)}  ${answer}${stated}${doubt}`;
  });
  const known = new Set(findings.map(({ gap }) => gap));
  const open = gapIds.filter((id) => !known.has(id));
  return [
    ...lines,
    '',
    `${known.size} of ${gapIds.length} gaps answered; not seen yet:`,
    ...open.map((id) => `${id.padEnd(width)}  ${gaps[id].observe}`),
  ].join('\n');
}
