/** What a terminal or an editor may obey: control characters, ends of lines among them, and turns of the direction. */
export const controlCharacters = /\p{Cc}|[\p{Bidi_Control}\u2028\u2029]/u;

/** A text of many lines on one, its tabs left out: what it may have. */
export const joinedLines = (text: string): string => text.replaceAll(/[\n\t]/g, '');
