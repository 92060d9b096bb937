import type { AccountRow } from '../../core/account-in-d1.ts'
import type { D1Write, RealmReads } from '../../core/realm-transaction.ts'
import type { WritableSql } from '../../core/sql.ts'
import { isRealmDeactivated, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { listUsersAmong, type Profile } from '../../store/users/user-rows.ts'
import { digestOfApiKey } from '../accounts/login/api-key.ts'

/** Words of D1 for kinds of bots, by `bot_type`. */
const BOT_KINDS: Readonly<Record<number, string>> = {
  1: 'generic_bot',
  2: 'incoming_webhook',
  3: 'outgoing_webhook',
  4: 'embedded_bot',
}

/**
 * Returns the writes to D1 that follow from a change of accounts or of the organization: one for each account, whatever was changed of it.
 * The object stays the authority, so each write is of the whole row as it is now.
 */
export function writesOfChanges(tx: RealmReads & { readonly sql: WritableSql }): D1Write[] {
  const { accounts, realm } = tx.sql.changesForD1
  const ofRealm: D1Write[] = realm ? [{ statement: 'note-realm', row: projectedRealm(tx) }] : []
  if (accounts.size === 0) return ofRealm
  const users = new Map(listUsersAmong(tx.sql, [...accounts.keys()]).map((user) => [user.id, user]))
  const ofAccounts = [...accounts].flatMap(([id, isFoundOtherwise]): D1Write[] => {
    const user = users.get(id)
    if (!user) return [{ statement: 'delete-account', row: [id] }]
    const row = projectedAccount(tx, user)
    return isFoundOtherwise ? [putAccount(row), putDigests(row)] : [putAccount(row)]
  })
  return [...ofRealm, ...ofAccounts]
}

export function projectedRealm({ sql }: Pick<RealmReads, 'sql'>): readonly [name: string, isClosed: number] {
  return [realmProperty(sql, 'name'), Number(isRealmDeactivated(sql))]
}

/** Returns the row of an account, with the digest of a person's confirmed address. */
export function projectedAccount(
  { digestOfAddress }: Pick<RealmReads, 'digestOfAddress'>,
  user: Profile,
): AccountRow {
  const { id, fullName, role, botType, isActive, joinedAt, deliveryEmail, isEmailConfirmed, apiKey } = user
  const kind = botType === null ? 'person' : BOT_KINDS[botType]!
  const isReached = botType === null && isEmailConfirmed
  const ofEmail = isReached ? digestOfAddress(deliveryEmail) : null
  return [id, fullName, role, kind, Number(isActive), joinedAt, ofEmail, digestOfApiKey(apiKey)]
}

export function putAccount(row: AccountRow): D1Write {
  return { statement: 'put-account', row }
}

export function putDigests([id, , , , , , ofEmail, ofKey]: AccountRow): D1Write {
  return { statement: 'put-digests', row: [id, ofEmail, ofKey] }
}
