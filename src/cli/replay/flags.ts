import type { CheckFlags } from '../check/check-target.ts';

export type ExportFormat = 'sh' | 'scenario';

export interface ReplayFlags extends CheckFlags {
  readonly explain?: true;
  readonly export?: ExportFormat;
  /** File of the export. */
  readonly to?: string;
  /** Requirement of the failure to export, if there are several. */
  readonly requirement?: string;
}
