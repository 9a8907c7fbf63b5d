import { reachBehindBank } from './bank-commands.ts';

reachBehindBank(true);
