import fc from 'fast-check';

/**
 * Any character of Unicode, for `fc.string({ unit })`. The library's own unit `binary` is the same, and makes a table of
 * all 1,112,064 of them for each arbitrary that uses it: over a second of processor time.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((code) => String.fromCodePoint(code));

/** Text in a log that the runner of a CI job takes for a command. */
export const logCommand = /^[^\S\n]*::|##\w*\[/m;
