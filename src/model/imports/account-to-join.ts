import type { RealmReads } from '../../core/realm-transaction.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { findUserByEmail, type User } from '../../store/users/user-rows.ts'

/**
 * Returns the account of a user of the source, found by the address. Accounts with an unconfirmed address, which may
 * belong to someone else, and bots are never chosen automatically; an owner can name them.
 */
export function accountToJoin(
  { sql }: Pick<RealmReads, 'sql'>,
  { actingUserId }: Pick<RealmImport, 'actingUserId'>,
  address: string,
  isBot = false,
): User | undefined {
  const holder = findUserByEmail(sql, address)
  if (!holder || holder.isSystemBot) return undefined
  const isOwn = holder.isEmailConfirmed || holder.id === actingUserId
  return isOwn && (holder.botType === null || isBot) ? holder : undefined
}
