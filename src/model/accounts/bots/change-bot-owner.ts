import { EVERYONE, toUsers } from '../../../core/audience.ts'
import { BadRequestError } from '../../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../../core/realm-transaction.ts'
import { newWebhookSecret } from '../../../core/webhook-signature.ts'
import { roleWithin } from '../../../rules/bot-rules.ts'
import { isAdministrator, type Role } from '../../../rules/roles.ts'
import { botSettings, changeBotSettings, putWebhookSecret } from '../../../store/bots/bot-setting-rows.ts'
import { changeUser, findUser, type User } from '../../../store/users/user-rows.ts'
import { announceBotChange, announceBotGone, announceNewBotTo, managersOf } from '../../bots/announce-bot.ts'
import { asManaged, presentServices } from '../../bots/present-bot.ts'
import { endQueues } from '../../users/login/sessions.ts'
import { emitUserChange } from '../../users/visibility/emit-user-change.ts'
import { giveRole } from '../change-user-role.ts'
import { newApiKey, replaceApiKey } from '../login/api-key.ts'

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
 * key, an outgoing webhook also gets a new token and secret, and its queues end; its role is at most the new owner's. Source:
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */
export function changeBotOwner(tx: RealmTransaction, bot: User, owner: User): void {
  if (bot.botOwnerId === owner.id) return
  const before = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  limitRole(tx, bot, owner.role)
  changeUser(tx.sql, bot.id, { botOwnerId: owner.id })
  replaceApiKey(tx, bot)
  endQueues(tx, [bot.id])
  renewToken(tx, bot)
  announceGiven(tx, findUser(tx.sql, bot.id)!, before, owner)
  emitUserChange(tx, bot, { bot_owner_id: owner.id }, EVERYONE)
}

/** Lowers a bot's role to this one, if it is above. */
export function limitRole(tx: RealmTransaction, { id }: User, highest: Role): void {
  const bot = findUser(tx.sql, id)!
  const role = roleWithin(bot.role, highest)
  if (role !== bot.role) giveRole(tx, bot, role)
}

function announceGiven(tx: RealmTransaction, bot: User, before: User | undefined, owner: User): void {
  const { roles } = managersOf(tx, bot)
  const manages = (user: User) => roles !== undefined && isAdministrator(user)
  const services = presentServices(botSettings(tx.sql, bot.id).service)
  const announceSecrets = (
    user: User,
    secrets: { readonly api_key: string; readonly services: object[] },
  ) => {
    announceBotChange(tx, bot, { api_key: secrets.api_key }, toUsers(user.id))
    if (services.length > 0) announceBotChange(tx, bot, { services: secrets.services }, toUsers(user.id))
  }
  if (before && !manages(before)) announceBotGone(tx, bot, before.id)
  if (manages(owner)) announceBotChange(tx, bot, { owner_id: owner.id })
  else {
    announceNewBotTo(tx, bot, owner)
    if (roles) announceBotChange(tx, bot, { owner_id: owner.id }, { roles, except: [owner.id] })
  }
  if (manages(owner)) announceSecrets(owner, { api_key: bot.apiKey, services })
  if (before && manages(before)) announceSecrets(before, asManaged({ services }))
}

/** Renews an outgoing webhook's token and secret. */
function renewToken(tx: RealmTransaction, { id }: User): void {
  const { service } = botSettings(tx.sql, id)
  if (service === null) return
  giveWebhookSecret(tx, id)
  changeBotSettings(tx.sql, id, { service: { ...service, token: newApiKey(tx) } })
}

/** Gives an outgoing webhook a new secret, which replaces the old one at once, and returns it. */
export function giveWebhookSecret(tx: RealmTransaction, botId: number): string {
  const secret = newWebhookSecret(tx)
  putWebhookSecret(tx.sql, botId, { secret, former: null, formerUntil: null })
  return secret
}
