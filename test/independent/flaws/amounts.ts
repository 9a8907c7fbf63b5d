import type { Flaw } from './flaw.ts';

/** The maximum of an order and the amounts of its quotes. */
export const amountFlaws: readonly Flaw[] = [
  {
    id: 'smaller-amount-held-against-maximum',
    part: '2.2',
    breaks:
      'A quote above source_amount_max is accepted and settles if its target amount, taken as a number, is within the maximum.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (this.dialect.aboveMax === 'refuse-submit' && source.gt(max))",
        replace:
          "    if (this.dialect.aboveMax === 'refuse-submit' && D.min(source, target).gt(max))",
      },
      {
        file: 'order-book.ts',
        find: "    if (new D(quote.source).gt(order.body.source_amount_max ?? '0')) {",
        replace:
          "    if (D.min(quote.source, quote.target).gt(order.body.source_amount_max ?? '0')) {",
      },
    ],
  },
  {
    id: 'yen-rounded-up-past-maximum',
    part: '2.2',
    breaks:
      'An accepted quote in yen is rounded up to a whole yen after the comparison, so source_amount_actual may be above the maximum.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    quote.status = 'ACCEPTED';",
        replace: `    quote.status = 'ACCEPTED';
    if (['JPY', 'KRW'].includes(order.body.source_currency ?? ''))
      quote.source = new D(quote.source).ceil().toFixed();`,
      },
    ],
  },
  {
    id: 'maximum-itself-refused',
    part: '2.2',
    breaks:
      'A quote of exactly source_amount_max is not accepted, though the sender is ready to pay that much.',
    patches: [
      {
        file: 'order-book.ts',
        find: "    if (new D(quote.source).gt(order.body.source_amount_max ?? '0')) {",
        replace: "    if (new D(quote.source).gte(order.body.source_amount_max ?? '0')) {",
      },
    ],
  },
  {
    id: 'no-quote-though-quotes-lapsed',
    part: '2.2',
    breaks:
      'An expired order gives NO_QUOTE as its reason although it was quoted, because its quotes had lapsed before.',
    hiddenIn: ['meridian'],
    patches: [
      {
        file: 'order-book.ts',
        find: '      ? order.quotes.length\n',
        replace: "      ? order.quotes.some((quote) => quote.status === 'PENDING')\n",
      },
    ],
  },
];
