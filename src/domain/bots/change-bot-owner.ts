import { type Audience, EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmUserEvent } from '../../events/realm-user.ts'
import { isAdministrator } from '../../permissions/roles.ts'
import { replaceApiKey } from '../users/change-api-key.ts'
import { changeUser, findUser, type User } from '../users/user-rows.ts'
import { announceBotChange, announceBotGone, announceNewBot, keepersOf } from './announce-bot.ts'

/** @throws BadRequestError when that account cannot own a bot. Source: core-endpoints 23. */
export function requireOwnerToBe(tx: RealmTransaction, id: number): User {
  const owner = findUser(tx.sql, id)
  if (!owner || owner.isSystemBot) throw new BadRequestError('Failed to change owner, no such user')
  if (!owner.isActive) throw new BadRequestError('Failed to change owner, user is deactivated')
  if (owner.botType !== null) throw new BadRequestError("Failed to change owner, bots can't own other bots")
  return owner
}

/**
 * Gives a bot to somebody else. To the old owner it is gone, to the new one it is new, unless they
 * administer all bots anyway.
 *
 * A bot may post where its owner may, and see the owner's channels, and nobody asks the new owner: so `giver`,
 * unless all bots' keys are theirs to know, does not keep one that works.
 */
export function changeBotOwner(tx: RealmTransaction, bot: User, owner: User, giver: User): void {
  if (bot.botOwnerId === owner.id) return
  const before = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  changeUser(tx.sql, bot.id, { botOwnerId: owner.id })
  const newKey = isAdministrator(giver) ? undefined : replaceApiKey(tx, bot)
  const given = findUser(tx.sql, bot.id)!
  const keepers = keepersOf(tx, given)
  if (before && (!isAdministrator(before) || !keepers.roles)) announceBotGone(tx, bot, before.id)
  const isNewTo: Audience | undefined =
    isAdministrator(owner) && keepers.roles ? undefined : { users: [owner.id] }
  if (isNewTo) announceNewBot(tx, given, isNewTo)
  const others: Audience = { ...keepers, users: isNewTo ? [] : [owner.id] }
  announceBotChange(tx, given, { owner_id: owner.id }, others)
  if (newKey !== undefined) announceBotChange(tx, given, { api_key: newKey }, others)
  const event: StoredRealmUserEvent = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: bot.id, bot_owner_id: owner.id },
  }
  tx.emit(event, EVERYONE)
}
