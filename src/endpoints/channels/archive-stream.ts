import * as v from 'valibot'
import { archiveStream } from '../../domain/channels/archive/archive-stream.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Archives a channel. Source: docs/interface/channels.md#archive-and-unarchive. */
export const archiveStreamEndpoint = defineEndpoint({
  operation: 'archive-stream',
  method: 'DELETE',
  path: '/streams/:stream_id',
  access: 'user',
  params: { stream_id: pathInteger },
  returns: v.object({}),
  command: archiveStream,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'channel_archived',
      details: { stream_id: params.stream_id },
    }),
  },
})
