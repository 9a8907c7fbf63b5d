import { scenarioText } from '../../reproduce/scenario.ts';
import { type ScriptTarget, scriptText } from '../../reproduce/script/script.ts';
import { controlsOf, type RecordedRun } from '../../run/failures-of-check.ts';
import { scriptClaims } from '../../reproduce/steps.ts';
import { reproduce } from '../../run/reproduce.ts';
import type { Found } from '../../run/try-failure.ts';
import { targetFileFor } from '../../target/remote/base-urls.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { suggestion } from '../../yaml/index.ts';
import type { RunHooks } from '../check/check-target.ts';
import { chooseTarget } from '../choose-target.ts';
import { usageFailure } from '../command.ts';
import { within, writeWhole } from '../files.ts';
import { findTamper } from '../find-mutation.ts';
import type { ExitCode, Terminal } from '../terminal.ts';
import type { ExportFormat, ReplayFlags } from './flags.ts';
import { servedReference } from './served-reference.ts';

const endings = { sh: 'sh', scenario: 'yaml' } as const;

/** Runs the check, and writes what shows its failure again. */
export async function exporting(
  check: string,
  flags: ReplayFlags,
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
  const found = await search(recorded, flags, terminal, requirement);
  if (!found) {
    terminal.out('\nnothing to export: no failure was found');
    return code;
  }
  const text = textOf(found, format, flags, terminal);
  const name = flags.to ?? `${check}.${endings[format]}`;
  const path = within(terminal.cwd, name);
  writeWhole(terminal.secrets, path, text, format === 'sh' ? 'script' : 'text');
  terminal.out(`\nexported: ${name}\n  ${proofWords[found.proof]}`);
  return code;
}

const proofWords: Readonly<Record<Found['proof'], string>> = {
  claims: 'tried: it fails on this target, and passes on our reference',
  rule: 'tried: only the rules of `assay play` tell the failure; it passes on our reference',
};

function refuseUnknown(requirement: string | undefined): void {
  if (requirement === undefined || Object.hasOwn(requirements, requirement)) return;
  const next = suggestion(requirement, Object.keys(requirements)) ?? 'ids: assay spec requirements';
  throw usageFailure(`--requirement ${requirement} is none of the catalogue`, next);
}

/** Undefined where nothing failed. */
async function search(
  run: RecordedRun,
  flags: ReplayFlags,
  terminal: Terminal,
  requirement: string | undefined,
): Promise<Found | undefined> {
  const { mutation } = flags;
  const target = {
    chosen: chooseTarget(flags, terminal),
    seed: flags.seed,
    secrets: terminal.secrets,
    maxWaitMs: flags.maxWait,
    ratePerSecond: flags.rate,
    tamper: mutation === undefined ? undefined : () => findTamper(mutation),
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
  format: ExportFormat,
  flags: ReplayFlags,
  terminal: Terminal,
): string {
  const { reproduction } = found;
  if (format === 'scenario') return scenarioText(reproduction);
  if (scriptClaims(reproduction).length > 0)
    return scriptText(reproduction, scriptTarget(flags, terminal));
  const what = `${reproduction.shown.requirement} cannot be told from single answers, so no script can show it`;
  throw usageFailure(what, '--export scenario: `assay play` judges all answers together');
}

function scriptTarget(flags: ReplayFlags, terminal: Terminal): ScriptTarget {
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
