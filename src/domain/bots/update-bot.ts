import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { Role } from '../../permissions/roles.ts'
import { requireMayChangeRole } from '../../permissions/user-rules.ts'
import type { Caller } from '../caller.ts'
import { enterImage } from '../images/reserve-image.ts'
import { withinQuota } from '../quotas/within-quota.ts'
import { giveRole } from '../users/accounts/change-user-role.ts'
import { apiEmail } from '../users/addresses/api-email.ts'
import { changeEmail } from '../users/addresses/change-email.ts'
import { avatarUrl } from '../users/profile/avatar.ts'
import { changeAvatarOf } from '../users/profile/avatar-of-user.ts'
import { changeFullName } from '../users/profile/change-full-name.ts'
import { requireAllowedFullName } from '../users/profile/full-name-rules.ts'
import { findUser, isOnlyOwner, type User } from '../users/user-rows.ts'
import { announceBotChange } from './announce-bot.ts'
import {
  channelIdByName,
  requireBotAddress,
  requireFreeAddress,
  requireFreeName,
  requireInterface,
  requireOwnBot,
} from './bot-rules.ts'
import { type BotSettings, botSettings, changeBotSettings } from './bot-setting-rows.ts'
import { changeBotOwner, requireOwnerToBe } from './change-bot-owner.ts'
import { presentDefaults, presentServices } from './present-bot.ts'
import { requireCallable } from './require-callable.ts'

export interface UpdateBotParams {
  readonly bot_id: number
  readonly full_name?: string
  readonly short_name?: string
  readonly role?: Role
  readonly bot_owner_id?: number
  readonly service_payload_url?: string
  readonly service_interface?: number
  /** '' resets the channel. */
  readonly default_sending_stream?: string
  readonly default_events_register_stream?: string
  readonly default_all_public_streams?: boolean
  /** Path at which the Worker stored it, after the rehearsal. */
  readonly avatar_path?: string
}

/**
 * Changes a bot, for its owner or an administrator, and answers the new values. Source:
 * docs/interface/bots.md#list-and-change-bots.
 */
export const updateBot: Command<Caller, UpdateBotParams, void, object> = {
  apply(tx, caller, params) {
    const bot = requireOwnBot(tx.sql, caller, params.bot_id)
    changeAccount(tx, caller, bot, params)
    changeSettings(tx, caller, bot, params)
    return presentAnswer(tx, caller, bot.id)
  },
}

function changeAccount(
  tx: RealmTransaction,
  caller: Caller,
  bot: User,
  { full_name, short_name, role, bot_owner_id, avatar_path }: UpdateBotParams,
): void {
  if (full_name !== undefined && full_name.trim() !== bot.fullName) {
    const fullName = requireAllowedFullName(tx.sql, full_name, bot.id)
    requireFreeName(tx.sql, fullName, bot.id)
    changeFullName(tx, bot, fullName)
  }
  if (short_name !== undefined) {
    const address = requireBotAddress(tx, short_name)
    requireFreeAddress(tx.sql, address, bot.id)
    changeEmail(tx, findUser(tx.sql, bot.id)!, address)
  }
  if (role !== undefined && role !== bot.role) {
    requireMayChangeRole(caller.actor, { ...bot, isOnlyOwner: isOnlyOwner(tx.sql, bot) }, role)
    giveRole(tx, findUser(tx.sql, bot.id)!, role)
  }
  if (bot_owner_id !== undefined) {
    const owner = requireOwnerToBe(tx, bot_owner_id)
    const give = () => changeBotOwner(tx, findUser(tx.sql, bot.id)!, owner)
    withinQuota(tx, caller, 'bots', give, owner.id)
  }
  if (avatar_path !== undefined) {
    enterImage(tx, avatar_path)
    changeAvatarOf(tx, findUser(tx.sql, bot.id)!, avatar_path)
  }
}

function changeSettings(tx: RealmTransaction, caller: Caller, { id }: User, params: UpdateBotParams): void {
  const before = botSettings(tx.sql, id)
  const channelId = (name: string | undefined, present: number | null): number | null => {
    const id = channelIdByName(tx.sql, caller, name)
    return id === undefined ? present : id
  }
  const wanted: BotSettings = {
    ...before,
    sendingChannelId: channelId(params.default_sending_stream, before.sendingChannelId),
    eventsChannelId: channelId(params.default_events_register_stream, before.eventsChannelId),
    allPublicChannels: params.default_all_public_streams ?? before.allPublicChannels,
    service: changedService(caller, before.service, params),
  }
  if (JSON.stringify(wanted) === JSON.stringify(before)) return
  changeBotSettings(tx.sql, id, wanted)
  const bot = findUser(tx.sql, id)!
  const changes = changesBetween(shown(tx, caller, before), shown(tx, caller, wanted))
  for (const change of changes) announceBotChange(tx, bot, change)
}

function changedService(
  { source }: Caller,
  service: BotSettings['service'],
  params: UpdateBotParams,
): BotSettings['service'] {
  const { service_payload_url: url, service_interface: format } = params
  if (format !== undefined) requireInterface(format)
  if (url === undefined && format === undefined) return service
  if (service === null) throw new BadRequestError('Invalid bot type')
  if (url !== undefined && url !== service.url) requireCallable(source, 'service_payload_url', url)
  return { ...service, url: url ?? service.url, interface: format ?? service.interface }
}

/** Returns the settings in the form for clients. */
function shown(tx: RealmReads, { user }: Caller, settings: BotSettings): Readonly<Record<string, unknown>> {
  return { ...presentDefaults(tx, settings, user), services: presentServices(settings.service) }
}

function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  return Object.entries(after)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
    .map(([key, value]) => ({ [key]: value }))
}

function presentAnswer(tx: RealmReads, { user }: Caller, botId: number): object {
  const bot = findUser(tx.sql, botId)!
  const settings = botSettings(tx.sql, botId)
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  return {
    full_name: bot.fullName,
    avatar_url: avatarUrl(bot, tx.realm),
    role: bot.role,
    service_interface: settings.service?.interface ?? null,
    service_payload_url: settings.service?.url ?? null,
    ...presentDefaults(tx, settings, user),
    ...(owner ? { bot_owner: apiEmail(owner, tx.realm) } : {}),
  }
}
