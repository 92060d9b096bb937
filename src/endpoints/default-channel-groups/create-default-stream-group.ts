import * as v from 'valibot'
import { createDefaultStreamGroup } from '../../domain/default-channel-groups/create-default-stream-group.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { jsonNames, textUpTo } from '../parameter-types.ts'

/** Makes a group of channels that new users may join together. Source: docs/interface/channels.md#default-channel-groups. */
export const createDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'create-default-stream-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  access: 'administrator',
  params: {
    group_name: textUpTo(NAME_LENGTH),
    description: textUpTo(DESCRIPTION_LENGTH),
    stream_names: jsonNames,
  },
  returns: v.object({}),
  command: createDefaultStreamGroup,
  audit: 'shown',
})
