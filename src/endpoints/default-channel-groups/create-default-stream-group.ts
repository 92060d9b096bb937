import * as v from 'valibot'
import { createDefaultStreamGroup } from '../../domain/default-channel-groups/create-default-stream-group.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonTexts, text } from '../parameter-types.ts'

/** Makes a group of channels that new users may join together. Source: core-endpoints 10. */
export const createDefaultStreamGroupEndpoint = defineEndpoint({
  operation: 'create-default-stream-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  access: 'administrator',
  params: { group_name: text, description: text, stream_names: jsonTexts },
  returns: v.object({}),
  command: createDefaultStreamGroup,
})
