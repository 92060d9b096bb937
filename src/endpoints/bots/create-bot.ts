import * as v from 'valibot'
import { createBot } from '../../domain/bots/create-bot.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, jsonInteger, textUpTo, trimmedTextUpTo } from '../parameter-types.ts'
import { botDefaults, channelName, webAddress } from './bot-parameters.ts'
import { mayHavePicture, storePicture } from './bot-picture.ts'

/**
 * Makes a bot that belongs to the caller; a file in the request is its picture. Source:
 * docs/interface/bots.md#make-a-bot.
 */
export const createBotEndpoint = defineEndpoint({
  operation: 'create-bot',
  method: 'POST',
  path: '/bots',
  access: 'human-member',
  growsObject: true,
  takesFiles: true,
  params: {
    full_name: textUpTo(NAME_LENGTH),
    short_name: v.pipe(
      trimmedTextUpTo(NAME_LENGTH),
      v.description('The bot gets the address {short_name}-bot@{host}.'),
    ),
    bot_type: v.optional(
      v.pipe(jsonInteger, v.description('1 generic, 2 incoming webhook, 3 outgoing webhook.')),
      '1',
    ),
    payload_url: v.optional(webAddress, ''),
    service_name: v.optional(textUpTo(NAME_LENGTH)),
    interface_type: v.optional(
      v.pipe(
        jsonInteger,
        v.description('The format in which an outgoing webhook is called: 1 JSON, 2 a form.'),
      ),
      '1',
    ),
    default_sending_stream: v.optional(channelName),
    default_events_register_stream: v.optional(channelName),
    default_all_public_streams: v.optional(jsonBoolean),
  },
  returns: v.object({
    user_id: v.number(),
    api_key: v.string(),
    webhook_secret: v.optional(v.string()),
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
