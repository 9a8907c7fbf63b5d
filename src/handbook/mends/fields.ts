import type { FormName } from '../../spec/forms.ts';
import type { Mend } from './mend.ts';

/** How to write a value of each form. */
export const mendsOfForms: Readonly<Record<FormName | 'enum' | 'integer', string>> = {
  decimal:
    'Send a JSON string in plain notation: no JSON number, no exponent, no separators between thousands. Keep the value as text or in a decimal type all the way; a float loses digits.',
  timestamp:
    'Write UTC with three decimals and `Z`, as `2026-01-05T09:00:00.000Z`. Some libraries leave `.000` out on whole seconds, or write the local zone.',
  uuid: 'Send the 36 characters of a UUID with their hyphens, without a prefix; if storage keeps another form, convert it in one place that every answer goes through.',
  party:
    'Show the whole identifier, name and key with two colons between them, and not a display name or the id of a table.',
  contract: 'Send hexadecimal digits, `#` and the index; the index is part of the identifier.',
  hex: 'Send hexadecimal digits as text. Base64, or bytes as a list of numbers, are other forms.',
  currency: 'Send the code as a string that is not empty.',
  text: 'Send a string, also where the value looks like a number.',
  integer: 'Send a JSON number without quotes.',
  enum: 'Send one of the listed words, spelt as listed, letter for letter; map your own words to them in one place.',
};

/** Fields of resources: there, of their form, right, and the same everywhere. */
export const fieldMends: readonly Mend[] = [
  [
    /^claim\..*\.present$/,
    'Add the claim where the token is signed. If an identity provider issues your tokens, map it there.',
  ],
  [
    /^(token|identity)\..*\.present$/,
    'Add the field to this answer for every role. A value that is not known yet is better asked for at start-up than left out.',
  ],
  [
    /^pagination\..*\.present$/,
    'Fill `pagination` in one place for all lists, for empty ones and for pages past the end as well.',
  ],
  [
    /\.present$/,
    'Send the field wherever the object shows: read alone, on every page of a list, under a filter, and in every state. Look for a query that selects fewer columns in one of them, and for a serializer that leaves null or empty values out.',
  ],
  [
    /^order\..*\.echo$/,
    'Store what the sender sent as it came and show that: no trimming, rounding, change of case or escaping. Compare the columns that are written with those that are read; two may be swapped.',
  ],
  [
    /^order\..*\.unchanged$|^quote\.terms-unchanged$|^settlement\.unchanged$/,
    'Write the value once. Look for an update on a later change of state that overwrites it or sets it to null, and for a view that works it out anew from what is current.',
  ],
  [
    /\.set-on-(acceptance|settlement)$|^order\.accepted\.sets-quote-fields$|^order\.settled\.sets-hash$/,
    'Write the field in the same transaction as the new status, so that no reader sees one without the other, and show it in lists and to custodians as well as in the read of the sender.',
  ],
  [
    /\.not-before-(acceptance|settlement)$/,
    'Leave the field out, or null, until its moment. A best or only quote is not accepted yet, and an expected time or hash is none.',
  ],
  [
    /^rfq\..*\.as-order$/,
    'Make the request out of the stored order, field by field, and not out of the maximum, of a remaining amount, or of values that are formatted for display.',
  ],
  [
    /^settlement\.(mm-quoted-source-amount)\.as-quote$/,
    'Take the source amount of the quote that was accepted, not of the first, the best or the latest one.',
  ],
  [
    /^settlement\..*\.as-order$/,
    'Write the settlement from the order as it settled, or read both from one row. Look for swapped columns, for rounding, and for a value that is generated a second time.',
  ],
  [
    /^order\.intent-id\.unique$|^quote\.quote-id\.unique$/,
    'Generate the id for each new object, and let the database hold it unique. An id made of a time, a hash of the terms or a counter that starts again comes twice.',
  ],
  [
    /^order\.sender-party-id\.is-creator$|^quote\.market-maker-party-id\.is-submitter$/,
    'Take the party from the claims of the token that made the request, never from the body or from what was used last.',
  ],
  [
    /^order\.created-at\.at-creation$|^quote\.submitted-at\.at-submission$|^order\.quote-accepted-at\.at-acceptance$/,
    'Read the clock while handling the request, and store that moment. Look for the time of another request or object, for a time zone, and for a host whose clock is wrong: `assay probe` shows the offset.',
  ],
  [
    /^order\.settled-at\.at-settlement$/,
    'Store the moment at which the last leg completed: not that of the acceptance, and not that of the read.',
  ],
  [
    /^order\.expires-at\.after-creation$/,
    'Add the lifetime of orders to `created_at`. Look for seconds taken for milliseconds, and for a zone that is applied twice.',
  ],
  [
    /^order\.expires-at\.acceptable-until$/,
    'Compare with `expires_at` itself, without a margin before it, and let nothing but its state and its deadlines close an order.',
  ],
  [
    /^order\.(quote-id\.names-accepted-quote|market-maker-party-id\.is-winner|fx-rate\.of-accepted-quote|source-amount-actual\.of-accepted-quote)$/,
    'Copy the terms from the quote whose id is in the path of the acceptance, all from the same row: not from the best, the first or the latest quote.',
  ],
  [
    /source-amount.*\.agrees-with-rate$|same-amounts$/,
    'Compute with decimals, in one orientation of the rate, and round once, at the end. A fee, or a rate that was cut for display, makes the three disagree.',
  ],
  [
    /^order\.source-amount-actual\.at-most-max$/,
    'Refuse the acceptance of a quote whose source amount is above `source_amount_max`. Compare as decimals: as text `9` is above `10`, and as floats large amounts lose their cents.',
  ],
  [
    /^order\.failure-reason\.(no-quote|slippage|timeout|revert|user-cancelled|operator-withdrawn|applies)$/,
    'Set the reason where the order ends, from what ended it; do not derive it later from its state alone. A reason that does not apply is better left out.',
  ],
  [
    /^order\.failure-reason\./,
    'Show one of the six values on orders that ended without settling and on no other, the same in every view.',
  ],
  [
    /^quote\.intent-id\.names-order$/,
    'Take the id from the path under which the quote was submitted.',
  ],
  [
    /^quote\.(fx-rate|target-amount|valid-until)\.as-submitted$|^own-quote\..*\.echo$/,
    'Store the terms as submitted and show them in full, to the maker and to the order side: no rounding, no inversion of the rate, no default in place of a given deadline.',
  ],
  [
    /views-agree$|agrees-with-(read|list|request|quote)$|custodian-sees-same$/,
    'Build both views with the same code from the same stored object. Where one comes from a cache or a read model, bring it up to date in the same step.',
  ],
];
