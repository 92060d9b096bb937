import type { RealmReads } from '../../core/realm-transaction.ts'
import type { RealmImport } from '../../store/imports/import-rows.ts'
import { findUserByEmail, type User } from '../../store/users/user-rows.ts'

/**
 * Returns the account that somebody of the source has, by the address. An account that has not confirmed its address may be anybody's, and no
 * person becomes a bot: those an owner can name, but nothing decides it by itself.
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
