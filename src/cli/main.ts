import { reasonOf } from '../run/read-text.ts';
import { internalFault, runProgram } from './program.ts';
import { processTerminal, type ExitCode } from './terminal.ts';

// A reader that has gone (`assay spec gaps | head`, a terminal that was closed) is no failure, and no reason to end: a
// run still has its reports to write.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const terminal = processTerminal();

// Node would end with 1, and 1 means that the interface was violated.
process.on('uncaughtException', (error) => process.exit(internalFault(error, terminal)));

/** Output that could not be written counts as not judged (3); a violation stays a violation (1). */
function codeWithOutput(code: ExitCode): ExitCode {
  const { errored } = process.stdout;
  const hasGone =
    errored && 'code' in errored && (errored.code === 'EPIPE' || errored.code === 'EIO');
  if (!errored || hasGone) return code;
  terminal.err(`assay: standard output: ${reasonOf(errored)}\n  next: make room there`);
  return code === 0 ? 3 : code;
}

// Not awaited here, so that the single executable can be made of it too: its main module is none that may wait.
void runProgram(process.argv.slice(2), terminal).then((code) => {
  // Output is flushed first. Then the process ends, even if sockets are still kept alive.
  process.stdout.write('', () => {
    process.exitCode = codeWithOutput(code);
    process.stderr.write('', () => process.exit());
  });
});
