/**
 * The cost of hashing a password (scrypt): about 130 ms and 16 MiB (docs/decisions/design.md#libraries-decode-we-bound). A file
 * of its own, because the tests' Worker hashes with less, thousands of times.
 */
export const PASSWORD_COST = { ln: 14, r: 8, p: 5 }
