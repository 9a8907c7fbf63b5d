import type { CheckFlags } from '../check/check-target.ts';

export type ExportFormat = 'sh' | 'scenario';

export interface ReplayFlags extends CheckFlags {
  readonly explain?: true;
  readonly export?: ExportFormat;
  /** Where the export goes. */
  readonly to?: string;
  /** Which of several failures to export. */
  readonly requirement?: string;
}
