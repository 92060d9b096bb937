import * as v from 'valibot'
import { getStreamId } from '../../domain/channels/read/get-stream-id.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { textUpTo } from '../parameter-types.ts'

/** Gets the id of a channel, by name. Source: docs/interface/channels.md#get-a-channel. */
export const getStreamIdEndpoint = defineEndpoint({
  operation: 'get-stream-id',
  method: 'GET',
  path: '/get_stream_id',
  access: 'user',
  params: { stream: textUpTo(NAME_LENGTH) },
  returns: v.object({ stream_id: v.number() }),
  command: getStreamId,
})
