import { FinalFailure } from '../final-failure.ts'

/** Nobody has the address, says who takes mail for it: it will not be delivered there however often it is tried. */
export class RefusedAddressFailure extends FinalFailure {}

/** Answers that say that nobody has the address, or that it is closed: the enhanced codes of RFC 3463. */
const REFUSED_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

export function isRefusedAddress(said: string): boolean {
  return REFUSED_ADDRESS.test(said)
}
