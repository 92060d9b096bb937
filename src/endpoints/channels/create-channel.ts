import * as v from 'valibot'
import { createChannel } from '../../domain/channels/create/create-channel.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonBoolean, jsonIds, textUpTo } from '../parameter-types.ts'
import { creationParameters } from './channel-parameters.ts'

/** Creates one channel. Source: docs/interface/channels.md#create-a-channel. */
export const createChannelEndpoint = defineEndpoint({
  operation: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  access: 'member',
  growsObject: true,
  params: {
    name: textUpTo(NAME_LENGTH),
    subscribers: jsonIds,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH), ''),
    announce: v.optional(jsonBoolean, 'false'),
    ...creationParameters,
    send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
  },
  returns: v.object({ id: v.number() }),
  command: createChannel,
  audit: { because: 'A notice in the channel itself says so.' },
})
