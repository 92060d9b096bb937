import type { GroupSettingValue } from '../state/wire.ts'
import { call } from './call.ts'

/**
 * Changes channels, their subscribers, and the user's own settings of them. Changes show when their events arrive.
 */

export interface NewChannel {
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Whether new subscribers can read earlier messages. */
  readonly isHistoryShared: boolean
  /** Undefined: the default of new channels. */
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
    // Where new channels are announced is a setting of the organization, for channels that all may find.
    announce: !channel.isPrivate || undefined,
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

/** Saves a personal setting of a channel: `color`, `is_muted`, `pin_to_top` and notifications. */
export async function saveOwnView(channelId: number, property: string, value: unknown): Promise<void> {
  await call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  })
}

/**
 * Fetches the channel's mail address, whose mail is posted by `senderId`, or else by the e-mail gateway; '' if the server accepts no mail.
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

/** Orders folders. `ids`: all of them, archived ones too, in the new order. */
export async function orderFolders(ids: readonly number[]): Promise<void> {
  await call('PATCH', '/channel_folders', { order: ids })
}

/** Creates a folder, and returns its id. */
export async function createFolder(name: string): Promise<number> {
  const answer = await call('POST', '/channel_folders/create', { name, description: '' })
  return answer.channel_folder_id as number
}
