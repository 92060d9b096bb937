import type { RequestSource } from '../../core/call.ts'
import { clientNetwork } from '../../core/client-network.ts'
import { RateLimitHitError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { DAY } from '../../core/time.ts'
import { countAttempt } from '../attempts/count-attempt.ts'
import { keptMailSeconds } from '../emails/mail-limits.ts'

/** Addresses that one network may type in a day: a whole office joins by one link. */
const JOINING_A_DAY = [{ requests: 100, seconds: DAY }]

/**
 * Counts an address that a user has typed at the page of an invitation link. Source: docs/interface/invitations.md#links.
 * @throws RateLimitHitError (429) for one too many from the network.
 */
export function countJoining(tx: RealmTransaction, source: RequestSource): void {
  const wait = countAttempt(tx, {
    table: 'mail_request',
    owner: `joining:${clientNetwork(source.ip)}`,
    limits: JOINING_A_DAY,
    keptSeconds: keptMailSeconds(source),
  })
  if (wait !== undefined) throw new RateLimitHitError(wait)
}
