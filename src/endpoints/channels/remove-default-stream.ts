import * as v from 'valibot'
import { removeDefaultStream } from '../../domain/channels/defaults/change-default-channels.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonInteger } from '../parameter-types.ts'

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
