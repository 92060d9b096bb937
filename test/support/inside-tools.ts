/** Tools of the server that tests use themselves. */

export { hashPassword } from '../../src/api/in-worker/password-hash.ts'
export { sealBox } from '../../src/core/sealed-box.ts'
export { NoAnswerError, withinTime } from '../../src/core/within-time.ts'
export { standIn } from '../../src/dev/stand-in.ts'
