import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { listHolds } from '../../store/holds/hold-rows.ts'
import { writeMeta } from '../../store/meta-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { haveSeveralEntered } from '../../store/users/user-rows.ts'

/**
 * Gives up the host of a closed organization that nobody but its owner has ever entered, such as one that was made by mistake, for another one
 * that is founded there: nobody else misses it, nothing is on hold, and its deletion begins in this commit. Returns whether it did. Source:
 * docs/retention.md#a-closed-organization.
 */
export function giveUpHost({ sql, now }: RealmTransaction): boolean {
  if (!isRealmDeactivated(sql) || haveSeveralEntered(sql) || listHolds(sql).length > 0) return false
  writeMeta(sql, 'deletion_begun', Math.floor(now))
  writeMeta(sql, 'host_given_up', 1)
  return true
}
