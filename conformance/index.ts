import type { Check } from '../src/conformance/check.ts';
import { envelopeChecks } from './2-envelope.ts';
import { accessChecks } from './1-roles/index.ts';
import { stateChecks } from './3-states/index.ts';
import { endpointChecks } from './4-endpoints/index.ts';
import { authChecks } from './5-authentication/index.ts';
import { eventChecks } from './6-events/index.ts';
import { errorChecks } from './7-errors/index.ts';
import { limitChecks } from './8-limits.ts';
import { versionChecks } from './9-versioning.ts';
import { prefaceChecks } from './preface-conventions.ts';
import { modelChecks } from './model.ts';

/** The suite: every check, in the order of the document's parts. */
export const checks: readonly Check[] = [
  ...prefaceChecks,
  ...accessChecks,
  ...envelopeChecks,
  ...stateChecks,
  ...endpointChecks,
  ...authChecks,
  ...eventChecks,
  ...errorChecks,
  ...limitChecks,
  ...versionChecks,
  ...modelChecks,
];
