import { tryForms } from './try-forms.ts';

// Each of them in the long tier.
tryForms(20);
