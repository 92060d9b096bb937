import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import {
  bareOrQuoted,
  described,
  jsonBoolean,
  jsonInteger,
  textUpTo,
  trimmedTextUpTo,
} from '../../api/parameter-types.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { addUser } from '../../model/accounts/add-user.ts'
import { giveWebhookSecret } from '../../model/accounts/bots/change-bot-owner.ts'
import { requireAllowedFullName } from '../../model/accounts/full-name-rules.ts'
import { newApiKey } from '../../model/accounts/login/api-key.ts'
import { announceNewBot } from '../../model/bots/announce-bot.ts'
import {
  BOT_TYPE,
  channelIdByName,
  isWebhookAddress,
  requireBotAddress,
  requireFreeAddress,
  requireFreeName,
  requireInterface,
  requireOwnBot,
} from '../../model/bots/bot-rules.ts'
import { presentDefaults } from '../../model/bots/present-bot.ts'
import type { Caller } from '../../model/caller.ts'
import { insertImage } from '../../model/images/reserve-image.ts'
import { withinQuota } from '../../model/quotas/within-quota.ts'
import { avatarUrl } from '../../model/users/profile/avatar.ts'
import { requireMayCreateBot } from '../../rules/bot-rules.ts'
import { ROLES } from '../../rules/roles.ts'
import {
  type BotSettings,
  botSettings,
  changeBotSettings,
  findWebhookSecret,
} from '../../store/bots/bot-setting-rows.ts'
import { realmPermissions } from '../../store/realm/realm-setting-rows.ts'
import { mayHavePicture, storePicture } from './bot-picture.ts'

/** A new bot in the API's form, with its settings. */
interface CreatedBot {
  readonly user_id: number
  readonly api_key: string
  /** Only for an outgoing webhook. */
  readonly webhook_secret?: string
}

/** Creates a bot that belongs to the caller and is subscribed to nothing. Source: docs/interface/bots.md#make-a-bot. */
const createBot: Command<Caller, CreateBotParams, CreatedBot> = {
  apply(tx, caller, params) {
    const deliveryEmail = requireBotAddress(tx, params.short_name)
    const fullName = requireAllowedFullName(tx.sql, params.full_name)
    requireFreeAddress(tx.sql, deliveryEmail)
    requireFreeName(tx.sql, fullName)
    requireMayCreateBot(caller.actor, params.bot_type, realmPermissions(tx.sql))
    requireBotType(params.bot_type)
    requireInterface(params.interface_type)
    const settings = settingsOf(tx, caller, params)
    if (params.avatar_path !== undefined) insertImage(tx, params.avatar_path)
    const account = {
      deliveryEmail,
      fullName,
      role: ROLES.member,
      passwordHash: null,
      botType: params.bot_type,
      botOwnerId: caller.user.id,
      avatarPath: params.avatar_path ?? null,
    }
    const bot = withinQuota(tx, caller, 'accounts', () =>
      withinQuota(tx, caller, 'bots', () => addUser(tx, account)),
    )
    if (Object.keys(settings).length > 0) changeBotSettings(tx.sql, bot.id, settings)
    announceNewBot(tx, bot)
    return {
      user_id: bot.id,
      api_key: bot.apiKey,
      ...(settings.service ? { webhook_secret: giveWebhookSecret(tx, bot.id) } : {}),
      avatar_url: avatarUrl(bot, tx.realm),
      ...presentDefaults(tx, botSettings(tx.sql, bot.id), caller.user),
    }
  },
  withoutSecret: {
    keep: ({ api_key: _, webhook_secret: __, ...rest }) => rest,
    restore(view, caller, kept) {
      const { user_id, ...rest } = kept as CreatedBot
      const { apiKey: api_key } = requireOwnBot(view.sql, caller, user_id)
      const signed = findWebhookSecret(view.sql, user_id)
      return { ...rest, user_id, api_key, ...(signed ? { webhook_secret: signed.secret } : {}) }
    },
  },
}

function requireBotType(botType: number): void {
  if (!Object.values<number>(BOT_TYPE).includes(botType)) throw new BadRequestError('Invalid bot type')
  if (botType === BOT_TYPE.embedded) throw new BadRequestError('Embedded bots are not enabled.')
}

function settingsOf(tx: RealmReads, caller: Caller, params: CreateBotParams): Partial<BotSettings> {
  if (params.bot_type === BOT_TYPE.outgoingWebhook) {
    requireCallable(caller.source, 'payload_url', params.payload_url)
  }
  const sendingChannelId = channelIdByName(tx.sql, caller, params.default_sending_stream)
  const eventsChannelId = channelIdByName(tx.sql, caller, params.default_events_register_stream)
  return {
    ...(sendingChannelId == null ? {} : { sendingChannelId }),
    ...(eventsChannelId == null ? {} : { eventsChannelId }),
    ...(params.default_all_public_streams ? { allPublicChannels: true } : {}),
    ...(params.bot_type === BOT_TYPE.outgoingWebhook
      ? {
          service: {
            name: params.service_name ?? params.short_name,
            url: params.payload_url,
            interface: params.interface_type,
            token: newApiKey(tx),
          },
        }
      : {}),
  }
}

/** A channel's name; '' for none. */
export const channelName = trimmedTextUpTo(NAME_LENGTH)

/** A URL, bare or as JSON text; '' for none yet. */
export const webAddress = v.pipe(
  bareOrQuoted(textUpTo(WEB_ADDRESS_LENGTH)),
  v.check((value) => value === '' || isWebhookAddress(value), 'is not a URL'),
)

/** Settings that a bot's owner chose, as answers have them. */
export const botDefaults = {
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
}

const createBotParams = {
  full_name: textUpTo(NAME_LENGTH),
  short_name: described(trimmedTextUpTo(NAME_LENGTH), 'The bot gets the address {short_name}-bot@{host}.'),
  bot_type: v.optional(described(jsonInteger, '1 generic, 2 incoming webhook, 3 outgoing webhook.'), '1'),
  payload_url: v.optional(webAddress, ''),
  service_name: v.optional(textUpTo(NAME_LENGTH)),
  interface_type: v.optional(
    described(jsonInteger, 'The format in which an outgoing webhook is called: 1 JSON, 2 a form.'),
    '1',
  ),
  default_sending_stream: v.optional(channelName),
  default_events_register_stream: v.optional(channelName),
  default_all_public_streams: v.optional(jsonBoolean),
}
type CreateBotParams = ParametersOf<typeof createBotParams> & {
  /** The path at which the Worker stored the picture, after the rehearsal. */
  readonly avatar_path?: string
}

/** Creates a bot that belongs to the caller; a file in the request is its picture. Source: docs/interface/bots.md#make-a-bot. */
export const createBotEndpoint = defineEndpoint({
  operation: 'create-bot',
  route: 'POST /bots',
  access: 'human-member',
  needsProof: true,
  growsObject: true,
  takesFiles: true,
  params: createBotParams,
  returns: v.object({
    user_id: v.number(),
    api_key: secretText(),
    webhook_secret: v.optional(secretText()),
    avatar_url: v.string(),
    ...botDefaults,
  }),
  command: createBot,
  audit: ({ params, value }) => ({
    action: 'bot_created',
    details: { user_id: value.user_id, bot_type: params.bot_type },
  }),
  hasWork: (_params, files) => mayHavePicture(files),
  async prepare(params, worker) {
    return { ...params, ...(await storePicture(worker)) }
  },
})

/**
 * Requires that a user's URL may be called; '' means none. It is checked again at each call, since names may be changed to lead elsewhere.
 * Source: docs/interface/bots.md#outgoing-webhooks.
 */
export function requireCallable(
  source: Pick<RequestSource, 'deployment'>,
  parameter: string,
  url: string,
): void {
  if (url !== '' && !isAllowedTarget(url, deploymentOf(source).callableHosts)) {
    throw new BadRequestError(`${parameter} is not an address that this server may call`)
  }
}
