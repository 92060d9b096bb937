import type { GroupSettingValue } from '../state/wire.ts'
import { call } from './call.ts'

/** Channels, who is in them, and how one has them oneself. Nothing is shown before its event has come. */

export interface NewChannel {
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Newcomers read what was said before. */
  readonly isHistoryShared: boolean
  /** Undefined: as new channels have it. */
  readonly whoMayPost: GroupSettingValue | undefined
  readonly folderId: number | null
  readonly userIds: readonly number[]
}

export async function createChannel(channel: NewChannel): Promise<number> {
  const answer = await call('POST', '/channels/create', {
    name: channel.name,
    description: channel.description,
    subscribers: channel.userIds,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic || undefined,
    history_public_to_subscribers: channel.isHistoryShared,
    can_send_message_group: channel.whoMayPost,
    folder_id: channel.folderId ?? undefined,
  })
  return answer.id as number
}

export async function changeChannel(channelId: number, changes: object): Promise<void> {
  await call('PATCH', `/streams/${channelId}`, changes)
}

export async function setChannelPermission(
  channelId: number,
  name: string,
  value: GroupSettingValue,
): Promise<void> {
  await call('PATCH', `/streams/${channelId}`, { [name]: { new: value } })
}

export async function archiveChannel(channelId: number): Promise<void> {
  await call('DELETE', `/streams/${channelId}`)
}

/** One's own: `color`, `is_muted`, `pin_to_top` and what one is notified of. */
export async function saveOwnView(channelId: number, property: string, value: unknown): Promise<void> {
  await call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  })
}

/**
 * The address at which the channel takes mail, which is posted by `senderId`, or else by the e-mail gateway; '' where the
 * server takes none.
 */
export async function fetchChannelAddress(channelId: number, senderId: number | undefined): Promise<string> {
  return (await call('GET', `/streams/${channelId}/email_address`, { sender_id: senderId })).email as string
}

export async function addSubscribers(name: string, userIds: readonly number[]): Promise<void> {
  await call('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: userIds })
}

export async function removeSubscriber(name: string, userId: number): Promise<void> {
  await call('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals: [userId] })
}

export async function changeFolder(folderId: number, changes: object): Promise<void> {
  await call('PATCH', `/channel_folders/${folderId}`, changes)
}

/** All of them, archived ones too, in the order that they shall have. */
export async function orderFolders(ids: readonly number[]): Promise<void> {
  await call('PATCH', '/channel_folders', { order: ids })
}

export async function createFolder(name: string): Promise<void> {
  await call('POST', '/channel_folders/create', { name, description: '' })
}
