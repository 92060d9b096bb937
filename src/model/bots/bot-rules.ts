import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { maySpeakForBot, requireMayManageBot, requireMaySpeakForBot } from '../../rules/bot-rules.ts'
import { invalidChannelName, requireActiveChannelContent } from '../../rules/channel-rules.ts'
import { findChannelByName } from '../../store/channels/channel-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser, findUserByEmail, findUsersNamed, type User } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { isEmailAddress } from '../users/addresses/email-rules.ts'

/** Values of `bot_type` (docs/interface/users.md#the-user-object). */
export const BOT_TYPE = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const

/** Whether a bot's webhook is called. */
export function isOutgoingWebhook({ isActive, botType }: Pick<User, 'isActive' | 'botType'>): boolean {
  return isActive && botType === BOT_TYPE.outgoingWebhook
}

export const WEBHOOK_INTERFACE = { json: 1, form: 2 } as const

/** Returns a bot that the caller may manage. Source: docs/interface/bots.md#who-may-change-a-bot. */
export function requireManagedBot(sql: Sql, { actor }: Caller, id: number): User {
  const bot = requireBot(sql, id)
  requireMayManageBot(actor, bot)
  return bot
}

/** Returns a bot that the caller may speak for. Source: docs/interface/bots.md#who-may-change-a-bot. */
export function requireOwnBot(sql: Sql, { actor }: Caller, id: number): User {
  const bot = requireBot(sql, id)
  requireMaySpeakForBot(actor, bot)
  return bot
}

function requireBot(sql: Sql, id: number): User {
  const bot = findUser(sql, id)
  if (!bot || bot.botType === null || bot.isSystemBot) throw new BadRequestError('No such bot')
  return bot
}

/** Returns an outgoing webhook that the caller may speak for. Source: docs/interface/bots.md#signatures. */
export function requireOwnWebhook(sql: Sql, { actor }: Caller, id: number): User {
  const bot = findUser(sql, id)
  if (bot?.botType !== BOT_TYPE.outgoingWebhook || !maySpeakForBot(actor, bot)) {
    throw new BadRequestError('No such outgoing webhook')
  }
  return bot
}

/** Returns the address of a bot with this short name (docs/interface/bots.md#make-a-bot). */
export function requireBotAddress({ realm }: Pick<RealmReads, 'realm'>, shortName: string): string {
  const address = `${shortName}-bot@${realm.host}`
  if (shortName === '' || !isEmailAddress(address)) throw new BadRequestError('Bad name or username')
  return address
}

/** Refuses an address that another account has. `ownId`: the bot, if it already exists. */
export function requireFreeAddress(sql: Sql, address: string, ownId?: number): void {
  const holder = findUserByEmail(sql, address)
  if (holder !== undefined && holder.id !== ownId) throw new BadRequestError('Email is already in use.')
}

/** Refuses the name of another open account, which the bot could impersonate. `ownId`: the bot, if it already exists. */
export function requireFreeName(sql: Sql, fullName: string, ownId?: number): void {
  const isTaken = findUsersNamed(sql, fullName).some(({ id, isActive }) => isActive && id !== ownId)
  if (isTaken) throw new BadRequestError('Name is already in use.')
}

/** Returns the id of a named channel that the caller can read; null for ''. Undefined stays undefined. */
export function channelIdByName(sql: Sql, caller: Caller, name: string | undefined) {
  if (name === undefined) return undefined
  if (name === '') return null
  const channel = findChannelByName(sql, name)
  const subscribed = channel !== undefined && isSubscribed(sql, channel.id, caller.user.id)
  return requireActiveChannelContent(caller.actor, channel, subscribed, invalidChannelName(name)).id
}

/** Whether a text is a URL without a password, which everyone who administers the bot would see. */
export function isWebhookAddress(value: string): boolean {
  if (!URL.canParse(value) || value.length > 2_000) return false
  const { protocol, username, password } = new URL(value)
  return ['http:', 'https:'].includes(protocol) && username === '' && password === ''
}

export function requireInterface(value: number): void {
  if (!Object.values<number>(WEBHOOK_INTERFACE).includes(value)) {
    throw new BadRequestError('Invalid interface type')
  }
}
