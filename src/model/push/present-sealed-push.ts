import type { RealmView } from '../../core/realm-transaction.ts'
import type { NotifiableOnDevices } from '../../store/push/pending-push-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { User } from '../../store/users/user-rows.ts'
import { type PushedConversation, type PushedMessage, pushContent } from './push-content.ts'

/**
 * The payload that is encrypted for a device, the same for every service that delivers it. Source: the public
 * API's page on mobile notifications, as of level 420.
 */
export type SealedPayload = Readonly<Record<string, unknown>> & {
  readonly type: 'message' | 'remove' | 'test'
}

/**
 * Returns a message for the devices of one of its receivers: those with a key, which get all participants (the public
 * API, level 429), or those of the older form.
 */
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
    ...presentConversation(conversation, form),
  }
}

/** Returns the payload that removes notifications. */
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

function presentConversation(
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
