/** Replaces src/hasher/password-cost.ts in tests, where test/house/password-cost.test.ts checks the real value. */
export const PASSWORD_COST = { ln: 4, r: 8, p: 1 }
