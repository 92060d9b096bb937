/**
 * Cost of hashing a password (scrypt): about 130 ms and 16 MiB
 * (docs/decisions/design.md#libraries-decode-we-set-limits). In a file of its own, because the tests' Worker
 * hashes thousands of times, at a lower cost.
 */
export const PASSWORD_COST = { ln: 14, r: 8, p: 5 }
