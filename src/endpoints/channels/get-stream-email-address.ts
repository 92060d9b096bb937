import * as v from 'valibot'
import { getStreamEmailAddress } from '../../domain/channels/read/get-stream-email-address.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { jsonInteger, pathInteger } from '../parameter-types.ts'

/**
 * Gets the address at which a channel takes mail: '' where the deployment takes none. Source:
 * docs/interface/channels.md#get-a-channel; docs/interface/notifications.md#mail-that-comes.
 */
export const getStreamEmailAddressEndpoint = defineEndpoint({
  operation: 'get-stream-email-address',
  method: 'GET',
  path: '/streams/:stream_id/email_address',
  access: 'user',
  params: {
    stream_id: pathInteger,
    sender_id: v.optional(
      v.pipe(
        jsonInteger,
        v.description(
          'The account that posts the mail: the caller or one of the caller’s bots. By default the e-mail gateway.',
        ),
      ),
    ),
  },
  returns: v.object({ email: v.string() }),
  command: getStreamEmailAddress,
})
