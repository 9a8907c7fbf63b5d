import fc from 'fast-check';
import { expect, it } from 'vitest';
import { report } from '../../../test/support/report/check-run.ts';
import { recordingTerminal } from '../../../test/scenario/recording-terminal.ts';
import { controlCharacters } from '../../../test/support/report/control-characters.ts';
import { openRunEvents } from './run-events.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';

it('writes events that no terminal and no CI runner obeys, whatever a target sent', () => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom(
      '\n::error::x',
      '##[group]x',
      '\u001B[2J',
      '\u009B2J',
      '\u2028',
      '\u061C',
      '\\##vso[x',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
      const text = pieces.join('');
      const terminal = recordingTerminal();
      const causes = (report().causes ?? []).map((cause) => ({ ...cause, title: text }));
      const events = openRunEvents('-', terminal);
      events.stage(text);
      events.finished({ ...report(), causes }, 1);
      const lines = terminal.text().split('\n');
      expect(lines).toHaveLength(2 + causes.length);
      for (const line of lines) {
        expect(line).toMatch(/^\{.*\}$/);
        expect(line).not.toMatch(controlCharacters);
        expect(line).not.toMatch(/##\w*\[/);
      }
      expect(JSON.parse(lines[0] ?? '')).toEqual({ event: 'stage', what: text });
      expect(JSON.parse(lines[1] ?? '')).toMatchObject({ event: 'cause', title: text });
    }),
    { numRuns: 40 },
  );
});
