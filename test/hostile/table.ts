import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bin, workDirectory } from '../cli/shipped-command.ts';
import { parsedJson } from '../../src/history/json.ts';
import { hostileTarget, usualChecks } from './attack.ts';
import { hostileKinds } from './kinds.ts';

/** A command on a hostile target. */
export interface Row {
  readonly kind: string;
  readonly command: string;
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  /** Bytes that it wrote and printed. */
  readonly output: number;
  /** Problems that were found. */
  readonly wrong: readonly string[];
}

/**
 * Limits of a command. A whole run on a quiet target writes 98 MB. The 48 MB of events that a run
 * reads at most (`run.stream_bytes`) take about twice as much as records if each is small.
 */
export const bounds = { seconds: 180, megabytes: 1_024, output: 128 * 1024 * 1024 } as const;

const flow = fileURLToPath(new URL('../../scenarios/happy', import.meta.url));
const only = usualChecks.flatMap((check) => ['--only', check]);

interface Command {
  readonly args: readonly string[];
  /** The file that tells what came of it; absent: what is printed does. */
  readonly report?: string;
  /** A service: traffic goes through it, then it is stopped. */
  readonly isService?: true;
}

const commands: Readonly<Record<string, Command>> = {
  check: {
    args: ['check', '--target', 't.yaml', ...only, '--out', 'check'],
    report: 'check/report.json',
  },
  // Of what the check has written.
  audit: { args: ['audit', 'check/history.jsonl', '--out', 'audit'], report: 'audit/report.json' },
  probe: { args: ['probe', '--target', 't.yaml'] },
  play: {
    args: ['play', flow, '--target', 't.yaml', '--out', 'play'],
    report: 'play/report.json',
  },
  simulate: {
    args: ['simulate', '--target', 't.yaml', '--seeds', '1', '--steps', '10', '--out', 'simulate'],
    report: 'simulate/simulation.json',
  },
  proxy: {
    args: [
      'proxy',
      '--target',
      't.yaml',
      '--port',
      '0',
      '--write-target',
      'p.yaml',
      '--out',
      'proxy',
    ],
    report: 'proxy/report.json',
    isService: true,
  },
};
export const commandNames = Object.keys(commands);

/** The most that a process has had in memory so far; 0 where the system does not tell. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

interface Run {
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly said: string;
}

function begin(args: readonly string[], cwd: string) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ASSAY_DEBUG: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const started = performance.now();
  let said = '';
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, peakOf(child))), 50);
  const tooLong = setTimeout(() => child.kill('SIGKILL'), (bounds.seconds + 20) * 1_000);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<Run>((resolve) => {
    child.on('close', (code) => {
      clearInterval(look);
      clearTimeout(tooLong);
      const seconds = (performance.now() - started) / 1_000;
      resolve({ code, seconds, megabytes: peak, said });
    });
  });
  return { child, ended, said: () => said };
}

/** Runs one command; a check goes through a proxy, and its own files do not count. */
async function runCommand({ args, isService }: Command, cwd: string): Promise<Run> {
  const own = begin(args, cwd);
  if (!isService) return own.ended;
  const isUp = (): boolean => existsSync(join(cwd, 'p.yaml'));
  for (let n = 0; n < 600 && !isUp(); n += 1) await new Promise((done) => setTimeout(done, 50));
  const client = ['check', '--target', 'p.yaml', ...only, '--out', 'through'];
  await begin(client, cwd).ended;
  rmSync(join(cwd, 'through'), { recursive: true, force: true });
  own.child.kill('SIGINT');
  return own.ended;
}

const sizeOf = (path: string): number =>
  readdirSync(path, { withFileTypes: true }).reduce(
    (sum, entry) =>
      sum +
      (entry.isDirectory()
        ? sizeOf(join(path, entry.name))
        : statSync(join(path, entry.name)).size),
    0,
  );

function wrongWith(run: Run, output: number, report: string | undefined, cwd: string): string[] {
  const { code, seconds, megabytes, said } = run;
  const fault = /internal error.*|fault of assay.*|heap out of memory/.exec(said)?.[0];
  // A target that refuses all parties cannot be judged, and the command says so.
  const isJudged = code === 0 || code === 1 || (code === 3 && !/could not judge/.test(said));
  const path = report && join(cwd, report);
  const text = path && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const isNoJson = text !== undefined && parsedJson(text) === undefined;
  return [
    fault,
    code !== 0 && code !== 1 && code !== 3 && `exit ${code}: ${said.slice(-300)}`,
    seconds > bounds.seconds && 'too long',
    megabytes > bounds.megabytes && 'too much memory',
    output > bounds.output && 'too much output',
    path && isJudged && text === undefined && `no report: ${said.slice(-300)}`,
    isNoJson && 'the report is no JSON',
    /"verdict": ?"error"/.test(text ?? '') && 'a verdict of error',
  ].flatMap((problem) => problem || []);
}

/** Tries one kind with some commands, one after another; `audit` reads what `check` has written. */
export async function tryKind(
  kind: string,
  chosen: readonly string[] = commandNames,
  told: (row: Row) => void = () => undefined,
): Promise<readonly Row[]> {
  const behaviour = hostileKinds[kind];
  if (!behaviour) throw new Error(`no kind: ${kind}`);
  const rows: Row[] = [];
  const work = workDirectory();
  const needed = chosen.includes('audit') ? ['check', ...chosen] : chosen;
  try {
    for (const name of commandNames.filter((one) => needed.includes(one))) {
      const command = commands[name] as Command;
      if (name === 'audit' && !existsSync(join(work.path, 'check/history.jsonl'))) continue;
      const { text, close } = await hostileTarget({ behaviour });
      try {
        writeFileSync(join(work.path, 't.yaml'), text);
        const before = sizeOf(work.path);
        const run = await runCommand(command, work.path);
        if (!chosen.includes(name)) continue;
        const output = sizeOf(work.path) - before + run.said.length;
        const wrong = wrongWith(run, output, command.report, work.path);
        const { code, seconds, megabytes } = run;
        const row = { kind, command: name, code, seconds, megabytes, output, wrong };
        rows.push(row);
        told(row);
      } finally {
        await close();
      }
    }
  } finally {
    work.remove();
  }
  return rows;
}
