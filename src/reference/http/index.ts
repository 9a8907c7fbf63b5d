export { type App, createApp } from './app.ts';
export { unseededKey } from './auth/signing-keys.ts';
export { type CastMember, standardOperator, standardParties } from './standard-world.ts';
export {
  type Address,
  buildServer,
  type Server,
  type ServerOptions,
  type Site,
} from './server.ts';
export type {
  AdmissionContext,
  FrameContext,
  ResponseContext,
  RecoveryTamper,
  Tamper,
  TamperContext,
  TamperedEvent,
  TokenCheck,
  TokenRefusal,
  WireAnswer,
} from './tamper.ts';
export { tamperContexts, tamperHooks } from './tamper-hooks.ts';
export { JournalMismatch } from './world/recovery.ts';
export { createWorld, type World } from './world/world.ts';
export { type PartySpec, worldConfigOf, type WorldOptions } from './world/world-options.ts';
