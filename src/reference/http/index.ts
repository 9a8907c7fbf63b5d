export { type App, createApp } from './app.ts';
export { type CastMember, standardOperator, standardParties } from './standard-world.ts';
export {
  type JournalEntry,
  type JournalHead,
  type JournalSink,
  journalHead,
  replayJournal,
} from './journal.ts';
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
  Tamper,
  TamperContext,
  TamperedEvent,
  TokenCheck,
  TokenRefusal,
  WireAnswer,
} from './tamper.ts';
export { createWorld, type PartySpec, type World } from './world.ts';
