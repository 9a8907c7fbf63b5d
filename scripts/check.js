// Runs every `check:` script of package.json at once; prints how each ended, and all that a failed one said.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const names = Object.keys(scripts).filter((name) => name.startsWith('check:'));

/** Ends with the exit code of the script; null where a signal ended it. */
function run(name) {
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', name], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} in ${seconds} s`);
      if (code !== 0) process.stdout.write(Buffer.concat(pieces));
      resolve(code);
    });
  });
}

const codes = await Promise.all(names.map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
