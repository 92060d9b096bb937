import * as v from 'valibot'
import { updateDefaultStreamGroupChannels } from '../../domain/default-channel-groups/update-default-stream-group-channels.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonNames, pathInteger, word } from '../parameter-types.ts'

/** Puts channels into a group of default channels, or takes them out. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupChannelsEndpoint = defineEndpoint({
  operation: 'update-default-stream-group-channels',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id/streams',
  access: 'administrator',
  params: { group_id: pathInteger, op: word, stream_names: jsonNames },
  returns: v.object({}),
  command: updateDefaultStreamGroupChannels,
  audit: 'shown',
})
