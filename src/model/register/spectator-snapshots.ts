import { valuesText } from '../../core/json.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmIdentity, RealmReads } from '../../core/realm-transaction.ts'
import { fragmentOfEach, listOf, type Section, sectionOf } from '../../core/sections.ts'
import { withoutShownSettings } from '../../core/shown-settings.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { listFolders } from '../../store/channel-folders/channel-folder-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { NO_CHANNEL } from '../../store/realm/realm-properties.ts'
import type { Subscription } from '../../store/subscriptions/subscription-rows.ts'
import { listUsersOfBlock, userBlocks } from '../../store/users/user-block-rows.ts'
import { listSystemBots, type User } from '../../store/users/user-rows.ts'
import type { Caller } from '../caller.ts'
import { allChannels, presentFolder } from '../channels/read/present-channel.ts'
import { NO_UNREAD, presentUnreadMessages } from '../messages/flags/unread-groups.ts'
import { nextColor } from '../subscriptions/colors.ts'
import { publicEmail } from '../users/addresses/api-email.ts'
import { presentUser } from '../users/read/present-user.ts'
import { channelObject, channelsSeen, settingsWriter } from './channels-in-sections.ts'
import { ORGANIZATION_SNAPSHOTS } from './organization-snapshots.ts'
import { realmSnapshot } from './realm.ts'
import { realmUserSnapshot } from './realm-user.ts'
import type { Snapshot } from './snapshot.ts'

/** Settings of the organization whose value is the id of a channel. */
const NAMING_CHANNELS = [
  'realm_moderation_request_channel_id',
  'realm_new_stream_announcements_stream_id',
  'realm_signup_announcements_stream_id',
  'realm_zulip_update_announcements_stream_id',
] as const

/** The keys of `realm` without message editing, presence, and channels that are not open. */
const realm: Snapshot = (tx, caller) => {
  const keys = realmSnapshot(tx, caller) as Record<string, unknown>
  const hidden = NAMING_CHANNELS.filter((name) => {
    const channel = findChannel(tx.sql, keys[name] as number)
    return !channel || !isOpenToSpectators(channel)
  })
  return {
    ...keys,
    ...Object.fromEntries(hidden.map((name) => [name, NO_CHANNEL])),
    realm_allow_message_editing: false,
    realm_presence_disabled: true,
  }
}

/** All users, without the content of their profiles. */
const realmUser: Snapshot = (tx, caller, options) => {
  const { realm } = tx
  const { user: viewer } = caller
  const asked = userBlocks(tx.sql).map((block) => ({ block, realm, viewer }))
  const sections = tx.useAll(publicUsers, asked)
  return {
    ...realmUserSnapshot(tx, caller, options),
    realm_users: listOf(fragmentOfEach(sections, 0)),
    realm_non_active_users: listOf(fragmentOfEach(sections, 1)),
    cross_realm_bots: listSystemBots(tx.sql).map((bot) => ({
      ...presentPublicUser(realm, viewer, bot),
      is_active: true,
    })),
  }
}

interface PublicUsers {
  readonly block: number
  readonly realm: RealmIdentity
  /** Stands for everybody without an account. */
  readonly viewer: User
}

const publicUsers = defineReader({
  name: 'users seen by spectators',
  key: ({ block, realm }: PublicUsers) => `${block} ${realm.host}`,
  *read({ sql }, { block, realm, viewer }): Generator<undefined, Section> {
    const users = listUsersOfBlock(sql, block)
    const listed = (isActive: boolean) =>
      valuesText(
        users
          .filter((user) => user.isActive === isActive)
          .map((user) => presentPublicUser(realm, viewer, user)),
      )
    yield
    return sectionOf(`users seen by spectators ${block}`, [listed(true), listed(false)])
  },
})

function presentPublicUser(realm: RealmIdentity, viewer: User, user: User): object {
  const { is_active: _, ...presented } = withoutShownSettings(
    presentUser(user, { viewer, realm, clientGravatar: false, includeProfileData: false }),
  )
  return {
    ...presented,
    email: publicEmail(user, realm),
    delivery_email: null,
    date_joined: presented.date_joined.slice(0, 10),
  }
}

/** Every open channel, as for a new subscriber. */
const subscription: Snapshot = (tx, caller, options) => {
  const colors: string[] = []
  const open = channelsSeen(tx, caller, options).filter(({ channel }) => isOpenToSpectators(channel))
  const write = settingsWriter(caller, options)
  const settingsOf = (channelId: number) => {
    const color = nextColor(colors, channelId)
    colors.push(color)
    return write({ ...NEW, channelId, color })
  }
  return {
    subscriptions: listOf(
      open.map((channel) =>
        channelObject(channel, { listsSubscribers: false, settings: settingsOf(channel.channel.id) }),
      ),
    ),
    unsubscribed: [],
    never_subscribed: [],
  }
}

const NEW: Omit<Subscription, 'channelId' | 'color'> = {
  userId: 0,
  isActive: true,
  sinceEvent: 0,
  sinceMessage: 0,
  isMuted: false,
  pinToTop: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
}

const channelFolders: Snapshot = (tx) => {
  const used = new Set(
    allChannels(tx)
      .filter(isOpenToSpectators)
      .map(({ folderId }) => folderId),
  )
  return {
    channel_folders: listFolders(tx.sql)
      .filter(({ id }) => used.has(id))
      .map(presentFolder),
  }
}

/** The snapshots of a visitor without an account that differ from those of a guest without a user; the others are empty anyway. */
export const SPECTATOR_SNAPSHOTS: Readonly<Record<string, Snapshot>> = {
  channel_folders: channelFolders,
  custom_profile_fields: (tx, caller, options) => ({
    ...ORGANIZATION_SNAPSHOTS.custom_profile_fields(tx, caller, options),
    custom_profile_fields: [],
  }),
  default_streams: () => ({ realm_default_streams: [] }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  giphy: () => ({ giphy_api_key: '' }),
  message: () => ({ max_message_id: -1 }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  presence: ({ now }) => ({ presences: {}, server_timestamp: now }),
  realm,
  realm_bot: () => ({ realm_bots: [] }),
  realm_user: realmUser,
  stream: () => ({}),
  subscription,
  tenor: () => ({ tenor_api_key: '' }),
  user_status: () => ({ user_status: {} }),
}

/** Returns the unread messages of a spectator: none. */
export function nothingUnread({ sql }: RealmReads, { user }: Caller): object {
  return { unread_msgs: presentUnreadMessages(sql, user, { groups: NO_UNREAD, topics: new Map() }, true) }
}
