import * as v from 'valibot'
import { getSubscribers } from '../../domain/channels/read/get-subscribers.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Lists the subscribers of a channel. Source: docs/interface/channels.md#get-a-channel. */
export const getSubscribersEndpoint = defineEndpoint({
  operation: 'get-subscribers',
  method: 'GET',
  path: '/streams/:stream_id/members',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ subscribers: v.array(v.number()) }),
  command: getSubscribers,
  largeAnswer: true,
})
