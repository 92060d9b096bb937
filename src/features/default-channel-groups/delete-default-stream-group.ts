import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { pathInteger } from '../../api/parameter-types.ts'
import { deleteDefaultStreamGroup } from '../../model/default-channel-groups/delete-default-stream-group.ts'

/** Dissolves a group of default channels; the channels stay. Source: docs/interface/channels.md#default-channel-groups. */
export const deleteDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'delete-default-stream-group',
  method: 'DELETE',
  path: '/default_stream_groups/:group_id',
  access: 'administrator',
  params: { group_id: pathInteger },
  returns: v.object({}),
  command: deleteDefaultStreamGroup,
  audit: 'shown',
})
