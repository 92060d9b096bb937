import {
  CHANNEL_PROPERTIES,
  CHANNEL_PROPERTY_NAMES,
  type ChannelProperties,
} from '../../../core/channel-properties.ts'
import { BadRequestError, IncompatibleParametersError } from '../../../core/errors.ts'
import type { RealmReads } from '../../../core/realm-transaction.ts'
import type { Sql } from '../../../core/sql.ts'
import { mayAnybodyOpenTopics, type TopicOpening } from '../../../rules/channel-rules.ts'
import {
  requireMayChangeChannelGroupSetting,
  requireMayChangeDefaultChannels,
  requireMaySetProperty,
  requireMaySetTopicsPolicy,
} from '../../../rules/channel-setting-rules.ts'
import type { ChannelPermissions } from '../../../rules/grants.ts'
import {
  type GroupSettingChange,
  type GroupSettingValue,
  postPolicy,
  requireExpectedGroupSetting,
  requireValidGroupSetting,
  sameGroupSetting,
} from '../../../rules/group-setting-values.ts'
import { CHANNEL_GROUP_SETTINGS, type ChannelGroupSettingName } from '../../../rules/group-settings.ts'
import { requireOwner } from '../../../rules/roles.ts'
import { findFolder } from '../../../store/channel-folders/channel-folder-rows.ts'
import { type Channel, type ChannelChanges, findChannelByName } from '../../../store/channels/channel-rows.ts'
import { hasNamedTopics } from '../../../store/messages/channel-topic-rows.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { isSubscribed } from '../../../store/subscriptions/subscriber-rows.ts'
import type { Caller } from '../../caller.ts'
import { renderDescription } from '../../messages/text/render-text.ts'
import { groupFacts } from '../../user-groups/group-members.ts'
import { presentGroupSetting } from '../../user-groups/present-user-group.ts'
import { VISIBILITY_SETTINGS } from '../visibility/channel-audiences.ts'
import {
  descriptionNotice,
  type PrivacyParams,
  postingNotice,
  privacyNotice,
  renameNotice,
  requireProposedPrivacy,
  retentionNotice,
  topicsPolicyNotice,
} from './change-notices.ts'
import {
  parseRetention,
  type RetentionDays,
  requireChannelDescription,
  requireChannelName,
  requireRoomForDefaults,
} from './channel-values.ts'

export interface UpdateStreamParams
  extends PrivacyParams,
    Partial<ChannelProperties>,
    Partial<Readonly<Record<ChannelGroupSettingName, GroupSettingChange>>> {
  readonly stream_id: number
  readonly description?: string
  readonly new_name?: string
  readonly message_retention_days?: RetentionDays
  /** False unarchives a channel; true changes nothing. */
  readonly is_archived?: boolean
  /** Null removes the channel from its folder. */
  readonly folder_id?: number | null
}

/** A change of a channel: the columns to write and the updates to emit. */
interface ChannelChange {
  readonly columns: ChannelChanges
  readonly updates: readonly ChannelUpdate[]
  /** Text of the notice in the channel's topic for events. */
  readonly notice?: string
  /** Whether the change may show the channel to users, or hide it from them. */
  readonly changesVisibility?: boolean
}

/** Facts for planning changes. The caller may administer the channel. */
interface Planning {
  readonly tx: RealmReads
  readonly caller: Caller
  readonly channel: Channel
  readonly params: UpdateStreamParams
}

type Planner = (planning: Planning) => ChannelChange | readonly ChannelChange[] | undefined

/** Checks and plans changes in the order of docs/interface/channels.md#change-a-channel. An equal value is no change. */
export function planChannelChanges(
  tx: RealmReads,
  caller: Caller,
  channel: Channel,
  params: UpdateStreamParams,
): ChannelChange[] {
  const changes = PLANNERS.flatMap((plan) => plan({ tx, caller, channel, params }) ?? [])
  requireTopicsOpenToAll({ ...channel, ...columnsOf(changes) })
  return changes
}

/** Returns what changes write, together. */
export function columnsOf(changes: readonly Pick<ChannelChange, 'columns'>[]): ChannelChanges {
  const columns: ChannelChanges = Object.assign({}, ...changes.map((change) => change.columns))
  const properties = Object.assign({}, ...changes.map((change) => change.columns.properties))
  return columns.properties ? { ...columns, properties } : columns
}

const planPrivacy: Planner = ({ tx, caller, channel, params }) => {
  const privacy = requireProposedPrivacy(tx, caller, channel, params)
  if (!privacy) return undefined
  const update = {
    property: 'invite_only',
    value: privacy.isPrivate,
    history_public_to_subscribers: privacy.historyPublicToSubscribers,
    is_web_public: privacy.isWebPublic,
  }
  return {
    columns: privacy,
    updates: [update],
    notice: privacyNotice(tx, caller, channel, privacy),
    changesVisibility: true,
  }
}

const planDefault: Planner = ({ tx, caller, channel, params: { is_default_stream: isDefault } }) => {
  if (isDefault === undefined) return undefined
  requireMayChangeDefaultChannels(caller.actor)
  if (isDefault === channel.isDefault) return undefined
  if (isDefault) requireRoomForDefaults(tx.sql, 1)
  return { columns: { isDefault }, updates: [] }
}

/** Plans the properties that have no planner of their own. */
const planProperties: Planner = ({ caller, channel, params }) =>
  CHANNEL_PROPERTY_NAMES.flatMap((name): ChannelChange[] => {
    const value = params[name]
    if (value === undefined || CHANNEL_PROPERTIES[name].setBy === 'its own rule') return []
    requireMaySetProperty(caller.actor, name)
    if (value === channel.properties[name]) return []
    return [{ columns: { properties: { [name]: value } }, updates: [{ property: name, value }] }]
  })

const planRetention: Planner = ({ tx, caller, channel, params }) => {
  if (params.message_retention_days === undefined) return undefined
  requireOwner(caller.actor)
  const retentionDays = parseRetention(params.message_retention_days)
  if (retentionDays === channel.retentionDays) return undefined
  return {
    columns: { retentionDays },
    updates: [{ property: 'message_retention_days', value: retentionDays }],
    notice: retentionNotice(tx, caller, channel.retentionDays, retentionDays),
  }
}

const planFolder: Planner = ({ tx, channel, params }) => {
  if (params.folder_id === undefined) return undefined
  const folderId = requireFolder(tx.sql, params.folder_id)
  if (folderId === channel.folderId) return undefined
  return { columns: { folderId }, updates: [{ property: 'folder_id', value: folderId }] }
}

const planDescription: Planner = ({ tx, caller, channel, params }) => {
  if (params.description === undefined) return undefined
  const description = requireChannelDescription(params.description, 'description')
  if (description === channel.description) return undefined
  const renderedDescription = renderDescription(tx, caller, description, caller.source.origin)
  return {
    columns: { description, renderedDescription },
    updates: [{ property: 'description', value: description, rendered_description: renderedDescription }],
    notice: descriptionNotice(tx, caller, channel.description, description),
  }
}

const planName: Planner = ({ tx, caller, channel, params }) => {
  if (params.new_name === undefined) return undefined
  const name = requireChannelName(params.new_name)
  if (name === channel.name) throw new BadRequestError('Channel already has that name.')
  const other = findChannelByName(tx.sql, name)
  if (other && other.id !== channel.id) throw new BadRequestError('Channel name is already in use.')
  return {
    columns: { name },
    updates: [{ property: 'name', value: name }],
    notice: renameNotice(tx, caller, channel.name, name),
  }
}

const planTopicsPolicy: Planner = ({ tx, caller, channel, params: { topics_policy } }) => {
  if (topics_policy === undefined || topics_policy === channel.properties.topics_policy) return undefined
  requireMaySetTopicsPolicy(caller.actor, realmPermissions(tx.sql))
  if (topics_policy === 'empty_topic_only' && hasNamedTopics(tx.sql, channel.id)) {
    throw new BadRequestError('All messages of this channel must be in the general chat topic first.')
  }
  return {
    columns: { properties: { topics_policy } },
    updates: [{ property: 'topics_policy', value: topics_policy }],
    notice: topicsPolicyNotice(tx, caller, channel.properties.topics_policy, topics_policy),
  }
}

const planGroupSettings: Planner = ({ tx, caller, channel, params }) => {
  let settings = channel.settings
  return CHANNEL_GROUP_SETTINGS.flatMap((setting): ChannelChange | [] => {
    const change = params[setting.name]
    if (change === undefined) return []
    const subscribed = isSubscribed(tx.sql, channel.id, caller.user.id)
    const value = requireValidGroupSetting(setting, change.new, groupFacts(tx.sql))
    const present = channel.settings[setting.name]
    requireExpectedGroupSetting(change.old, () => presentGroupSetting(tx.sql, present))
    if (sameGroupSetting(value, present)) return []
    requireMayChangeChannelGroupSetting(
      caller.actor,
      setting.name,
      channel,
      subscribed,
      realmPermissions(tx.sql),
    )
    settings = { ...settings, [setting.name]: value }
    const isPosting = setting.name === 'can_send_message_group'
    return {
      columns: { settings },
      updates: [
        { property: setting.name, value: presentGroupSetting(tx.sql, value) },
        ...(isPosting ? legacyPostingUpdates(postPolicy(value)) : []),
      ],
      changesVisibility: channel.isPrivate && VISIBILITY_SETTINGS.includes(setting.name),
      ...(isPosting ? { notice: postingNotice(tx, caller, present, value) } : {}),
    }
  })
}

function legacyPostingUpdates(policy: number): ChannelUpdate[] {
  return [
    { property: 'stream_post_policy', value: policy },
    { property: 'is_announcement_only', value: policy === 2 },
  ]
}

const PLANNERS: readonly Planner[] = [
  planPrivacy,
  planDefault,
  planProperties,
  planRetention,
  planFolder,
  planDescription,
  planName,
  planTopicsPolicy,
  planGroupSettings,
]

/** A property of a channel in the form for clients, with the fields that accompany it. */
export interface ChannelUpdate {
  readonly property: string
  readonly value: unknown
  readonly rendered_description?: string
  readonly history_public_to_subscribers?: boolean
  readonly is_web_public?: boolean
}

/** Returns the folder for a channel; null for none. @throws BadRequestError for an unknown or archived one. */
export function requireFolder(sql: Sql, folderId: number | null | undefined): number | null {
  if (folderId === undefined || folderId === null) return null
  const folder = findFolder(sql, folderId)
  if (!folder || folder.isArchived) throw new BadRequestError('Invalid channel folder ID')
  return folder.id
}

export type GivenGroupSettings = { readonly [Name in keyof ChannelPermissions]?: GroupSettingValue }

/** Returns the values in their normal form; refuses in the order of the table. Errors: docs/interface/access.md#permission-values. */
export function requireValidChannelSettings(sql: Sql, given: GivenGroupSettings): GivenGroupSettings {
  const facts = groupFacts(sql)
  const valid: { -readonly [Name in keyof GivenGroupSettings]: GivenGroupSettings[Name] } = {}
  for (const setting of CHANNEL_GROUP_SETTINGS) {
    const value = given[setting.name]
    if (value !== undefined) valid[setting.name] = requireValidGroupSetting(setting, value, facts)
  }
  return valid
}

/** Refuses to limit who begins topics where the past is hidden: a refusal would reveal that a topic does not exist. */
export function requireTopicsOpenToAll(
  channel: Pick<Channel, 'isPrivate' | 'historyPublicToSubscribers'> & TopicOpening,
): void {
  if (!channel.isPrivate || channel.historyPublicToSubscribers || mayAnybodyOpenTopics(channel)) return
  throw new IncompatibleParametersError(['history_public_to_subscribers', 'can_create_topic_group'])
}
