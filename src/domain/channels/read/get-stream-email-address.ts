import { deploymentOf } from '../../../core/call.ts'
import type { Command } from '../../../core/command.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import { requireOwnBot } from '../../bots/bot-rules.ts'
import type { Caller } from '../../caller.ts'
import { channelLocalPart } from '../../incoming-mail/mail-address.ts'
import { posterOf } from '../../incoming-mail/mail-target.ts'
import { requireMayPostIn } from '../../messages/send/resolve-destination.ts'
import { systemBot } from '../../messages/send/send-notice.ts'
import type { User } from '../../users/user-rows.ts'
import { requireReadableChannel } from '../visibility/find-for-caller.ts'

export interface StreamEmailAddressParams {
  readonly stream_id: number
  /** The account as which the mail is posted. */
  readonly sender_id?: number
}

/**
 * Gets the address at which a channel takes mail: '' where the deployment takes none. The caller must be able
 * to read the channel, and to post there as the mail's account. Each account has its own address, which ends
 * with it. Source: docs/interface/channels.md#get-a-channel; docs/interface/notifications.md#mail-that-comes.
 */
export const getStreamEmailAddress: Command<
  Caller,
  StreamEmailAddressParams,
  void,
  { readonly email: string }
> = {
  apply(tx, caller, { stream_id, sender_id }) {
    const channel = requireReadableChannel(tx.sql, caller, stream_id)
    const sender = senderOf(tx, caller, sender_id)
    requireMayPostIn(tx, posterOf(tx, caller, sender), channel)
    const { emailDomain } = deploymentOf(caller.source)
    if (emailDomain === null) return { email: '' }
    const localPart = channelLocalPart(tx, channel.name, [channel.id, caller.user.id, sender.id])
    return { email: `${localPart}@${emailDomain}` }
  },
}

/** @throws BadRequestError `No such bot`, `Insufficient permission` */
function senderOf(tx: RealmReads, caller: Caller, senderId: number | undefined): User {
  const gateway = systemBot(tx, 'emailgateway')
  if (senderId === undefined || senderId === gateway.id) return gateway
  return senderId === caller.user.id ? caller.user : requireOwnBot(tx.sql, caller, senderId)
}
