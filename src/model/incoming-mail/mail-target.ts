import { createHash } from 'node:crypto'
import type { RequestSource } from '../../core/call.ts'
import { ApiError, BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { DAY } from '../../core/time.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { isRealmDeactivated } from '../../store/realm/realm-setting-rows.ts'
import { findUser, findUsers, type User } from '../../store/users/user-rows.ts'
import { requireOwnBot } from '../bots/bot-rules.ts'
import { type Caller, callerOf } from '../caller.ts'
import { topicsPolicyIn } from '../channels/read/present-channel.ts'
import { messageAccess } from '../messages/read/message-access.ts'
import type { Destination } from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { topicOfMessage } from '../messages/topic-of-message.ts'
import { getsMail } from '../notifications/notifiable-users.ts'
import { resolveChannelDestination, resolveDirectDestination } from '../sending/resolve-destination.ts'
import { isOurs, type WrittenAddress } from './mail-address.ts'
import { topicOfSubject } from './topic-of-subject.ts'

/** The refusal for every address that takes no mail, whatever the reason, so that it reveals nothing about the organization. */
export const NO_SUCH_ADDRESS = 'Nobody takes mail at this address, or no longer.'

/** The message into which a mail is turned. */
export interface MailTarget {
  readonly kind: 'reply' | 'channel'
  /** The sender, with the mail's key in their source. */
  readonly caller: Caller
  /** Returns the destination, if the sender may write there. Checked each time, since everything may have changed. */
  destination(subject: string): Destination
}

export interface MailKey {
  readonly to: WrittenAddress
  /** Digest of the mail, which may be delivered more than once. */
  readonly mailKey: string
}

/** Returns the sender and the destination of mail to this address. @throws BadRequestError NO_SUCH_ADDRESS */
export function requireTarget(
  tx: RealmTransaction,
  source: RequestSource,
  { to, mailKey }: MailKey,
): MailTarget {
  if (isRealmDeactivated(tx.sql) || !isOurs(tx, to)) throw noSuchAddress()
  const key = createHash('sha256')
    .update(JSON.stringify([to.kind, to.ids, mailKey]))
    .digest('base64url')
  const keyed = { ...source, idempotency: { key, request: key } }
  if (to.kind === 'reply') return replyTarget(tx, keyed, to.ids)
  if (to.kind === 'channel') return channelTarget(tx, keyed, to.ids)
  throw noSuchAddress()
}

/**
 * Returns the target of a reply, which is sent as the user who got the mail, to the message's present conversation.
 * Anyone who knows the address writes as that user (docs/interface/notifications.md#mail-that-comes).
 */
function replyTarget(
  tx: RealmReads,
  source: RequestSource,
  [userId, messageId, lastDay]: readonly number[],
): MailTarget {
  const user = findUser(tx.sql, userId!)
  const message = findMessage(tx.sql, messageId!)
  if (!getsMail(user) || !message || tx.now / DAY > lastDay! + 1) throw noSuchAddress()
  const caller = callerOf(tx.sql, user, source, tx.now)
  if (!mayReadMessage(caller.actor, messageAccess(tx, caller, message))) throw noSuchAddress()
  const { kind, id } = recipientOf(message.recipientId)
  return {
    kind: 'reply',
    caller,
    destination: () =>
      kind === 'channel'
        ? resolveChannelDestination(tx, caller, { id }, topicOfMessage(tx.sql, message)?.name ?? '')
        : resolveDirectDestination(tx, caller, {
            ids: reachableMembers(tx, conversationById(tx.sql, id)?.members ?? []),
          }),
  }
}

/**
 * Returns the members of a group conversation who have open accounts: whoever answers by mail cannot choose them. Somebody's only partner stays,
 * so that the refusal says that they are gone.
 */
function reachableMembers({ sql }: RealmReads, members: readonly number[]): readonly number[] {
  if (members.length <= 2) return members
  const users = findUsers(sql, members)
  return members.filter((id) => users.get(id)?.isActive)
}

/** Returns the target of mail to a channel, with the rights of the user who asked for the address, or of the bot that posts. */
function channelTarget(
  tx: RealmReads,
  source: RequestSource,
  [channelId, creatorId, senderId]: readonly number[],
): MailTarget {
  const creator = findUser(tx.sql, creatorId!)
  const sender = findUser(tx.sql, senderId!)
  if (!creator?.isActive || !sender?.isActive) throw noSuchAddress()
  const asked = callerOf(tx.sql, creator, source, tx.now)
  const caller = callerOf(tx.sql, sender, source, tx.now)
  return {
    kind: 'channel',
    caller,
    destination: (subject) =>
      hidingWhy(() => {
        const poster = posterOf(tx, asked, sender)
        const topic = topicIn(tx, channelId!, subject)
        return resolveChannelDestination(tx, poster, { id: channelId! }, topic, {
          opensAnyTopic: sender.isSystemBot,
        })
      }),
  }
}

/**
 * Returns the user whose right to post counts for mail posted as `sender`: a system bot has none.
 * @throws BadRequestError for a bot that is not the caller's
 */
export function posterOf(tx: RealmReads, caller: Caller, sender: User): Author {
  if (sender.id === caller.user.id || sender.isSystemBot) return caller
  const bot = requireOwnBot(tx.sql, caller, sender.id)
  return callerOf(tx.sql, bot, caller.source, tx.now)
}

/** Returns a mail's topic: its subject, except in a channel without topics. */
function topicIn({ sql }: RealmReads, channelId: number, subject: string): string {
  const channel = findChannel(sql, channelId)
  const policy = channel && topicsPolicyIn(sql, channel)
  return policy === 'empty_topic_only' ? '' : topicOfSubject(subject)
}

/** Replaces refusals with one that gives no reason: anyone can send mail to a channel. */
function hidingWhy<R>(resolve: () => R): R {
  try {
    return resolve()
  } catch (error) {
    throw error instanceof ApiError ? noSuchAddress() : error
  }
}

function noSuchAddress(): BadRequestError {
  return new BadRequestError(NO_SUCH_ADDRESS)
}
