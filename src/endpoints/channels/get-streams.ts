import * as v from 'valibot'
import { getStreams } from '../../domain/channels/read/get-streams.ts'
import { channelEntries } from '../../events/stream.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { alias, jsonBoolean } from '../parameter-types.ts'

/** Lists channels of the requested kinds. Source: docs/interface/channels.md#list-channels. */
export const getStreamsEndpoint = defineEndpoint({
  operation: 'get-streams',
  method: 'GET',
  path: '/streams',
  access: 'user',
  params: {
    include_public: v.optional(jsonBoolean, 'true'),
    include_web_public: v.optional(jsonBoolean, 'false'),
    include_subscribed: v.optional(jsonBoolean, 'true'),
    exclude_archived: v.optional(jsonBoolean, 'true'),
    include_all: v.optional(alias('include_all_active', jsonBoolean), 'false'),
    include_default: v.optional(jsonBoolean, 'false'),
    include_owner_subscribed: v.optional(jsonBoolean, 'false'),
    include_can_access_content: v.optional(jsonBoolean, 'false'),
  },
  returns: v.object({
    streams: v.array(v.object({ ...channelEntries, is_default: v.optional(v.boolean()) })),
  }),
  command: getStreams,
  largeAnswer: true,
})
