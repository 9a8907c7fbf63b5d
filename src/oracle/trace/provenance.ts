import { hasForm } from '../../spec/forms.ts';
import { type Field, fieldsOf } from '../../spec/fields.ts';
import { OrderRequest, QuoteRequest } from '../../spec/resources.ts';
import { type JsonObject, textOf } from '../../protocol/json.ts';
import { type Call, mayHaveTakenEffect } from './calls.ts';
import type { OrderTrace, QuoteTrace } from './traces.ts';

export interface Traces {
  readonly orders: ReadonlyMap<string, OrderTrace>;
  readonly quotes: ReadonlyMap<string, QuoteTrace>;
}

/** Location of a value: the ids beside it, and the request whose answer shows it. */
export interface ShownAt {
  readonly value: object;
  readonly call?: Call | undefined;
}

/**
 * The orders and quotes that belong to a history. A live target also holds those of earlier runs and of other clients:
 * they are evidence only for the forms of fields that the service itself assigns.
 */
export interface Provenance {
  /** Orders and quotes that this history created. Of a recording, all: it may show only things that began before it. */
  readonly own: Traces;
  /**
   * True if the service is responsible for the form of a field: it assigns the field, or this history created the
   * object and sent the field well formed. A service may return a client's malformed text unchanged.
   */
  readonly answersForForm: (name: string, at: ShownAt) => boolean;
}

const byName = (fields: readonly Field[]): ReadonlyMap<string, Field> =>
  new Map(fields.map((field) => [field.name, field]));
const [ofOrder, ofQuote] = [byName(fieldsOf(OrderRequest)), byName(fieldsOf(QuoteRequest))];

const isProper = (field: Field, body: JsonObject): boolean => {
  const sent = body[field.name];
  if (sent === undefined) return true;
  return field.form !== 'enum' && field.form !== 'integer' && hasForm(field.form, sent);
};

/** Signatures of creations whose answer was lost, if no other creation sent the same signature. */
function lostMarks(creations: readonly Call[]): ReadonlySet<string> {
  const signatures = creations.map(({ sent }) => textOf(sent, 'intent_signature'));
  return new Set(
    creations.flatMap((call, index) => {
      const mark = signatures[index];
      if (mark === undefined || call.ok || !mayHaveTakenEffect(call)) return [];
      return signatures.indexOf(mark) === signatures.lastIndexOf(mark) ? [mark] : [];
    }),
  );
}

/** @param isRecorded the history was recorded, not driven */
export function provenanceOf(
  every: Traces,
  creations: readonly Call[],
  isRecorded: boolean,
): Provenance {
  const marks = lostMarks(creations);
  const isOwnOrder = ({ creation, snapshots }: OrderTrace): boolean =>
    isRecorded ||
    creation !== undefined ||
    (marks.size > 0 &&
      snapshots.some(({ value }) => marks.has(textOf(value, 'intent_signature') ?? '')));
  const orders = new Map([...every.orders].filter(([, trace]) => isOwnOrder(trace)));
  const isOwnQuote = ({ submission, intentId }: QuoteTrace): boolean =>
    isRecorded || submission !== undefined || orders.has(intentId ?? '');
  const quotes = new Map([...every.quotes].filter(([, trace]) => isOwnQuote(trace)));

  const sentIn = (body: JsonObject | undefined, field: Field | undefined): boolean =>
    field !== undefined && body !== undefined && isProper(field, body);

  function answersForForm(name: string, { value, call }: ShownAt): boolean {
    const [order, quote] = [ofOrder.get(name), ofQuote.get(name)];
    if (!order && !quote) return true;
    // An answer to a creation shows what was just sent, whichever id it has.
    if (call?.endpoint === 'order.create' && order) return sentIn(call.sent, order);
    if (call?.endpoint === 'quote.submit' && quote) return sentIn(call.sent, quote);
    const trace = orders.get(textOf(value, 'intent_id') ?? call?.exchange.params.intent_id ?? '');
    if (order && !sentIn(trace?.sent, order)) return false;
    if (!quote) return true;
    const quoteId = textOf(value, 'quote_id');
    const named = quoteId === undefined ? undefined : quotes.get(quoteId);
    if (quoteId !== undefined) return named !== undefined && sentIn(named.sent, quote);
    const all = trace?.quotes ?? [];
    // Without an id it is of the order, or of any of its quotes.
    return (order !== undefined || all.length > 0) && all.every(({ sent }) => sentIn(sent, quote));
  }

  return { own: { orders, quotes }, answersForForm };
}
