import { type Terminal, withoutSecrets } from '../../src/cli/terminal.ts';
import { root } from '../architecture/source.ts';

export interface RecordingTerminal extends Terminal {
  /** All that was written, both streams as they came. */
  text(): string;
}

/**
 * A terminal that keeps its output. Its host time stands still, so that no output depends on it.
 */
export function recordingTerminal(cwd = root): RecordingTerminal {
  const lines: string[] = [];
  const terminal = withoutSecrets({
    out: (text) => void lines.push(text),
    err: (text) => void lines.push(text),
    live: () => undefined,
    env: {},
    cwd,
    isLive: false,
    hasColour: false,
    columns: 80,
    wallMs: () => 0,
    date: () => '2030-01-01T00:00:00.000Z',
    onStop: () => () => undefined,
  });
  return { ...terminal, text: () => lines.join('\n') };
}
