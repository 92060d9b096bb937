import { type Audience, EVERYONE } from '../../core/audience.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { newWebhookSecret } from '../../core/webhook-signature.ts'
import { isAdministrator } from '../../rules/roles.ts'
import { botSettings, changeBotSettings, putWebhookSecret } from '../../store/bots/bot-setting-rows.ts'
import { changeUser, findUser, type User } from '../../store/users/user-rows.ts'
import { newApiKey, replaceApiKey } from '../users/login/api-key.ts'
import { endQueues } from '../users/login/sessions.ts'
import { emitUserChange } from '../users/visibility/emit-user-change.ts'
import { announceBotChange, announceBotGone, announceNewBot, keepersOf } from './announce-bot.ts'
import { presentServices } from './present-bot.ts'

/** @throws BadRequestError when the account cannot own a bot. Source: docs/interface/bots.md#list-and-change-bots. */
export function requireOwnerToBe(tx: RealmReads, id: number): User {
  const owner = findUser(tx.sql, id)
  if (!owner || owner.isSystemBot) throw new BadRequestError('Failed to change owner, no such user')
  if (!owner.isActive) throw new BadRequestError('Failed to change owner, user is deactivated')
  if (owner.botType !== null) throw new BadRequestError("Failed to change owner, bots can't own other bots")
  return owner
}

/**
 * Gives a bot to another user. The old owner sees it removed and the new one sees it added, unless they administer all
 * bots anyway.
 *
 * A bot may post where its owner may, and sees the owner's channels, and the new owner is not asked. So it gets a new
 * key, an outgoing webhook also gets a new token and secret, and its queues end. Source:
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */
export function changeBotOwner(tx: RealmTransaction, bot: User, owner: User): void {
  if (bot.botOwnerId === owner.id) return
  const before = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  changeUser(tx.sql, bot.id, { botOwnerId: owner.id })
  const api_key = replaceApiKey(tx, bot)
  endQueues(tx, bot.id)
  const services = renewToken(tx, bot)
  const given = findUser(tx.sql, bot.id)!
  const keepers = keepersOf(tx, given)
  if (before && (!isAdministrator(before) || !keepers.roles)) announceBotGone(tx, bot, before.id)
  const isNewTo: Audience | undefined =
    isAdministrator(owner) && keepers.roles ? undefined : { users: [owner.id] }
  if (isNewTo) announceNewBot(tx, given, isNewTo)
  const others: Audience = { ...keepers, users: isNewTo ? [] : [owner.id] }
  announceBotChange(tx, given, { owner_id: owner.id }, others)
  announceBotChange(tx, given, { api_key }, others)
  if (services) announceBotChange(tx, given, { services }, others)
  emitUserChange(tx, bot, { bot_owner_id: owner.id }, EVERYONE)
}

/** Renews an outgoing webhook's token and secret, and returns its services for clients; undefined for any other bot. */
function renewToken(tx: RealmTransaction, { id }: User): object[] | undefined {
  const { service } = botSettings(tx.sql, id)
  if (service === null) return undefined
  giveWebhookSecret(tx, id)
  const renewed = { ...service, token: newApiKey(tx) }
  changeBotSettings(tx.sql, id, { service: renewed })
  return presentServices(renewed)
}

/** Gives an outgoing webhook a new secret, which replaces the old one at once, and returns it. */
export function giveWebhookSecret(tx: RealmTransaction, botId: number): string {
  const secret = newWebhookSecret(tx)
  putWebhookSecret(tx.sql, botId, { secret, former: null, formerUntil: null })
  return secret
}
