import * as v from 'valibot'
import { CHANNEL_PROPERTIES, type ChannelProperties, forEachProperty } from '../core/channel-properties.ts'
import type { LogEvent } from '../core/realm-transaction.ts'
import { type DeclaresLevel, getsRepresentation } from '../core/representations-by-level.ts'
import { CHANNEL_GROUP_SETTINGS, forEachPermission } from '../rules/group-settings.ts'
import {
  defineEventType,
  defineShapedEventType,
  formSchema,
  hasCapability,
  type StoredOf,
} from './event-type.ts'
import { groupSettingSchema } from './representations.ts'

/** A channel became visible, changed, or is no longer visible. Source: docs/interface/events.md#events-about-channels-and-groups; docs/interface/channels.md#the-channel-object. */
export interface StoredStreamEvent extends LogEvent {
  readonly type: 'stream'
  readonly op: 'create' | 'update' | 'delete'
  readonly [field: string]: unknown
  /**
   * Set where one change is sent in two forms: `yes` for clients that know archived channels, `no` for those
   * to which an archived channel disappears.
   */
  readonly for_archived_channels?: 'yes' | 'no'
}

const groupSettings = forEachPermission(CHANNEL_GROUP_SETTINGS, groupSettingSchema)

const properties = forEachProperty((name) => CHANNEL_PROPERTIES[name].schema) as {
  readonly [Name in keyof ChannelProperties]: (typeof CHANNEL_PROPERTIES)[Name]['schema']
}

/** The channel object without personal fields. */
export const channelEntries = {
  stream_id: v.number(),
  name: v.string(),
  description: v.string(),
  rendered_description: v.string(),
  date_created: v.number(),
  creator_id: v.nullable(v.number()),
  invite_only: v.boolean(),
  is_web_public: v.boolean(),
  history_public_to_subscribers: v.boolean(),
  first_message_id: v.nullable(v.number()),
  folder_id: v.nullable(v.number()),
  is_recently_active: v.boolean(),
  is_archived: v.boolean(),
  is_announcement_only: v.boolean(),
  stream_post_policy: v.number(),
  message_retention_days: v.nullable(v.number()),
  ...properties,
  default_push_notifications: v.optional(properties.default_push_notifications),
  subscriber_count: v.number(),
  stream_weekly_traffic: v.nullable(v.number()),
  ...groupSettings,
}

/** Fields of a channel without an event of their own: they never change, change together with another, or are counted. */
const UNTOLD: ReadonlySet<string> = new Set<keyof typeof channelEntries>([
  'stream_id',
  'rendered_description',
  'date_created',
  'creator_id',
  'is_web_public',
  'history_public_to_subscribers',
  'subscriber_count',
  'stream_weekly_traffic',
])

/** Further fields in the event of a changed field. */
const BESIDE: { readonly [property: string]: v.ObjectEntries } = {
  description: { rendered_description: v.string() },
  invite_only: { history_public_to_subscribers: v.boolean(), is_web_public: v.boolean() },
}

const updates = Object.entries({ ...channelEntries, ...properties })
  .filter(([property]) => !UNTOLD.has(property))
  .map(([property, value]) =>
    formSchema('stream', {
      op: v.literal('update'),
      stream_id: v.number(),
      name: v.string(),
      property: v.literal(property),
      value,
      ...BESIDE[property],
    }),
  )

/** The property that clients of older levels do not know. */
const NEWER = 'default_push_notifications'

/** Returns a channel as a client of its level knows it. */
export function channelFor<Channel extends object>(
  client: DeclaresLevel,
  channel: Channel,
): Channel | Omit<Channel, typeof NEWER> {
  if (getsRepresentation(client, 'channels with default_push_notifications')) return channel
  const { [NEWER]: _, ...known } = channel as Channel & Record<typeof NEWER, unknown>
  return known
}

export const streamEvent = defineShapedEventType<StoredStreamEvent>(
  'stream',
  [
    { op: v.literal('create'), streams: v.array(v.strictObject(channelEntries)) },
    v.variant('property', updates),
    {
      op: v.literal('delete'),
      streams: v.array(v.strictObject({ stream_id: v.number() })),
      stream_ids: v.array(v.number()),
    },
  ],
  {
    deliver({ for_archived_channels, ...stored }, context) {
      const knowsArchived = hasCapability(context, 'archived_channels')
      if (for_archived_channels === 'yes' && !knowsArchived) return []
      if (for_archived_channels === 'no' && knowsArchived) return []
      if (stored.op === 'create') {
        const streams = stored.streams as readonly object[]
        return [{ ...stored, streams: streams.map((channel) => channelFor(context.options, channel)) }]
      }
      const isUnknown =
        stored.property === NEWER &&
        !getsRepresentation(context.options, 'channels with default_push_notifications')
      return isUnknown ? [] : [stored]
    },
  },
)

/** The list of channels that new users join changed. Source: docs/interface/events.md#events-about-channels-and-groups. */
export const defaultStreamsEvent = defineEventType('default_streams', [
  /** Ids, ascending. */
  { default_streams: v.array(v.number()) },
])
export type StoredDefaultStreamsEvent = StoredOf<typeof defaultStreamsEvent>

export const defaultStreamGroup = v.strictObject({
  id: v.number(),
  name: v.string(),
  description: v.string(),
  /** Channel ids, ascending. */
  streams: v.array(v.number()),
})

/** The groups of channels that new users may join together changed: all of them. Source: docs/interface/events.md#events-about-channels-and-groups. */
export const defaultStreamGroupsEvent = defineEventType('default_stream_groups', [
  { default_stream_groups: v.array(defaultStreamGroup) },
])
export type StoredDefaultStreamGroupsEvent = StoredOf<typeof defaultStreamGroupsEvent>

export const channelFolder = v.strictObject({
  id: v.number(),
  name: v.string(),
  order: v.number(),
  date_created: v.number(),
  creator_id: v.nullable(v.number()),
  description: v.string(),
  rendered_description: v.string(),
  is_archived: v.boolean(),
})

const changes = v.union([
  v.strictObject({ name: v.string() }),
  v.strictObject({ description: v.string(), rendered_description: v.string() }),
  v.strictObject({ is_archived: v.boolean() }),
])

/** The folders of channels changed. Source: docs/interface/events.md#events-about-channels-and-groups. */
export const channelFolderEvent = defineEventType('channel_folder', [
  { op: v.literal('add'), channel_folder: channelFolder },
  { op: v.literal('update'), channel_folder_id: v.number(), data: changes },
  { op: v.literal('reorder'), order: v.array(v.number()) },
])
export type StoredChannelFolderEvent = StoredOf<typeof channelFolderEvent>
