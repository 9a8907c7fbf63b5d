import { parentPort } from 'node:worker_threads';
import type { Job } from './job.ts';
import { runJob } from './run-job.ts';

parentPort?.on('message', (job: Job) => {
  void runJob(job).then((ran) => parentPort?.postMessage(ran));
});
