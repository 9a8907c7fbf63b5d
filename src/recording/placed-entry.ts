import { endpoints } from '../spec/endpoints.ts';
import type { FiledEntry } from './duplicates.ts';
import type { HarEntry } from './har-entry.ts';
import type { RecordedPlace } from './places.ts';

/** An entry of a request to a backend. */
export interface PlacedEntry extends FiledEntry {
  readonly place: RecordedPlace;
}

export const isGranted = ({ status }: HarEntry): boolean => status >= 200 && status < 300;

/** True if the messages of a stream are in the recording. */
export const hasMessages = ({ isStream, messages, responseBody }: HarEntry): boolean =>
  isStream && (messages !== undefined || (responseBody?.length ?? 0) > 0);

/** True if the recording has the answer as the service sent it. Lost content is not the same as no content. */
export const isWhole = ({ entry, place }: PlacedEntry): boolean =>
  entry.status > 0 &&
  entry.origin === 'service' &&
  (entry.error === undefined || hasMessages(entry)) &&
  (entry.isStream ||
    !isGranted(entry) ||
    entry.status === 204 ||
    entry.responseBody !== undefined ||
    (place.endpoint !== undefined && endpoints[place.endpoint].result === 'stream'));
