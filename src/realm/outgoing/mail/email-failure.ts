import { FinalFailure } from '../final-failure.ts'

/**
 * The failure of a mail to an address that nobody has, as the server that takes mail for it says: it will not be delivered
 * however often it is tried.
 */
export class RefusedAddressFailure extends FinalFailure {}

/** Answers that say that nobody has the address, or that it is closed: the enhanced codes of RFC 3463. */
const REFUSED_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

export function isRefusedAddress(said: string): boolean {
  return REFUSED_ADDRESS.test(said)
}
