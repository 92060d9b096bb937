import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonInteger } from '../../api/parameter-types.ts'
import { addDefaultStream } from './defaults/change-default-channels.ts'

/** Makes new users join a channel. Source: docs/interface/channels.md#default-channels. */
export const addDefaultStreamEndpoint = defineEndpoint({
  operation: 'add-default-stream',
  method: 'POST',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: jsonInteger },
  returns: v.object({}),
  command: addDefaultStream,
  audit: 'shown',
})
