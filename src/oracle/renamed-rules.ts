/** Rules that were split or taken apart in November 2026, each with those that judge now what it judged then. */
const successors: Readonly<Record<string, readonly string[]>> = {
  'access.relations': ['access.lists'],
  'access.makers': ['access.settlements'],
  'access.own-side': ['access.roles', 'reads.due'],
  'access.tokens': ['access.expired-tokens'],
  'pagination.arithmetic': ['list.totals'],
  'list.walks': ['list.totals'],
  'list.completeness': [
    'list.completeness.orders',
    'list.completeness.quotes',
    'list.completeness.requests',
    'list.completeness.settlements',
    'reads.stay',
    'views.custodian-agrees',
  ],
  'list.belonging': ['settlement.of-settled-order', 'settlement.rollback', 'rfq.left'],
  'order.settlement-fields': ['settlement.rollback'],
  'order.failure-reasons': ['order.failure-reason-fits'],
  'order.acceptances': ['quote.accept-answer', 'quote.one-accepted'],
  'order.cancels': ['order.cancels-too-late'],
  answers: ['answers.custodian-acceptance', 'answers.acceptance-without-body'],
  'event.order-updated.right': ['event.order-updated.to-parties', 'event.order-updated.content'],
  'event.quote-received.right': [
    'event.quote-received.to-sender-side',
    'event.quote-received.caused',
  ],
  'event.quote-selection.right': [
    'event.quote-selection.to-makers-concerned',
    'event.quote-selection.once',
    'event.quote-selection.caused',
  ],
  'event.settlement-completed': ['event.settlement-completed.caused'],
};

/** The rules that judge now what a rule of that id judged once; none where it was never split. */
export const ruleSuccessors = (id: string): readonly string[] =>
  Object.hasOwn(successors, id) ? (successors[id] ?? []) : [];

/** Ids of rules that were split. */
export const splitRules: readonly string[] = Object.keys(successors);
