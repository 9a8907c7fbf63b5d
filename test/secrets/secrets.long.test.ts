import { allCommands, trySecrets } from './try-secrets.ts';

trySecrets(allCommands);
