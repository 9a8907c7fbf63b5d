/** Kinds of departure, each with its words in a title, after the place. */
export const deviations = {
  'no answer': 'is not answered',
  fault: 'is answered with a fault of the server',
  refused: 'is refused where it must be granted',
  'let through': 'is granted where it must be refused',
  'other status': 'is refused with another status than it must',
  'not sent': 'is not sent where it is due',
  repeated: 'comes more than once',
  'to others': 'goes to parties that it is not for',
  'out of order': 'comes before its cause, or out of order',
  'late or early': 'comes too late or too early',
  'gives away': 'tells what must stay hidden',
  'left out': 'leaves out what it must hold',
  'too much': 'holds what it must not',
  'too early': 'is set before its time',
  missing: 'is missing',
  'wrong form': 'does not have its form',
  changed: 'changes where it must stay',
  'wrong state': 'shows the wrong state',
  'wrong value': 'has another value than it must',
  other: 'departs from what the document says',
} as const;
export type Deviation = keyof typeof deviations;

/** Deviations of a whole request or event: no field of a body is to blame. */
export const wholeDeviations: ReadonlySet<string> = new Set<Deviation>([
  'no answer',
  'fault',
  'refused',
  'let through',
  'other status',
  'not sent',
  'repeated',
  'to others',
  'late or early',
  'out of order',
  'left out',
  'too much',
]);
