import type { RealmView } from '../../core/realm-transaction.ts'
import type { NotifiableOnDevices } from '../../store/push/pending-push-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { findUsers, type User } from '../../store/users/user-rows.ts'
import { type PushContent, type PushedConversation, type PushedMessage, pushContent } from './push-content.ts'

type Fields = Readonly<Record<string, unknown>>

/** Payloads that the two services deliver to a device; each reads its own. */
export interface PushPayloads {
  readonly gcm_payload: Fields
  readonly gcm_options: { readonly priority: 'high' | 'normal' }
  readonly apns_payload: Fields
}

/** Returns the account of a notification, and its organization, by which clients find the account. */
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

/** Returns a message in the form for the devices of one of its receivers. Source: docs/interface/clients.md#the-mobile-client. */
export function presentMessagePush(
  view: RealmView,
  reader: User,
  notifiable: NotifiableOnDevices,
  pushed: PushedMessage,
): PushPayloads {
  const { message, origin } = pushed
  const { sender, conversation, group, text, isCut } = pushContent(view, reader, notifiable, pushed)
  const title = titleOf(view, conversation)
  const common = {
    ...pushIdentity(view, reader.id, origin),
    sender_id: message.senderId,
    sender_email: sender.email,
    time: message.sentAt,
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
    ...presentConversation(conversation),
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
        title: title ?? sender.fullName,
        subtitle: subtitleOf(sender.fullName, notifiable, group, title === undefined),
        body: text,
      },
      sound: 'default',
      // Clients count themselves: the server's unread messages are more than the icon should show.
      badge: 0,
      custom: { zulip: { ...common, message_ids: [message.id] } },
    },
  }
}

/** Returns the payloads that remove notifications, at most 200, since the bouncer takes no more at a time. */
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
    // Old clients read only one.
    gcm_payload: { ...removal, zulip_message_id: messageIds[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { zulip: removal } },
  }
}

function presentConversation(conversation: PushedConversation): Fields {
  if (conversation.kind === 'channel') {
    const { channel, topic } = conversation
    return { recipient_type: 'stream', stream: channel.name, stream_id: channel.id, topic }
  }
  const { members } = conversation
  return { recipient_type: 'private', ...(members.length > 2 ? { pm_users: members.join(',') } : {}) }
}

/** Returns the title of a notification; undefined between two people, where the sender is enough. */
function titleOf({ sql }: RealmView, conversation: PushedConversation): string | undefined {
  if (conversation.kind === 'channel') return `#${conversation.channel.name} > ${conversation.topic}`
  if (conversation.members.length <= 2) return undefined
  return [...findUsers(sql, conversation.members).values()]
    .map(({ fullName }) => fullName)
    .sort()
    .join(', ')
}

function subtitleOf(
  name: string,
  { cause }: NotifiableOnDevices,
  group: PushContent['group'],
  isBetweenTwo: boolean,
): string {
  if (group) return `${name} mentioned @${group.name}:`
  if (cause === 'mention') return `${name} mentioned you:`
  if (cause === 'topic_wildcard_mention') return `${name} mentioned all topic participants:`
  if (cause === 'channel_wildcard_mention') return `${name} mentioned everyone:`
  return isBetweenTwo ? '' : `${name}:`
}

/** The payload encrypted for a device, equal for all services (the public API's page on mobile notifications, level 420). */
export type SealedPayload = Readonly<Record<string, unknown>> & {
  readonly type: 'message' | 'remove' | 'test'
}

/** Returns a message for a receiver's devices: those with a key, which get all participants (level 429), or older ones. */
export function presentSealedMessage(
  view: RealmView,
  reader: User,
  notifiable: NotifiableOnDevices,
  pushed: PushedMessage,
  form: 'keyed' | 'older' = 'older',
): SealedPayload {
  const { message, origin } = pushed
  const { sender, conversation, group, text } = pushContent(view, reader, notifiable, pushed)
  return {
    type: 'message',
    ...sealedIdentity(view, reader.id, origin),
    message_id: message.id,
    time: message.sentAt,
    content: text,
    sender_id: message.senderId,
    sender_full_name: sender.fullName,
    sender_avatar_url: sender.avatarUrl,
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
    ...sealedConversation(conversation, form),
  }
}

export function presentSealedRemoval(
  view: RealmView,
  userId: number,
  messageIds: readonly number[],
  origin: string,
): SealedPayload {
  return { type: 'remove', ...sealedIdentity(view, userId, origin), message_ids: messageIds }
}

/** Returns a payload that shows that notifications arrive. */
export function presentSealedTest(view: RealmView, userId: number, origin: string): SealedPayload {
  return { type: 'test', ...sealedIdentity(view, userId, origin), time: Math.floor(view.now) }
}

function sealedIdentity(view: RealmView, userId: number, origin: string) {
  return { realm_url: origin, realm_name: realmProperty(view.sql, 'name'), user_id: userId }
}

function sealedConversation(
  conversation: PushedConversation,
  form: 'keyed' | 'older',
): Readonly<Record<string, unknown>> {
  if (conversation.kind === 'channel') {
    const { channel, topic } = conversation
    return { recipient_type: 'channel', channel_id: channel.id, channel_name: channel.name, topic }
  }
  const { members } = conversation
  if (form === 'keyed') return { recipient_type: 'direct', recipient_user_ids: members }
  return { recipient_type: 'direct', ...(members.length > 2 ? { pm_users: members.join(',') } : {}) }
}
