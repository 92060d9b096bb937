import * as v from 'valibot'
import { getUserChannels } from '../../domain/subscriptions/get-user-channels.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Lists the channels to which a user is subscribed. Source: docs/interface/subscriptions.md#list-ones-channels. */
export const getUserChannelsEndpoint = defineEndpoint({
  operation: 'get-user-channels',
  method: 'GET',
  path: '/users/:user_id/channels',
  access: 'user',
  params: { user_id: pathInteger },
  returns: v.object({ subscribed_channel_ids: v.array(v.number()) }),
  command: getUserChannels,
})
