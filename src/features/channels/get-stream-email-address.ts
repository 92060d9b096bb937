import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonInteger, pathInteger } from '../../api/parameter-types.ts'
import { deploymentOf } from '../../core/call.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReadableChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { channelLocalPart } from '../../model/incoming-mail/mail-address.ts'
import { posterOf } from '../../model/incoming-mail/mail-target.ts'
import { requireMayPostIn } from '../../model/sending/resolve-destination.ts'
import { systemBot } from '../../model/sending/send-notice.ts'
import type { User } from '../../store/users/user-rows.ts'

/**
 * Gets the address at which a channel accepts mail: '' if the deployment accepts none. The caller must be able to read the channel, and to
 * post there as the mail's sender. Each account has its own address, which is valid as long as the account. Source:
 * docs/interface/channels.md#get-a-channel; docs/interface/notifications.md#mail-that-comes.
 */
export const getStreamEmailAddressEndpoint = defineEndpoint({
  operation: 'get-stream-email-address',
  route: 'GET /streams/:stream_id/email_address',
  access: 'user',
  params: {
    stream_id: pathInteger,
    sender_id: v.optional(
      described(
        jsonInteger,
        'The account that posts the mail: the caller or one of the caller’s bots. By default the e-mail gateway.',
      ),
    ),
  },
  returns: v.object({ email: secretText() }),
  apply(tx, caller, { stream_id, sender_id }) {
    const channel = requireReadableChannel(tx.sql, caller, stream_id)
    const sender = senderOf(tx, caller, sender_id)
    requireMayPostIn(tx, posterOf(tx, caller, sender), channel)
    const { emailDomain } = deploymentOf(caller.source)
    if (emailDomain === null) return { email: '' }
    const localPart = channelLocalPart(tx, channel.name, [channel.id, caller.user.id, sender.id])
    return { email: `${localPart}@${emailDomain}` }
  },
})

/** @throws BadRequestError `No such bot`, `Insufficient permission` */
function senderOf(tx: RealmReads, caller: Caller, senderId: number | undefined): User {
  const gateway = systemBot(tx, 'emailgateway')
  if (senderId === undefined || senderId === gateway.id) return gateway
  return senderId === caller.user.id ? caller.user : requireOwnBot(tx.sql, caller, senderId)
}
