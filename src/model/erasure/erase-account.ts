import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { deleteRowsNaming, type Removed } from '../../store/erasure/personal-rows.ts'
import { savePresenceBlock } from '../../store/presence/presence-and-status-rows.ts'
import { changeUser, findUser } from '../../store/users/user-rows.ts'
import { eraseProfile } from '../accounts/erase-profile.ts'
import { replaceApiKey } from '../accounts/login/api-key.ts'
import { PRESENCE } from '../presence/presence-memory.ts'

/** Overwrites what an account itself says of its person, and deletes what knows the person by an address. May run twice. */
export function eraseAccount(tx: RealmTransaction, userId: number): Removed {
  const { sql } = tx
  const user = findUser(sql, userId)!
  const addresses = user.isDeleted ? [] : [user.deliveryEmail, user.formerEmail ?? '']
  const removed = addresses
    .filter((address) => address !== '')
    .map((address) => deleteRowsNaming(sql, address))
  const hasPicture = user.avatarPath !== null
  eraseProfile(tx, user, `Deleted user ${userId}`)
  replaceApiKey(tx, user)
  changeUser(sql, userId, {
    settings: {},
    editedSettings: [],
    opensByToken: false,
    canCreateUsers: false,
    canChangeEmails: false,
  })
  const block = tx.recallToChange(PRESENCE).remove(userId)
  if (block) savePresenceBlock(sql, block.block, block.presences)
  const counts = { user: 1, pictures: hasPicture ? 1 : 0, presence_block: block ? 1 : 0 }
  return Object.fromEntries(
    Object.entries(counts).concat(
      Object.keys(removed[0] ?? {}).map((table) => [
        table,
        removed.reduce((sum, one) => sum + (one[table] ?? 0), 0),
      ]),
    ),
  )
}
