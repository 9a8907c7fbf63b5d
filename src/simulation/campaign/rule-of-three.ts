/**
 * The largest share of worlds that may show something although none of so many did, with 95 % confidence: the rule of
 * three, which is never too low (-ln 0.05 is 2.996).
 */
export const ruleOfThree = (worlds: number): number => Math.min(1, 3 / worlds);
