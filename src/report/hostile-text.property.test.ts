import { createSecrets } from '../history/secrets/secrets.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCtrf } from './formats/ctrf.ts';
import { pageOf } from '../../test/support/report/page-of.ts';
import { toAnnotations } from './formats/annotations.ts';
import { toBadge } from './formats/badge.ts';
import { toJson } from './formats/json.ts';
import { toJunit } from './formats/junit.ts';
import { toMarkdown } from './formats/markdown.ts';
import { controlCharacters, joinedLines } from '../../test/support/report/control-characters.ts';
import type { RunReport } from '../results/run-report.ts';
import { history, report as sample } from '../../test/support/report/check-run.ts';
import { playedHistory, playedReport } from '../../test/support/report/scenario-run.ts';
import { toText } from './formats/text.ts';
import { applyBaseline } from './baseline.ts';
import { applyWaivers } from './waivers.ts';
import { anyCharacter, logCommand } from '../../test/support/any-character.ts';

const harmful = [
  '<script>',
  '</script>',
  ']]>',
  '<!--',
  '-->',
  '"',
  "'",
  '&',
  '&lt;',
  '<',
  '>',
  '`',
  '\u0000',
  '\u001B[31m',
  '\uFFFE',
  '\uD800',
  '\uDC00',
  '\u202E',
  '\u200F',
  '\u061C',
  '\u2028',
  '\r\n',
  '\t',
  '|',
  '[a](b)',
  '**',
  '```',
  '</details>',
  '" onclick="',
  '$TOKEN',
  '\\',
  '${x}',
  '\n# h',
  '\n::error::x',
  '\n  ::stop-commands::x',
  '##[group]',
  '##vso[task.setvariable]',
  '\u001B]0;title\u0007',
  '\u009B2J',
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
  '<![CDATA[',
  '%0A::error::x',
  '-->:,',
];

/** Random text, or a mix of pieces that break out of a format. */
const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc
    .array(fc.constantFrom(...harmful), { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join('')),
);

const runs = { numRuns: 25 };
/** Tags with the values of their attributes blanked. */
const skeleton = (markup: string): string[] =>
  (markup.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/"[^"]*"/g, '""'));

const wellFormed = (text: string): boolean =>
  new TextDecoder().decode(new TextEncoder().encode(text)) === text;

/** The sample with waivers that came true or not, and a baseline of which everything differs. */
function report(text: string): RunReport {
  const plain = sample(text);
  const causes = plain.causes?.map((cause) => ({
    ...cause,
    id: `gone${text}`,
    title: `Gone.${text}`,
  }));
  const earlier: RunReport = {
    ...plain,
    suite: { ...plain.suite, version: '0.0.1' },
    target: { ...plain.target, name: `other${text}` },
    requirements: plain.requirements.map((each) => ({ ...each, verdict: 'pass' })),
    causes: causes ?? [],
    gaps: plain.gaps.map((gap) => ({ ...gap, declared: `was${text}`, observed: `was${text}` })),
  };
  const waivers = [
    { cause: `none${text}`, reason: `why${text}` },
    { id: 'order.form', message: `never${text}`, reason: `why${text}` },
  ];
  return applyBaseline(applyWaivers(plain, waivers), { file: `b${text}.json`, report: earlier });
}

describe('text that means harm', () => {
  it('adds no tag to JUnit, and nothing that XML 1.0 cannot hold', () => {
    const plain = skeleton(toJunit(report('x')));
    fc.assert(
      fc.property(hostile, (text) => {
        const xml = toJunit(report(text));
        expect(skeleton(xml)).toEqual(plain);
        expect(joinedLines(xml)).not.toMatch(controlCharacters);
        expect(xml).not.toMatch(/[\uFFFE\uFFFF]/);
        expect(wellFormed(xml)).toBe(true);
        // Every ampersand begins one of the entities that XML knows.
        expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39|#10|#9|#35|#58);)/);
        expect(xml).not.toMatch(logCommand);
      }),
      runs,
    );
  });

  it('adds no element and no attribute to the page', () => {
    const plain = skeleton(pageOf(report('x'), history('x')));
    fc.assert(
      fc.property(hostile, (text) => {
        expect(skeleton(pageOf(report(text), history(text)))).toEqual(plain);
      }),
      runs,
    );
  });

  it('adds no element and no attribute to what is drawn', () => {
    const played = (text: string): string => pageOf(playedReport(text), playedHistory(text));
    const plain = skeleton(played('x'));
    fc.assert(
      fc.property(hostile, (text) => {
        const html = played(text);
        expect(skeleton(html)).toEqual(plain);
        expect(joinedLines(html)).not.toMatch(controlCharacters);
        expect(wellFormed(html)).toBe(true);
      }),
      runs,
    );
  });

  it('reaches no terminal', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = toText(report(text), createSecrets().maskHistory(history(text)), {
          colour: 'plain',
        });
        expect(joinedLines(shown)).not.toMatch(controlCharacters);
        expect(shown).not.toMatch(logCommand);
      }),
      runs,
    );
  });

  it('adds no line to Markdown', () => {
    const lines = toMarkdown(report('x')).split('\n').length;
    fc.assert(
      fc.property(hostile, (text) => {
        const markdown = toMarkdown(report(text));
        expect(markdown.split('\n')).toHaveLength(lines);
        expect(markdown).not.toMatch(logCommand);
      }),
      runs,
    );
  });

  it('adds no element to a badge', () => {
    const plain = skeleton(toBadge(report('x')));
    fc.assert(
      fc.property(hostile, (text) => {
        const svg = toBadge(report(text));
        expect(skeleton(svg)).toEqual(plain);
        expect(svg.replaceAll('\n', '')).not.toMatch(controlCharacters);
        expect(wellFormed(svg)).toBe(true);
      }),
      runs,
    );
  });

  it('adds no command to annotations, and no property to one', () => {
    const form = /^::(?:error|warning|notice) title=[^:,]*::[^\n]*$/;
    const count = toAnnotations(report('x')).split('\n').length;
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = toAnnotations(report(text)).split('\n');
        expect(lines).toHaveLength(count);
        expect(lines.pop()).toBe('');
        for (const line of lines) {
          expect(line).toMatch(form);
          expect(line).not.toMatch(controlCharacters);
          expect(line).not.toMatch(/##\w*\[/);
          // Every percent sign begins one of the four that the runner reads back.
          expect(line).not.toMatch(/%(?!25|0D|0A|3A|2C)/);
        }
      }),
      runs,
    );
  });

  it('comes back from JSON as it was', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const read = JSON.parse(toJson(report(text))) as ReturnType<typeof report>;
        expect(read.target.name).toBe(`acme-fx 2.3${text}`);
        expect(() => JSON.parse(toCtrf(report(text))) as unknown).not.toThrow();
        for (const json of [toJson(report(text)), toCtrf(report(text))]) {
          expect(json.replaceAll('\n', '')).not.toMatch(controlCharacters);
          expect(json).not.toMatch(logCommand);
        }
      }),
      runs,
    );
  });
});
