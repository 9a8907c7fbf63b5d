import { Worker } from 'node:worker_threads';

/**
 * Runs jobs on a number of threads, one job at a time on each, and returns the results in the order of the jobs. A
 * thread that dies ends the whole run.
 */
export async function runJobs<Job, Result>(
  script: URL,
  jobs: readonly Job[],
  threads: number,
  onRan: (ran: Result, done: number) => void,
): Promise<readonly Result[]> {
  const results: (Result | undefined)[] = jobs.map(() => undefined);
  let next = 0;
  let done = 0;

  const oneThread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script);
      let place = -1;
      const go = (): void => {
        place = next;
        next += 1;
        const job = jobs[place];
        if (job) worker.postMessage(job);
        else worker.terminate().then(() => resolve(), reject);
      };
      worker.on('message', (ran: Result) => {
        results[place] = ran;
        done += 1;
        onRan(ran, done);
        go();
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        if (place < jobs.length) reject(new Error(`a thread ended with code ${code}`));
      });
      go();
    });

  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, oneThread));
  return results.filter((ran) => ran !== undefined);
}
