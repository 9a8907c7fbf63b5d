import type { Backend } from './backend.ts';
import type { Tokens } from './auth/tokens.ts';
import type { World } from './world/world.ts';

/** Backends of one world that an application answers for. */
export interface Tenant {
  readonly world: World;
  readonly tokens: Tokens;
  /** Backends that the application has routes for. */
  readonly backends: readonly Backend[];
  /** Every backend of the world; the addresses below /_sim control them all. */
  readonly all: readonly Backend[];
  /** True if the fault addresses are offered. */
  readonly faults: boolean;
  readonly onInternalError?: (error: unknown) => void;
}
