import type { Check } from '../src/suite/engine/check.ts';
import { envelopeChecks } from './2-envelope.ts';
import { accessChecks } from './1-roles/index.ts';
import { stateChecks } from './3-states/index.ts';
import { endpointChecks } from './4-endpoints/index.ts';
import { authChecks } from './5-authentication/index.ts';
import { eventChecks } from './6-events/index.ts';
import { errorChecks } from './7-errors/index.ts';
import { tokenLifetimeChecks } from './8-token-lifetime.ts';
import { schemaVersionChecks } from './9-schema-version.ts';
import { baseUrlChecks } from './0-base-urls.ts';
import { withAges } from './aged-core.ts';
import { combinedChecks } from './combined/index.ts';
import { randomSequenceChecks } from './random-sequences.ts';
import { twinChecks } from './twins.ts';

/** In the order of the document's parts. */
const all: readonly Check[] = [
  ...baseUrlChecks,
  ...accessChecks,
  ...envelopeChecks,
  ...stateChecks,
  ...endpointChecks,
  ...authChecks,
  ...eventChecks,
  ...errorChecks,
  ...tokenLifetimeChecks,
  ...schemaVersionChecks,
  ...combinedChecks,
  ...twinChecks,
  ...randomSequenceChecks,
];

/** The suite: every check. The terms and the rate of an order are drawn unless its check fixes them. */
export const checks: readonly Check[] = withAges(all).map((check) => ({ ...check, draws: true }));
