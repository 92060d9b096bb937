/** In place of src/endpoints/users/password-cost.ts, of which test/house/password-cost.test.ts says what it must be. */
export const PASSWORD_COST = { ln: 4, r: 8, p: 1 }
