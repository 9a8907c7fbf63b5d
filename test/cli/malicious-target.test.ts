import { tryMaliciousTarget } from './malicious-target.ts';

tryMaliciousTarget('--only', 'order.create.returns-pending');
