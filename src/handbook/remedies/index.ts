import { type Field, fieldsOf } from '../../spec/fields.ts';
import {
  accessRequirement,
  allowedRequirement,
  fieldTables,
  findFieldRequirement,
  guardedEndpoints,
  type Requirement,
  type RequirementId,
  requirements,
  type TableName,
} from '../../spec/requirements/index.ts';
import { roles } from '../../spec/vocabulary.ts';
import { ofAccess } from './access.ts';
import {
  addressees,
  allowedFields,
  lostItem,
  ofAnswers,
  oneEnvelope,
  oneOrderOfPages,
  payload,
  sentOnce,
} from './answers.ts';
import { ofOrders, oneViewCode } from './orders.ts';

/** Advice on writing a value of each form. */
const byForm: Readonly<Record<Field['form'], string>> = {
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

const ofForms = (Object.keys(fieldTables) as TableName[]).flatMap((table) =>
  fieldsOf(fieldTables[table]).map(({ name, form }) => [
    findFieldRequirement(table, name, 'form'),
    byForm[form],
  ]),
);

const [otherRole, ownRole] = [
  'Look at the role of the token before anything else, by one table of roles for each endpoint that every route goes through, and answer with a 4xx.',
  'Add the role to those that the endpoint takes. If it is there, look for a second guard behind it, as for the relation to an order, that knows only the other roles.',
];

const ofRoles = guardedEndpoints.flatMap((endpoint) =>
  roles.map((role) => [
    accessRequirement(endpoint, role),
    allowedRequirement(endpoint, role) ? ownRole : otherRole,
  ]),
);

const everyRole =
  'Add the field to this answer for every role. A value that is not known yet is better asked for at start-up than left out.';
const fromClaims =
  'Fill the answer from the claims of the token, not from a configuration beside it.';

type Kind = 'token' | 'event' | 'endpoint' | 'field' | 'other';

/** Remedies by the kind of a subject and its name, a departure, or the part of the document. */
const general: Readonly<Record<`${Kind} ${string}`, string>> = {
  'token 5.1':
    'Put the endpoint behind the same guard as the others, and let a missing token be refused with a 4xx before the request is looked at.',
  'event heartbeat':
    'Send a heartbeat on every open stream each 30 seconds, by a timer of its own for each stream, whether events go by or not. Look for a proxy that buffers.',
  'event not sent':
    'Send the event from the code that stores the change, whatever caused it: a request of either party, a timer, or the settlement. Look at each cause in turn; one of them was forgotten.',
  'event to others': addressees,
  'event repeated': sentOnce,
  'event missing': payload,
  'event 6': oneViewCode,
  'endpoint token.create': 'Answer a bare POST: without a token, without a body, in the envelope.',
  'endpoint health.read':
    'Leave `/health` outside of the guard for tokens, and answer with success while the backend works.',
  'endpoint too much':
    "Put the caller's party into the query itself, together with every filter, sort and page, so that no combination of parameters goes around it. Compare whole identifiers, not names.",
  'endpoint left out': lostItem,
  'endpoint 1.4':
    'After the role check the relation: load the order, compare its party with that of the token, and refuse before anything changes. Do so on every endpoint that takes an id, in every state of the order.',
  'endpoint 3.1':
    'Check the state and the deadline of the order and of the quote inside the transaction that accepts, by the clock and not by the stored status alone: a sweep may not have come yet.',
  'endpoint 7':
    'Validate the body against a schema before anything is stored, types and forms, and answer with a 4xx. A parser that converts (`"1e3"`, `true`, a list of one) accepts what it must not.',
  'field data': oneEnvelope,
  'field pagination': 'Add `pagination` to what is a list, an empty one too, and to nothing else.',
  'field meta.timestamp':
    'Read the clock when the answer is made, and write it in UTC with milliseconds.',
  'field meta.request_id': 'Make a new id for each request, GET or POST, whatever it answers.',
  'field failure_reason':
    'Set the reason where the order ends, from what ended it; do not derive it later from its state alone. A reason that does not apply is better left out.',
  'field missing 2.1':
    'Fill `pagination` in one place for all lists, for empty ones and for pages past the end as well.',
  'field missing 2.6': everyRole,
  'field missing 2.7': everyRole,
  'field missing 5.3':
    'Add the claim where the token is signed. If an identity provider issues your tokens, map it there.',
  'field missing':
    'Send the field wherever the object shows: read alone, on every page of a list, under a filter, and in every state. Look for a query that selects fewer columns in one of them, and for a serializer that leaves null or empty values out.',
  'field too early':
    'Leave the field out, or null, until its moment. A best or only quote is not accepted yet, and an expected time or hash is none.',
  'field 2.1': oneOrderOfPages,
  'field 2.2':
    'Store what the sender sent as it came and show that: no trimming, rounding, change of case or escaping. Compare the columns that are written with those that are read; two may be swapped.',
  'field 2.3':
    'Store the terms as submitted and show them in full, to the maker and to the order side: no rounding, no inversion of the rate, no default in place of a given deadline.',
  'field 2.4':
    'Make the request out of the stored order, field by field, and not out of the maximum, of a remaining amount, or of values that are formatted for display.',
  'field 2.5':
    'Write the settlement from the order as it settled, or read both from one row. Look for swapped columns, for rounding, and for a value that is generated a second time.',
  'field 2.6': fromClaims,
  'field 3.2':
    'In the transaction of the acceptance set the chosen quote ACCEPTED and every PENDING quote of other makers on that order REJECTED, whoever accepted. Nothing later changes the accepted one.',
  'field 5.3': 'Set the claim where tokens are signed; the value is fixed by the document.',
  'field 5.6': fromClaims,
  'other changed':
    'Write the value once. Look for an update on a later change of state that overwrites it or sets it to null, and for a view that works it out anew from what is current.',
  'other gives away': allowedFields,
  'other preface':
    'Set the content type and the form of the body in one place, for refusals too: web servers, proxies and frameworks have error pages of their own for what they refuse themselves.',
  'other conventions':
    'The value may stand anywhere, in events and nested objects as well: `evidence` names where. Convert in the serializer rather than at each endpoint.',
  'other 6':
    'Write each event as `event:` and one `data:` line with JSON, to every open stream of the party, and flush at once. A proxy or a compressing filter may hold it back.',
};

/** Remedies by requirement id or by kind. A remedy for one requirement takes precedence over that of its kind. */
export const remedies: Readonly<Record<string, string | undefined>> = {
  ...general,
  ...Object.fromEntries([...ofForms, ...ofRoles]),
  ...ofAccess,
  ...ofAnswers,
  ...ofOrders,
};

/** Advice on repairing a departure from a requirement. Undefined if the requirement itself says it all. */
export function remedyOf(id: RequirementId): string | undefined {
  const { part, departs, about = {} }: Requirement = requirements[id];
  const { event, endpoint, field, token } = about;
  const kind = token
    ? 'token'
    : event
      ? 'event'
      : endpoint
        ? 'endpoint'
        : field
          ? 'field'
          : 'other';
  const keys = [
    id,
    `${kind} ${event ?? endpoint ?? field}`,
    `${kind} ${departs} ${part}`,
    `${kind} ${departs}`,
    `other ${departs}`,
    `${kind} ${part}`,
  ];
  return keys.map((key) => remedies[key]).find((remedy) => remedy !== undefined);
}
