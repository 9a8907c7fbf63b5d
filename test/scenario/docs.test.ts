import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playEmbedded } from '../../src/run/play-embedded.ts';
import { runProgram } from '../../src/cli/program.ts';
import { load } from '../../src/scenario/language/load.ts';
import { withDocsTables } from '../../scripts/docs-tables.ts';
import { renderSourceErrors } from '../../src/yaml/index.ts';
import { root } from '../architecture/source.ts';
import { recordingTerminal } from './recording-terminal.ts';

const page = readFileSync(join(root, 'docs/scenarios.md'), 'utf8');

/** Examples of steps belong together within a section: what one saves the next may use. */
function examplesOf(markdown: string): { readonly name: string; readonly text: string }[] {
  return markdown.split(/^(?=#+ [A-Z])/m).flatMap((section) => {
    const name = /^#+ (.*)/.exec(section)?.[1] ?? '';
    const blocks = [...section.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(
      (found) => found[1] ?? '',
    );
    const whole = blocks.filter((block) => !block.startsWith('- '));
    const steps = blocks.filter((block) => block.startsWith('- ')).join('');
    const made = steps === '' ? [] : [`scenario: ${name}\nparties: [maker_b]\nsteps:\n${steps}`];
    return [...whole, ...made].map((text) => ({ name, text }));
  });
}

describe('docs/scenarios.md', () => {
  it('has the tables of the language; `npm run docs` writes them', () => {
    expect(page).toBe(withDocsTables(page));
  });

  it('shows no error that is not printed so', () => {
    const shown = /```\n(scenarios\/failing\/[\s\S]*?)\n```/.exec(page)?.[1] ?? '';
    const golden = readFileSync(join(root, 'scenarios/failing/files/unknown-name.out'), 'utf8');
    expect(golden).toContain(shown);
    expect(shown).not.toBe('');
  });

  it('prints what it shows', async () => {
    const shown = /^\$ assay play (\S+)\n([\s\S]*?)^```/m.exec(page);
    const [, file = '', output = ''] = shown ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'assay-docs-'));
    writeFileSync(join(folder, file), examplesOf(page)[0]?.text ?? '');
    const terminal = recordingTerminal(folder);
    expect(await runProgram(['play', file], terminal)).toBe(0);
    rmSync(folder, { recursive: true });
    expect(terminal.text()).toBe(output.trimEnd().replace(/in \d+\.\d s$/, 'in 0.0 s'));
  });

  it.each(examplesOf(page))('plays: $name', async ({ text }) => {
    const file = 'example.yaml';
    const none = {
      read: () => ({ reason: 'none' }),
      resolve: (_: string, wanted: string) => wanted,
    };
    const loaded = load({ file, text }, none);
    if (!loaded.ok) throw new Error(renderSourceErrors(loaded.errors, text));
    const judged = await playEmbedded(loaded.scenarios, {
      seed: 1n,
      keepsRecords: false,
      onPlayed: () => undefined,
    });
    for (const { played } of judged) {
      const failures = played.failures.map(({ at, message, mismatches }) => ({
        at,
        message,
        mismatches,
      }));
      expect({ verdict: played.verdict, reason: played.reason, failures }).toMatchObject({
        verdict: 'pass',
        failures: [],
      });
    }
  });
});
