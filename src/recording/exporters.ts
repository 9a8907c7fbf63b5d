/** Facts about the tools that write HAR files, from their sources and their issue trackers. */
export interface Exporter {
  /** Matches if `log.creator.name` contains it, in upper or lower case. */
  readonly creator: string;
  /** `time` leaves out how long a request waited for its connection: the end of a request is not known. */
  readonly leavesOutQueueing?: true;
  /** Requests without an answer are not written: a party may have done more than its file holds. */
  readonly leavesOutFailures?: true;
  /** Times and requests are those of the export; only the answers were recorded. */
  readonly makesRequestsAnew?: true;
  /** A key `cache.afterRequest` of any value marks an answer from the cache. */
  readonly marksCacheByKey?: true;
}

export const exporters: readonly Exporter[] = [
  { creator: 'playwright', leavesOutQueueing: true },
  { creator: 'chrome-har', leavesOutQueueing: true, leavesOutFailures: true },
  { creator: 'webkit web inspector', leavesOutFailures: true },
  { creator: 'mitmproxy', leavesOutFailures: true },
  { creator: 'insomnia', leavesOutFailures: true, makesRequestsAnew: true },
  { creator: 'firefox', marksCacheByKey: true },
];

const unknown: Exporter = { creator: '' };

export const exporterNamed = (creator: string): Exporter =>
  exporters.find((one) => creator.toLowerCase().includes(one.creator)) ?? unknown;
