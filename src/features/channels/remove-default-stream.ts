import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonInteger } from '../../api/parameter-types.ts'
import { removeDefaultStream } from './defaults/change-default-channels.ts'

/** Stops making new users join a channel. Source: docs/interface/channels.md#default-channels. */
export const removeDefaultStreamEndpoint = defineEndpoint({
  operation: 'remove-default-stream',
  method: 'DELETE',
  path: '/default_streams',
  access: 'administrator',
  params: { stream_id: jsonInteger },
  returns: v.object({}),
  command: removeDefaultStream,
  audit: 'shown',
})
