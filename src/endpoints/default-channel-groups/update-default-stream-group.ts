import * as v from 'valibot'
import { updateDefaultStreamGroup } from '../../domain/default-channel-groups/update-default-stream-group.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo } from '../parameter-types.ts'

/** Renames or describes a group of default channels. Source: docs/interface/channels.md#default-channel-groups. */
export const updateDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'update-default-stream-group',
  method: 'PATCH',
  path: '/default_stream_groups/:group_id',
  access: 'administrator',
  params: {
    group_id: pathInteger,
    new_group_name: v.optional(textUpTo(NAME_LENGTH)),
    new_description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
  },
  returns: v.object({}),
  command: updateDefaultStreamGroup,
  audit: 'shown',
})
