/** Tools of the server that tests use themselves. */

export { sealBox } from '../../src/core/sealed-box.ts'
export { NoAnswerError, withinTime } from '../../src/core/within-time.ts'
export { standIn } from '../../src/dev/stand-in.ts'
export { hashPassword } from '../../src/hasher/password-hash.ts'
