/**
 * What kind of contradiction a message tells of: without what differs from world to world. Numbers and ids go, quoted
 * text and the names of parties too.
 */
export const kindOfMessage = (message: string): string =>
  message
    .replaceAll(/"[^"]*"/g, '…')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/gi, '…')
    .replaceAll(/\b(?:step \d+|aftermath|party\.\w+)#\d+/g, '…')
    .replaceAll(/-?\d+(?:\.\d+)?/g, '…')
    .replaceAll(
      /\b(?:(?:sender|outsider|receiver)(?:_custodian)?|(?:sender|custodian)_…|maker_[a-z])(?![\w])/g,
      '…',
    );

/** The same for the same defect in every world. */
export const causeOf = (rule: string, requirement: string, message: string): string =>
  `${rule} · ${requirement} · ${kindOfMessage(message)}`;
