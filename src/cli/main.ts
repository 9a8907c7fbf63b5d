import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

// A reader that has gone (`assay spec gaps | head`, a terminal that was closed) is no failure, and no reason to end: a
// run still has its reports to write.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
}

// Not awaited here, so that the single executable can be made of it too: its main module is none that may wait.
void runProgram(process.argv.slice(2), processTerminal()).then((code) => {
  process.exitCode = code;
  // Whatever was written leaves first; sockets kept alive must not keep the process.
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
});
