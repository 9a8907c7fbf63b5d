import type { History } from '../../../src/history/records.ts';
import { edited, withExchanges, type Place } from './findings-and-edits.ts';

/** Ways to break one thing in a history that is in order. */

export type Json = Record<string, unknown>;

export const set = (place: Place, field: string, value: unknown) => (history: History) =>
  edited(history, place, (resource) => {
    resource[field] = value;
  });
export const unset = (place: Place, field: string) => (history: History) =>
  edited(history, place, (resource) => {
    delete resource[field];
  });
export const status = (place: Place, code: number) => (history: History) =>
  withExchanges(history, place, (exchange) => {
    exchange.response = { headers: {}, ...exchange.response, status: code };
  });
export const body = (place: Place, edit: (body: Json) => void) => (history: History) =>
  withExchanges(history, place, (_, found) => edit(found));

export const read = (state: string, nth = 0): Place => ({
  at: 'order.read',
  party: 'sender',
  status: state,
  nth,
});
export const update = (state: string, nth = 0): Place => ({
  at: 'order_updated',
  party: 'sender',
  status: state,
  nth,
});

/** One thing broken each, and a requirement that must fail for it. */
export type Defects = readonly (readonly [
  what: string,
  requirement: string,
  breaking: (history: History) => History,
])[];
