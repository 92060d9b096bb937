import * as v from 'valibot'
import { updateBot } from '../../domain/bots/update-bot.ts'
import { ROLE_VALUES } from '../../permissions/roles.ts'
import { changeOfAccount } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import {
  integer,
  json,
  jsonBoolean,
  jsonInteger,
  pathInteger,
  textUpTo,
  trimmedTextUpTo,
} from '../parameter-types.ts'
import { botDefaults, channelName, webAddress } from './bot-parameters.ts'
import { mayHavePicture, storePicture } from './bot-picture.ts'

/**
 * Changes a bot, for its owner or an administrator; a file in the request is its picture. Source:
 * docs/interface/bots.md#list-and-change-bots.
 */
export const updateBotEndpoint = defineEndpoint({
  operation: 'update-bot',
  method: 'PATCH',
  path: '/bots/:bot_id',
  access: 'human-member',
  takesFiles: true,
  params: {
    bot_id: pathInteger,
    full_name: v.optional(textUpTo(NAME_LENGTH)),
    short_name: v.optional(
      v.pipe(
        trimmedTextUpTo(NAME_LENGTH),
        v.description('The bot gets the address {short_name}-bot@{host}.'),
      ),
    ),
    role: v.optional(json(v.pipe(integer, v.picklist(ROLE_VALUES)))),
    bot_owner_id: v.optional(jsonInteger),
    service_payload_url: v.optional(webAddress),
    service_interface: v.optional(jsonInteger),
    default_sending_stream: v.optional(channelName),
    default_events_register_stream: v.optional(channelName),
    default_all_public_streams: v.optional(jsonBoolean),
  },
  returns: v.object({
    full_name: v.string(),
    avatar_url: v.string(),
    role: v.number(),
    service_interface: v.nullable(v.number()),
    service_payload_url: v.nullable(v.string()),
    ...botDefaults,
    bot_owner: v.optional(v.string()),
  }),
  command: updateBot,
  audit: changeOfAccount,
  hasWork: (_params, files) => mayHavePicture(files),
  async prepare(params, worker) {
    return { ...params, ...(await storePicture(worker)) }
  },
})
