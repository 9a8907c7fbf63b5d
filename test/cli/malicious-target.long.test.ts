import { tryMaliciousTarget } from './malicious-target.ts';

tryMaliciousTarget('--profile', 'smoke');
