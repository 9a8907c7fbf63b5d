import { tryForms } from './try-forms.ts';

tryForms(1);
