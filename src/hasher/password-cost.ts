/**
 * Cost of hashing a password (scrypt): about 130 ms and 16 MiB (docs/decisions/design.md#libraries-decode-we-set-limits). In a file of its
 * own, because the tests replace it with a lower cost: they hash thousands of passwords.
 */
export const PASSWORD_COST = { ln: 14, r: 8, p: 5 }
