import { type Fields, textOf } from '../../src/suite/actions/index.ts';

export const stateOf = (data: Fields): string | undefined => textOf(data, 'status');

export const statusIsOneOf = (states: readonly string[], data: Fields): boolean =>
  states.includes(stateOf(data) ?? '');

/** A field that is there: absent and null both mean that it is not set (gap `order.unset_fields`). */
export const isSet = (data: Fields, name: string): boolean =>
  data[name] !== undefined && data[name] !== null;
