/** Rules that judge one requirement together, and what each of them sees that the others cannot. */
export interface SharedBy {
  readonly rules: readonly string[];
  readonly why: string;
}

/** Rules that share a requirement, with the reason; a test holds that no other rules do. */
export const sharedRequirements: readonly SharedBy[] = [
  {
    rules: ['access.roles', 'reads.due', 'access.relations'],
    why: 'The first sees what nobody of a role is given, the last what a relation to one order gives, and reads.due what one party is refused later, or only sometimes.',
  },
  {
    rules: ['access.roles', 'streams.limited', 'streams.equal', 'requests.due', 'creations.due'],
    why: 'The first sees what nobody of a role is given; the others what one party is refused beside others that are served, or for some time.',
  },
  {
    rules: ['access.roles', 'wire.refusals'],
    why: 'wire.refusals sees answers of 4xx and 5xx; access.roles an answer that is neither a refusal nor a success.',
  },
  {
    rules: ['conventions', 'conventions.precision'],
    why: 'One looks at each value, the other at how fine all moments of one party are over the run.',
  },
  {
    rules: ['privacy.sender', 'privacy.unrelated'],
    why: 'One looks at what is about one order, the other at everything else that makers receive.',
  },
  {
    rules: ['order.creation', 'answers.assigned-ids', 'answers.one-id-each', 'quote.submission'],
    why: 'That an id is there shows in one answer; that the service chose it shows beside the body, and that it is new beside all other ids.',
  },
  {
    rules: [
      'order.states',
      'event.order-updated.right',
      'event.quote-received.caused',
      'event.quote-request-new',
      'event.quote-selection.caused',
    ],
    why: 'Each kind of event has a cause of its own.',
  },
  {
    rules: ['order.acceptance-needed', 'refusal.no-change', 'order.unasked', 'quote.refused'],
    why: 'refusal.no-change compares reads before and after; what a refused acceptance, creation or quote leaves behind shows without a read before it.',
  },
  {
    rules: [
      'event.quote-received.caused',
      'event.quote-selection.caused',
      'refusal.no-event',
      'refusal.no-request',
    ],
    why: 'Each sees the events of one kind of refused request.',
  },
  {
    rules: ['order.acceptances', 'quote.late-acceptance', 'order.effects'],
    why: 'One knows from a state that the order had ended, one from its deadline, and one from a search for an order of effects.',
  },
  {
    rules: ['order.cancels-too-late', 'order.effects'],
    why: 'One knows the state of the order from one answer, the other from a search for an order of effects.',
  },
  {
    rules: ['quote.states', 'quote.one-accepted', 'order.effects'],
    why: 'One follows a quote, one compares the quotes of an order, one searches for an order of effects.',
  },
  {
    rules: [
      'streams.limited',
      'event.order-updated.sent',
      'event.quote-received.sent',
      'event.quote-request-new',
      'event.quote-selection',
      'event.settlement-completed',
      'stream.outlives-events',
    ],
    why: 'Each judges the delivery of its own events; streams.limited sees streams that are refused, and stream.outlives-events those that break off whenever they have something to deliver.',
  },
  {
    rules: ['stream.stays-open', 'stream.outlives-events'],
    why: 'One measures how long a stream lasts, the other whether it ends with each event.',
  },
  {
    rules: ['event.order-updated.right', 'event.creations-told', 'event.maker-order'],
    why: 'One looks at the updates of one order, creations-told compares orders, maker-order looks at the events of makers.',
  },
  {
    rules: ['list.walks', 'list.page-sizes', 'list.pages-there'],
    why: 'One follows a walk from page to page, one compares walks of different page sizes, one looks at pages that are refused.',
  },
  {
    rules: ['list.status-filters', 'list.completeness.orders'],
    why: 'One sees what a filtered list holds too much, the other what it lacks.',
  },
  {
    rules: ['order.failure-reason-fits', 'order.cancel-reasons-shown'],
    why: 'One judges the reason that a cancelled order shows, the other looks for those that show none.',
  },
  {
    rules: ['list.completeness.quotes', 'reads.stay', 'views.custodian-agrees', 'list.belonging'],
    why: 'What must be there, what is there no more after it was, what another party is shown, and what was not asked for.',
  },
  {
    rules: ['order.states', 'requests.due', 'cancels.due', 'order.effects'],
    why: 'What one or two answers show, and what only a search for an order of effects does.',
  },
];
