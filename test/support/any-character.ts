import fc from 'fast-check';

/**
 * Any character of Unicode, for `fc.string({ unit })`. It is the library's own unit `binary`, which makes a table of all
 * 1,112,064 of them for each string, and takes a second for that.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((code) => String.fromCodePoint(code));
