import * as v from 'valibot'
import { getStreamEmailAddress } from '../../domain/channels/get-stream-email-address.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonInteger, pathInteger } from '../parameter-types.ts'

/** The address at which a channel takes mail: '', since there is none. Source: core-endpoints 10. */
export const getStreamEmailAddressEndpoint = defineEndpoint({
  operation: 'get-stream-email-address',
  method: 'GET',
  path: '/streams/:stream_id/email_address',
  access: 'user',
  params: { stream_id: pathInteger, sender_id: v.optional(jsonInteger) },
  returns: v.object({ email: v.string() }),
  command: getStreamEmailAddress,
})
