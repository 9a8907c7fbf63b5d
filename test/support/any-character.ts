import fc from 'fast-check';

/**
 * Any character of Unicode, for `fc.string({ unit })`. The unit `binary` of the library gives the
 * same, but builds a table of 1,112,064 characters for each arbitrary: over 1 s of processor time.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((code) => String.fromCodePoint(code));

/** Text in a log that the runner of a CI job takes for a command. */
export const logCommand = /^[^\S\n]*::|##\w*\[/m;
