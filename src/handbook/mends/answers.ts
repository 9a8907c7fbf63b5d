import type { Mend } from './mend.ts';

/** Endpoints, envelopes, lists, events, refusals. */
export const answerMends: readonly Mend[] = [
  [
    /^base-url\.paths-relative$|^version\.prefix$/,
    'Keep the path that stands in front: `https://host/bank-a` and `/api/v1/orders` make `https://host/bank-a/api/v1/orders`. A reverse proxy often cuts or doubles it.',
  ],
  [
    /^body\.|^error\.body-json$|^stream\.content-type$/,
    'Set the content type and the form of the body in one place, for refusals too: web servers, proxies and frameworks have error pages of their own for what they refuse themselves.',
  ],
  [
    /^convention\./,
    'The value may stand anywhere, in events and nested objects as well: `evidence` names where. Convert in the serializer rather than at each endpoint.',
  ],
  [
    /^envelope\.pagination/,
    'Add `pagination` to what is a list, an empty one too, and to nothing else.',
  ],
  [
    /^envelope\.|^stats\.read\.returns-object$/,
    'Let every success go through one function that makes `{ data, meta }`. An endpoint that answers by itself is easily overlooked: cancels, acceptances, stats, empty lists.',
  ],
  [
    /^meta\.timestamp/,
    'Read the clock when the answer is made, and write it in UTC with milliseconds.',
  ],
  [/^meta\.request-id/, 'Make a new id for each request, GET or POST, whatever it answers.'],
  [
    /^pagination\.total-(items\.counts|pages\.arithmetic)$/,
    'Count with the same conditions as the page is selected with, and before it is cut: own items only, filter included. Pages are the count divided by the page size, rounded up.',
  ],
  [
    /^pagination\.(page-size\.(holds|full)|page\.as-asked)|^list\.pages-|^maker\.lists-have-pages$/,
    'Select pages over one fixed and total order, as creation and then id; cut them by the size that you tell, and answer with the page that was asked for. Use the same code for all lists.',
  ],
  [
    /status-filter/,
    'Filter in the query that counts and cuts pages, by the status as reads show it: if expiry is worked out when reading, the filter must do the same.',
  ],
  [
    /^(order\.list|quote\.list|rfq\.list|rfq\.quotes|order\.quotes)\.complete$|listed-afterwards$|readable-afterwards$|shown-to-order-side$|holds-(new-request|won)$|same-for-every-maker$|still-listed-once-quoted$/,
    'Look for what keeps an item out: a join on something optional, as a memo or a quote; a window of time; a limit before the filter; a cache that is not told of the new item.',
  ],
  [
    /-order-left$|^settlement\.list\.(settled-only|failed-left-out)$|^settlement\.read\.unsettled-refused$/,
    'Select by the current state of the order, by its deadline too, and not by what the list held before.',
  ],
  [
    /^order\.quotes\.unknown-refused$/,
    'Refuse an unknown `intent_id`, or answer with an empty list; never with quotes of another order.',
  ],
  [/^order\.quotes\.empty-without-quotes$/, 'Answer with `[]`, and not with null or a 404.'],
  [
    /unknown(-\w+)?-refused$/,
    'Look the object up first and answer with a 4xx, as 404, where there is none: no empty success, and no 500 for an id that is well formed.',
  ],
  [
    /^order\.create\.(not-json|malformed|number|negative|other-type).*refused$|^quote\.submit\.(not-json|malformed|missing).*refused$/,
    'Validate the body against a schema before anything is stored, types and forms, and answer with a 4xx. A parser that converts (`"1e3"`, `true`, a list of one) accepts what it must not.',
  ],
  [
    /^error\.refusal-is-4xx$/,
    'Turn what the caller got wrong into a 4xx: a 500 means that nothing caught it, a 2xx that nothing looked.',
  ],
  [
    /^error\.refusal-(changes-nothing|sends-no-event)$|only-after-quote$/,
    'Decide first, then write, then tell: all checks before the first write, the writes in one transaction, and events only after it is committed.',
  ],
  [
    /^error\.reasons-are-outcomes$/,
    'Give refusals codes of their own; the six words tell how an order ended.',
  ],
  [
    /(closed|expired)-request-refused$/,
    'Take quotes only while the order is PENDING and its `expires_at` lies ahead, checked in the transaction that stores the quote.',
  ],
  [/^quote\.submit\.status-201$/, 'Answer with 201, for a second quote of the same maker as well.'],
  [
    /no-body-needed$/,
    'Take the request without a body and without a content type; do not let a JSON parser refuse the empty one.',
  ],
  [
    /^quote\.accept\.selects-named-quote$/,
    'Accept the quote whose id is in the path, whichever is cheapest or newest.',
  ],
  [
    /^quote\.accept\.(returns|custodian-returns|custodian-answer)/,
    'Answer with the order as it is after the acceptance, read back after the transaction, with the fields of the accepted quote set.',
  ],
  [
    /^order\.create\.(returns|assigns)/,
    'Answer with the whole order as it was stored, with its new id and its status PENDING.',
  ],
  [
    /^order\.create\.succeeds$/,
    'Read what the refusal says. If it does not know a currency, a custodian or a contract that the suite made up, name some that it knows under `orders.defaults` of the target file (docs/target-file.md).',
  ],
  [
    /^order\.create\.once$/,
    'Store one order for each request that succeeds; look for a handler that is registered twice and for retries inside the backend.',
  ],
  [
    /^health\./,
    'Leave `/health` outside of the guard for tokens, and answer with success while the backend works.',
  ],
  [
    /^event\.[\w-]+\.not-to-|^event\.own-stream-only$/,
    'Work the addressees out of the order for each event, by party and not by role, and send to their streams alone.',
  ],
  [
    /^event\.[\w-]+\.once$|only-on-change$|^event\.settlement-completed\.only-settled$|not-while-open$/,
    'Send from the one place where the change is stored, once for each stream. A retry, a second timer or an update without a change must send nothing.',
  ],
  [
    /^event\.(in-order|after-cause)$/,
    'Send after the commit and in its order, through one queue for each party; two workers that send side by side overtake each other.',
  ],
  [
    /^event\.(every-open-stream|live|has-name|payload-json)$/,
    'Write each event as `event:` and one `data:` line with JSON, to every open stream of the party, and flush at once. A proxy or a compressing filter may hold it back.',
  ],
  [
    /^event\.[\w-]+\.(has-|names-)/,
    'Fill the payload from the stored object after the change; every kind of event needs the fields that the document names for it.',
  ],
  [
    /^event\.[\w-]+\.(sent|on-|to-|every-quote)/,
    'Send the event from the code that stores the change, whatever caused it: a request of either party, a timer, or the settlement. Look at each cause in turn; one of them was forgotten.',
  ],
  [
    /^stream\.intent-filter|^stream\.unfiltered/,
    'Apply `intent_id` as one more condition to what the party may see: with it only that order, without it everything.',
  ],
  [
    /^stream\.(opens|stays-open)$/,
    'Send headers at once, keep the connection open, and turn off time-outs for it in the server and in every proxy between.',
  ],
  [/^version\.schema-pinned$/, 'Send `v2` as text, wherever the version is shown.'],
];
