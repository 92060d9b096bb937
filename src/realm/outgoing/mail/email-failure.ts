import { FinalFailure } from '../final-failure.ts'

/** Failure of a mail to an address that does not exist, by its mail server: it can never be delivered. */
export class RefusedAddressFailure extends FinalFailure {}

/** Answers that say that the address does not exist, or is closed: the enhanced codes of RFC 3463. */
const REFUSED_ADDRESS = /\b5\.(?:1\.(?:1|2|3|6|10)|2\.1)\b/

export function isRefusedAddress(said: string): boolean {
  return REFUSED_ADDRESS.test(said)
}
