import type { SeededFlags } from '../flags.ts';
import { scenarioText } from '../../reproduce/scenario.ts';
import { noScript, type ScriptTarget, scriptText } from '../../reproduce/script/script.ts';
import { controlsOf, type RecordedRun } from '../../run/failures-of-check.ts';
import type { Reproduction } from '../../reproduce/steps.ts';
import { reproduce } from '../../run/reproduce.ts';
import type { Found } from '../../run/try-failure.ts';
import { assign } from '../../target/embedded/assignment.ts';
import { targetFileFor } from '../../target/remote/base-urls.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { suggestion } from '../../yaml/index.ts';
import type { RunHooks } from '../check/check-target.ts';
import { chooseTarget } from '../choose-target.ts';
import { usageFailure } from '../command.ts';
import { within, writeWhole } from '../files.ts';
import { tampersOf } from '../find-mutation.ts';
import { progressLine } from '../progress-line.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import { missingTools, runOnReference, runScript } from './run-script.ts';
import { servedReference } from './served-reference.ts';

const endings = { sh: 'sh', scenario: 'yaml' } as const;

/** Runs the check, and writes a reproduction of its failure. */
export async function exporting(
  check: string,
  flags: SeededFlags,
  terminal: Terminal,
  run: (hooks: RunHooks) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { requirement, export: format = 'scenario' } = flags;
  refuseUnknown(requirement);
  let recorded: RecordedRun | undefined;
  const code = await run({
    onJudged(target, report) {
      const controls = controlsOf(target.controls);
      const records = [...target.history.records];
      recorded = { check, report, records, facts: target, controls };
    },
  });
  if (!recorded) throw new Error('the run was never judged');
  const progress = progressLine(terminal);
  progress.stage(`looking for the shortest flow that shows a failure of ${check}`);
  try {
    const found = await search(recorded, flags, terminal, requirement);
    if (!found) {
      terminal.out('\nnothing to export: no failure was found');
      return code;
    }
    const text = textOf(found, format, flags, terminal);
    if (format === 'sh') progress.stage('trying the script, on this target and on our reference');
    const proof =
      format === 'sh' ? await tryScript(found, text, flags, terminal) : scenarioProofs[found.proof];
    const name = flags.to ?? `${check}.${endings[format]}`;
    const path = within(terminal.cwd, name);
    writeWhole(terminal.secrets, path, text);
    progress.end();
    terminal.out(`\nexported: ${name}\n  ${proof}`);
    return code;
  } finally {
    progress.end();
  }
}

const scenarioProofs: Readonly<Record<Found['proof'], string>> = {
  claims: 'tried: it fails on this target, and passes on our reference',
  rule: 'tried: only the rules of `assay play` tell the failure; it passes on our reference',
};

/** Time limit of the search for a flow, and of each run of a script without its own waits. */
const longestMs = 60_000;

/**
 * Runs a script as a reader will: twice on the target, which must fail, and once on our reference, which must pass.
 * @returns the result in words
 * @throws CommandFailure if the script does not show the failure
 */
async function tryScript(
  { reproduction }: Found,
  text: string,
  flags: SeededFlags,
  terminal: Terminal,
): Promise<string> {
  const missing = missingTools();
  if (missing.length > 0) return `not tried: this host has no ${missing.join(', no ')}`;
  const { env } = terminal;
  const tamper = tampersOf(flags.mutation);
  const limit = longestMs + waitedMs(reproduction);
  const isOurs = chooseTarget(flags, terminal).kind === 'embedded';
  const onTarget = () =>
    isOurs
      ? runOnReference(text, env, limit, { ...(tamper && { tamper: tamper() }) })
      : runScript(text, env, limit, terminal.secrets);
  const assignment = assign(reproduction.answers ?? {});
  const sound = scriptText(reproduction, servedReference(undefined));
  const runs = [
    { must: 1, on: 'this target', run: await onTarget() },
    { must: 1, on: 'this target', run: await onTarget() },
    { must: 0, on: 'our reference', run: await runOnReference(sound, env, limit, { assignment }) },
  ];
  for (const { must, on, run } of runs) {
    if (run.code === must) continue;
    const ended = run.code === null ? 'did not end in time' : `ended with ${run.code}`;
    const said = run.said
      .trimEnd()
      .split('\n')
      .slice(-3)
      .map((line) => `\n  ${line}`);
    const what = `the script does not show the failure: on ${on} it ${ended} in place of ${must}`;
    throw usageFailure(`${what}${said.join('')}`, 'export it with --export scenario');
  }
  return 'tried twice: it fails on this target, and holds on our reference';
}

/** Total waiting and listening time of a flow if time is not driven. */
const waitedMs = ({ steps, claims }: Reproduction): number =>
  [...steps, ...claims].reduce(
    (sum, one) => sum + (one.kind === 'wait' ? one.ms : 'withinMs' in one ? one.withinMs : 0),
    0,
  );

function refuseUnknown(requirement: string | undefined): void {
  if (requirement === undefined || Object.hasOwn(requirements, requirement)) return;
  const next = suggestion(requirement, Object.keys(requirements)) ?? 'ids: assay spec requirements';
  throw usageFailure(`--requirement ${requirement} is none of the catalogue`, next);
}

/** Undefined if nothing failed. */
async function search(
  run: RecordedRun,
  flags: SeededFlags,
  terminal: Terminal,
  requirement: string | undefined,
): Promise<Found | undefined> {
  const endsMs = terminal.wallMs() + longestMs;
  const target = {
    chosen: chooseTarget(flags, terminal),
    seed: flags.seed,
    secrets: terminal.secrets,
    maxWaitMs: flags.maxWait,
    ratePerSecond: flags.rate,
    tamper: tampersOf(flags.mutation),
    isSpent: () => terminal.wallMs() > endsMs,
  };
  const result = await reproduce(run, target, requirement);
  if (result.ok) return result.found;
  if (result.reasons.length === 0) return undefined;
  const reasons = result.reasons.map((reason) => `\n  ${reason}`).join('');
  const next = 'assay replay CHECK --explain shows all that happened';
  throw usageFailure(`no failure of ${run.check} can be exported:${reasons}`, next);
}

function textOf(
  found: Found,
  format: 'sh' | 'scenario',
  flags: SeededFlags,
  terminal: Terminal,
): string {
  const { reproduction } = found;
  if (format === 'scenario') return scenarioText(reproduction);
  const why = noScript(reproduction);
  if (why === undefined) return scriptText(reproduction, scriptTarget(flags, terminal));
  throw usageFailure(`no script can show it: ${why}`, 'use --export scenario');
}

function scriptTarget(flags: SeededFlags, terminal: Terminal): ScriptTarget {
  const chosen = chooseTarget(flags, terminal);
  if (chosen.kind === 'embedded') return servedReference(flags.mutation);
  if (chosen.kind === 'file') return chosen.file;
  const named = chosen.urls.map(({ name, baseUrl }) => ({ name, baseUrl }));
  const participants = named.flatMap(({ name, baseUrl }) => (name ? [{ name, baseUrl }] : []));
  if (participants.length < named.length) {
    throw usageFailure('a script must know who is who', 'name each party: --base-url sender=URL');
  }
  return {
    ...targetFileFor([]),
    participants: participants.map((one) => ({ ...one, token: { kind: 'own' } })),
  };
}
