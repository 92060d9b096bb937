import * as v from 'valibot'
import { createChannel } from '../../domain/channels/create-channel.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonBoolean, jsonIntegers, text } from '../parameter-types.ts'
import { creationParameters } from './channel-parameters.ts'

/** Creates one channel. Source: core-endpoints 10. */
export const createChannelEndpoint = defineEndpoint({
  operation: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  access: 'member',
  params: {
    name: text,
    subscribers: jsonIntegers,
    description: v.optional(text, ''),
    announce: v.optional(jsonBoolean, 'false'),
    ...creationParameters,
    send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
  },
  returns: v.object({ id: v.number() }),
  command: createChannel,
})
