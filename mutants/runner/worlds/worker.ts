import { parentPort } from 'node:worker_threads';
import { type Hunt, hunt } from './hunt.ts';

parentPort?.on('message', (job: Hunt) => {
  void hunt(job).then((result) => parentPort?.postMessage(result));
});
