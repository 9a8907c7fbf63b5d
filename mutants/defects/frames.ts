import type { FrameContext } from '../../src/reference/http/index.ts';
import type { Make } from './context.ts';

/** Defects in the messages of streams as they are written. */

/** Another text for one kind of message; undefined drops it. */
export const setFrame =
  (
    name: FrameContext['event'],
    change: (text: string, context: FrameContext) => string | undefined,
  ): Make =>
  () => ({
    frame: (text, context) => (context.event === name ? change(text, context) : text),
  });

/** Heartbeats that are not sent. */
export const dropHeartbeat = (when: (context: FrameContext) => boolean): Make =>
  setFrame('heartbeat', (text, context) => (when(context) ? undefined : text));
