import * as v from 'valibot'
import { changeOfAccount } from '../../api/audit-rules.ts'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
} from '../../api/parameter-types.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { changeEmail } from '../../model/accounts/addresses/change-email.ts'
import { changeAvatarOf } from '../../model/accounts/avatar-of-user.ts'
import { changeBotOwner, requireOwnerToBe } from '../../model/accounts/bots/change-bot-owner.ts'
import { takeOverBot } from '../../model/accounts/bots/take-over-bot.ts'
import { giveRole, requireMayGiveRole } from '../../model/accounts/change-user-role.ts'
import { changeFullName, requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { announceBotChange, announceServices } from '../../model/bots/announce-bot.ts'
import {
  channelIdByName,
  requireBotAddress,
  requireFreeAddress,
  requireFreeName,
  requireInterface,
  requireManagedBot,
} from '../../model/bots/bot-rules.ts'
import { asManaged, presentDefaults, presentServices } from '../../model/bots/present-bot.ts'
import type { Caller } from '../../model/caller.ts'
import { insertImage } from '../../model/images/reserve-image.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { apiEmail } from '../../model/users/addresses/api-email.ts'
import { avatarUrl } from '../../model/users/profile/avatar.ts'
import { maySpeakForBot } from '../../rules/bot-rules.ts'
import { insufficientPermission, isAboveMember, ROLE_VALUES } from '../../rules/roles.ts'
import { type BotSettings, botSettings, changeBotSettings } from '../../store/bots/bot-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { mayHavePicture, storePicture } from './bot-picture.ts'
import { botDefaults, channelName, requireCallable, webAddress } from './create-bot.ts'

const updateBotParams = {
  bot_id: pathInteger,
  full_name: v.optional(textUpTo(NAME_LENGTH)),
  short_name: v.optional(
    described(trimmedTextUpTo(NAME_LENGTH), 'The bot gets the address {short_name}-bot@{host}.'),
  ),
  role: v.optional(json(v.pipe(integer, v.picklist(ROLE_VALUES)))),
  bot_owner_id: v.optional(jsonInteger),
  service_payload_url: v.optional(webAddress),
  service_interface: v.optional(jsonInteger),
  default_sending_stream: v.optional(channelName),
  default_events_register_stream: v.optional(channelName),
  default_all_public_streams: v.optional(jsonBoolean),
}
type UpdateBotParams = ParametersOf<typeof updateBotParams> & {
  /** The path at which the Worker stored the picture, after the rehearsal. */
  readonly avatar_path?: string
}

/**
 * Changes a bot, for its owner or an administrator, who may take it over with `bot_owner_id`, and answers the new values.
 * Source: docs/interface/bots.md#who-may-change-a-bot.
 */
export const updateBotEndpoint = defineEndpoint({
  operation: 'update-bot',
  route: 'PATCH /bots/:bot_id',
  access: 'human-member',
  // A new owner can read the key, and a new address gets the token and what the bot is told.
  needsProof: ({ role, bot_owner_id, service_payload_url }) =>
    (role !== undefined && isAboveMember({ role })) ||
    bot_owner_id !== undefined ||
    service_payload_url !== undefined,
  takesFiles: true,
  params: updateBotParams,
  returns: v.object({
    full_name: v.string(),
    avatar_url: v.string(),
    role: v.number(),
    service_interface: v.nullable(v.number()),
    service_payload_url: v.nullable(v.string()),
    ...botDefaults,
    bot_owner: v.optional(v.string()),
  }),
  apply(tx, caller, params: UpdateBotParams) {
    const bot = requireManagedBot(tx.sql, caller, params.bot_id)
    changeAccount(tx, caller, bot, params)
    changeSettings(tx, caller, bot, params)
    return presentAnswer(tx, caller, bot.id)
  },
  audit: changeOfAccount,
  hasWork: (_params, files) => mayHavePicture(files),
  async prepare(params, worker) {
    return { ...params, ...(await storePicture(worker)) }
  },
})

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
  if (bot_owner_id !== undefined) giveBot(tx, caller, bot, requireOwnerToBe(tx, bot_owner_id))
  const given = findUser(tx.sql, bot.id)!
  if (role !== undefined && role !== given.role) {
    requireMayGiveRole(tx.sql, caller, given, role)
    giveRole(tx, given, role)
  }
  if (avatar_path !== undefined) {
    insertImage(tx, avatar_path)
    changeAvatarOf(tx, findUser(tx.sql, bot.id)!, avatar_path)
  }
}

/** Gives a bot to a new owner: as its owner, or by taking it over. */
function giveBot(tx: RealmTransaction, caller: Caller, { id }: User, owner: User): void {
  const bot = findUser(tx.sql, id)!
  if (bot.botOwnerId === owner.id) return
  const give = () =>
    maySpeakForBot(caller.actor, bot) ? changeBotOwner(tx, bot, owner) : takeOverBot(tx, caller, bot, owner)
  withinQuota(tx, caller, 'bots', give, owner.id)
}

function changeSettings(tx: RealmTransaction, caller: Caller, { id }: User, params: UpdateBotParams): void {
  const before = botSettings(tx.sql, id)
  if (!maySpeakForBot(caller.actor, findUser(tx.sql, id)!)) {
    if (!isAsShown(tx, caller, before, params)) throw insufficientPermission()
    return
  }
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
  for (const change of changesBetween(
    presentDefaults(tx, before, caller.user),
    presentDefaults(tx, wanted, caller.user),
  )) {
    announceBotChange(tx, bot, change)
  }
  const [old, present] = [before, wanted].map(({ service }) => presentServices(service)) as [
    Services,
    Services,
  ]
  announceServices(tx, bot, old, present)
}

type Services = ReturnType<typeof presentServices>

/** Clients of those who manage a bot repeat all that they were shown when they change one thing: that is no change. */
function isAsShown(
  tx: RealmReads,
  { user }: Caller,
  settings: BotSettings,
  params: UpdateBotParams,
): boolean {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } =
    presentDefaults(tx, settings, user)
  const [service] = asManaged({ services: presentServices(settings.service) }).services
  const pairs: readonly (readonly [given: unknown, shown: unknown])[] = [
    [params.default_sending_stream, default_sending_stream ?? ''],
    [params.default_events_register_stream, default_events_register_stream ?? ''],
    [params.default_all_public_streams, default_all_public_streams],
    [params.service_payload_url, service?.base_url],
    [params.service_interface, service?.interface],
  ]
  return pairs.every(([given, present]) => given === undefined || given === present)
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

function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] {
  return Object.entries(after)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]))
    .map(([key, value]) => ({ [key]: value }))
}

function presentAnswer(tx: RealmReads, { user, actor }: Caller, botId: number): object {
  const bot = findUser(tx.sql, botId)!
  const settings = botSettings(tx.sql, botId)
  const owner = bot.botOwnerId === null ? undefined : findUser(tx.sql, bot.botOwnerId)
  return {
    full_name: bot.fullName,
    avatar_url: avatarUrl(bot, tx.realm),
    role: bot.role,
    service_interface: settings.service?.interface ?? null,
    service_payload_url: settings.service && (maySpeakForBot(actor, bot) ? settings.service.url : ''),
    ...presentDefaults(tx, settings, user),
    ...(owner ? { bot_owner: apiEmail(owner, tx.realm) } : {}),
  }
}
