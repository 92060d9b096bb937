import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { BETWEEN_COMMITS_SECONDS } from '../../core/time.ts'
import { deleteMeta, readMeta, writeMeta } from '../../store/meta-rows.ts'
import { checkAccounts, checkListing } from './check-accounts.ts'

/**
 * Has all accounts compared with those in D1, from the first: after D1 or the object was restored, with another key for digests, or when D1
 * has none yet.
 */
function expectComparison(tx: Pick<RealmTransaction, 'sql' | 'schedule' | 'now'>): void {
  deleteMeta(tx.sql, 'accounts_compared')
  tx.schedule({ kind: 'compare-accounts', key: '', dueAt: tx.now })
}

/** Compares the next accounts with D1, and has it get what differs. Returns when to continue. */
export function compareAccounts(tx: RealmTransaction): number | undefined {
  const after = readMeta<number>(tx.sql, 'accounts_compared') ?? 0
  const { contents, accounts, listing } = tx.fetch(`accounts above ${after}`, async ({ contents }) => ({
    contents,
    accounts: await checkAccounts.fetch!(contents, tx, after, true),
    listing: await checkListing.fetch!(contents, tx, 0, true),
  }))
  const { next } = checkAccounts.examine(tx, after, true, accounts, contents)
  if (next !== undefined) {
    writeMeta(tx.sql, 'accounts_compared', next)
    return tx.now + BETWEEN_COMMITS_SECONDS
  }
  checkListing.examine(tx, 0, true, listing, contents)
  deleteMeta(tx.sql, 'accounts_compared')
  deleteMeta(tx.sql, 'texts_noted')
  return undefined
}

/** Has D1 get new digests of addresses if the deployment has another key than when the object was last awake. */
export function followAddressKey(tx: RealmTransaction): void {
  const now = tx.digestOfAddress('') ?? ''
  const before = readMeta<string>(tx.sql, 'address_key')
  if (before === now) return
  writeMeta(tx.sql, 'address_key', now)
  if (before !== undefined) expectComparison(tx)
}
