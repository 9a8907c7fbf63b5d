import type { Check } from '../src/conformance/check.ts';
import { accessChecks } from './1-roles/index.ts';
import { errorChecks } from './7-errors/index.ts';
import { stateChecks } from './3-states/index.ts';

/** The suite: every check, in the order of the document's parts. */
export const checks: readonly Check[] = [...accessChecks, ...stateChecks, ...errorChecks];
