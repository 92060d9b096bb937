import * as v from 'valibot'
import { getStreamById } from '../../domain/channels/read/get-stream-by-id.ts'
import { channelEntries } from '../../events/stream.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Gets one channel. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamByIdEndpoint = defineEndpoint({
  operation: 'get-stream-by-id',
  method: 'GET',
  path: '/streams/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({ stream: v.object(channelEntries) }),
  command: getStreamById,
})
