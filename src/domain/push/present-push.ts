import type { RealmIdentity, RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { conversationById } from '../messages/conversation-rows.ts'
import type { IndexedMessage } from '../messages/message-rows.ts'
import { topicById } from '../messages/topic-rows.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import { findGroup } from '../user-groups/user-group-rows.ts'
import { apiEmail, dummyEmail } from '../users/api-email.ts'
import { avatarUrl, avatarUrlOfEmail } from '../users/avatar.ts'
import { UNKNOWN_USER_NAME } from '../users/present-unknown-user.ts'
import { findUsers, type User } from '../users/user-rows.ts'
import { seesUser } from '../users/visible-users.ts'
import type { Called } from './push-call-rows.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the two services are given to bring to a device; each reads its own. */
export interface PushPayloads {
  readonly gcm_payload: Fields
  readonly gcm_options: { readonly priority: 'high' | 'normal' }
  readonly apns_payload: Fields
}

export interface PushedMessage {
  readonly message: IndexedMessage
  readonly renderedContent: string
  /** `https://chat.example.com` */
  readonly origin: string
}

/** Longer texts are cut: the services have limits, and so has a screen. In characters. */
const LONGEST_TEXT = 200
/** In place of the text where the organization lets no unencrypted text out (behaviour 0.13). */
const WITHHELD_TEXT = 'New message'

/** Whom a notification is for, and of which organization: clients find the account by it. */
export function pushIdentity(view: RealmView, userId: number, origin: string): Fields {
  return {
    server: new URL(origin).host,
    realm_id: view.realm.id,
    realm_uri: origin,
    realm_url: origin,
    realm_name: realmProperty(view.sql, 'name'),
    user_id: userId,
  }
}

/** A message, as the devices of one of its receivers are told of it. Source: clients, the mobile client. */
export function presentMessagePush(
  view: RealmView,
  reader: User,
  called: Called,
  { message, renderedContent, origin }: PushedMessage,
): PushPayloads {
  const sender = presentSender(view, reader, message.senderId, origin)
  const place = presentPlace(view, message)
  const group = called.groupId === null ? undefined : findGroup(view.sql, called.groupId)
  const { text, isCut } = textOf(view, renderedContent)
  const common = {
    ...pushIdentity(view, reader.id, origin),
    sender_id: message.senderId,
    sender_email: sender.email,
    time: message.sentAt,
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
    ...place.fields,
  }
  return {
    gcm_payload: {
      ...common,
      event: 'message',
      zulip_message_id: message.id,
      content: text,
      content_truncated: isCut,
      sender_full_name: sender.fullName,
      sender_avatar_url: sender.avatarUrl,
    },
    gcm_options: { priority: 'high' },
    apns_payload: {
      alert: {
        title: place.title ?? sender.fullName,
        subtitle: subtitleOf(sender.fullName, called, group?.name, place.title === undefined),
        body: text,
      },
      sound: 'default',
      // Clients count for themselves: what is unread on the server is more than what the icon is to show.
      badge: 0,
      custom: { zulip: { ...common, message_ids: [message.id] } },
    },
  }
}

/** These are not to be shown any longer. At most 200: the bouncer takes no more at a time. */
export function presentRemovalPush(
  view: RealmView,
  userId: number,
  messageIds: readonly number[],
  origin: string,
): PushPayloads {
  const removal = {
    ...pushIdentity(view, userId, origin),
    event: 'remove',
    zulip_message_ids: messageIds.join(','),
  }
  return {
    // Old clients read one alone.
    gcm_payload: { ...removal, zulip_message_id: messageIds[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { zulip: removal } },
  }
}

interface PresentedSender {
  readonly fullName: string
  readonly email: string
  readonly avatarUrl: string
}

/** Guests are told nothing of people they cannot see. */
function presentSender(view: RealmView, reader: User, senderId: number, origin: string): PresentedSender {
  const sender = findUsers(view.sql, [senderId]).get(senderId)!
  const viewer = { user: reader, actor: actorOf(view.sql, reader, view.now) }
  if (seesUser(view, viewer, sender)) {
    return {
      fullName: sender.fullName,
      email: apiEmail(sender, view.realm),
      avatarUrl: new URL(avatarUrl(sender, view.realm), origin).href,
    }
  }
  return { fullName: UNKNOWN_USER_NAME, ...unknownAddress(senderId, view.realm) }
}

function unknownAddress(userId: number, realm: RealmIdentity) {
  const email = dummyEmail(userId, realm)
  return { email, avatarUrl: avatarUrlOfEmail(email, 1) }
}

interface PresentedPlace {
  readonly fields: Fields
  /** Undefined between two people: there the sender says it all. */
  readonly title: string | undefined
}

function presentPlace({ sql }: RealmView, message: IndexedMessage): PresentedPlace {
  const recipient = recipientOf(message.recipientId)
  if (recipient.kind === 'channel') {
    const channel = findChannel(sql, recipient.id)!
    const topic = topicById(sql, message.topicId)?.name || EMPTY_TOPIC_DISPLAY_NAME
    return {
      fields: { recipient_type: 'stream', stream: channel.name, stream_id: channel.id, topic },
      title: `#${channel.name} > ${topic}`,
    }
  }
  const members = conversationById(sql, recipient.id)?.members ?? []
  if (members.length <= 2) return { fields: { recipient_type: 'private' }, title: undefined }
  const names = [...findUsers(sql, members).values()].map(({ fullName }) => fullName).sort()
  return { fields: { recipient_type: 'private', pm_users: members.join(',') }, title: names.join(', ') }
}

function subtitleOf(
  name: string,
  { cause }: Called,
  groupName: string | undefined,
  isBetweenTwo: boolean,
): string {
  if (groupName !== undefined) return `${name} mentioned @${groupName}:`
  if (cause === 'mention') return `${name} mentioned you:`
  if (cause === 'topic_wildcard_mention') return `${name} mentioned all topic participants:`
  if (cause === 'channel_wildcard_mention') return `${name} mentioned everyone:`
  return isBetweenTwo ? '' : `${name}:`
}

function textOf({ sql }: RealmView, renderedContent: string): { text: string; isCut: boolean } {
  if (realmProperty(sql, 'require_e2ee_push_notifications')) return { text: WITHHELD_TEXT, isCut: false }
  const text = [...plainTextOf(renderedContent, { hideSpoilers: true })]
  if (text.length <= LONGEST_TEXT) return { text: text.join(''), isCut: false }
  return { text: `${text.slice(0, LONGEST_TEXT).join('')}…`, isCut: true }
}
