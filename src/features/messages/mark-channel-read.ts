import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonInteger } from '../../api/parameter-types.ts'
import { markChannelRead } from './flags/mark-channel-read.ts'

/** Marks a channel's messages read. Source: docs/interface/reading.md#mark-as-read. */
export const markChannelReadEndpoint = defineEndpoint({
  operation: 'mark-channel-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  access: 'user',
  params: { stream_id: jsonInteger },
  returns: v.object({}),
  command: markChannelRead,
  audit: 'own',
})
