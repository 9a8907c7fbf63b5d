import { Decimal as Base } from 'decimal.js';
import { hasForm } from '../spec/forms.ts';

/** Wide enough that no sum, product or quotient of amounts in a scenario is rounded unasked. */
export const Decimal = Base.clone({ precision: 40, toExpNeg: -40, toExpPos: 60 });
export type Decimal = InstanceType<typeof Decimal>;

/** Checks the form first: the library itself would take `0x1F` and `Infinity`. */
export const parseDecimal = (text: unknown): Decimal | undefined =>
  hasForm('decimal', text) && text.length <= 80 ? new Decimal(text) : undefined;
