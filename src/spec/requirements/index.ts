import type { Requirement } from './requirement.ts';

export * from './requirement.ts';

/** Every testable statement of the document, by a stable name. */
export const requirements: Readonly<Record<string, Requirement>> = {};
export type RequirementId = keyof typeof requirements;
