import type { Backend } from './backend.ts';
import type { Tokens } from './auth/tokens.ts';
import type { World } from './world/world.ts';

/** Whom an application answers for: backends of one world. */
export interface Tenant {
  readonly world: World;
  readonly tokens: Tokens;
  /** Those that it has routes for. */
  readonly backends: readonly Backend[];
  /** Every backend of the world, which the addresses below /_sim are about. */
  readonly all: readonly Backend[];
  /** Whether the fault addresses are offered. */
  readonly faults: boolean;
  readonly onInternalError?: (error: unknown) => void;
}
