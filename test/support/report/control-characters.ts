/** Characters that a terminal or an editor may obey: controls, line ends, text direction. */
export const controlCharacters = /\p{Cc}|[\p{Bidi_Control}\u2028\u2029]/u;

/** A text of many lines on one, its tabs left out: what it may have. */
export const joinedLines = (text: string): string => text.replaceAll(/[\n\t]/g, '');
