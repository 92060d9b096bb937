/** An organization of the public server, its channels, and the settings of both and of people. */
import { CHANNEL_PROPERTIES, CHANNEL_PROPERTY_NAMES } from '../../core/channel-properties.ts'
import { lookUp, type Payload } from '../../integrations/payload.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { Known } from '../known.ts'
import {
  type ChannelMember,
  type NeutralRecord,
  type Permission,
  type RecordOf,
  SETTINGS_LEFT_BEHIND,
} from '../neutral.ts'
import { isPlain } from '../server-texts.ts'
import { filesOf } from '../survey.ts'

/** Columns that say what the organization is and what it was given, rather than what it has chosen. */
const NOT_CHOSEN =
  /^(?:id|name|description|string_id|uuid|uuid_owner_secret|date_created|deactivated|deactivated_redirect|(?:demo_organization_)?scheduled_deletion_date|_?max_invites|push_notifications_\w+|first_visible_message_id|message_visibility_limit|plan_type|(?:custom_)?upload_quota_gb|(?:icon|logo|night_logo)_(?:source|version)|zulip_update_announcements_level|authentication_methods)$/
/** Columns with the id of a channel. */
const OF_CHANNELS: ReadonlySet<string> = new Set([
  'moderation_request_channel',
  'new_stream_announcements_stream',
  'signup_announcements_stream',
  'zulip_update_announcements_stream',
])
/** The words of the API for the numbers of a column. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  message_edit_history_visibility_policy: ['', 'all', 'moves', 'none'],
  resolved_topic_notice_auto_read_policy: ['', 'always', 'except_followed', 'never'],
  topics_policy: ['', 'inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
}

function valueIn(row: Payload, column: string): unknown {
  const { raw } = row.at(column)
  const words = lookUp(WORDS, column)
  return (words && typeof raw === 'number' && words[raw]) || raw
}

/** Yields the settings and permissions in the organization's row. `permissionOf` finds who has one, by the id of a group. */
export function* settingsOf(
  realm: Payload,
  permissionOf: (group: string) => Permission | undefined,
): Generator<RecordOf<'realm_setting'>> {
  for (const [column, given] of realm.entries()) {
    if (OF_CHANNELS.has(column)) {
      const channel = given.text()
      yield { type: 'realm_setting', name: `${column}_id`, value: channel === '' ? null : { channel } }
    } else if (REALM_GROUP_SETTINGS.some(({ name }) => name === column)) {
      const permission = permissionOf(given.text())
      if (permission) yield { type: 'realm_setting', name: column, value: permission }
    } else if (!NOT_CHOSEN.test(column) && (given.raw === null || isPlain(given.raw)))
      yield { type: 'realm_setting', name: column.slice(0, 100), value: valueIn(realm, column) }
  }
}

/** Yields the defaults of new users. */
export function* defaultsIn(row: Payload): Generator<RecordOf<'default_setting'>> {
  for (const [column, { raw }] of row.entries())
    if (column !== 'id' && column !== 'realm' && isPlain(raw))
      yield { type: 'default_setting', name: column.slice(0, 100), value: valueIn(row, column) }
}

/** Returns the settings in a user's row: those of which the organization has defaults. */
export function userSettingsIn(user: Payload, defaults: Payload): Record<string, unknown> {
  const chosen = user
    .entries()
    .filter(
      ([column, { raw }]) => column !== 'id' && column !== 'realm' && defaults.has(column) && isPlain(raw),
    )
    .filter(([column]) => !SETTINGS_LEFT_BEHIND.has(column))
  return Object.fromEntries(chosen.map(([column]) => [column.slice(0, 100), valueIn(user, column)]))
}

/** Returns the plain settings of a channel, and how long its messages are kept. */
function channelSettingsIn(channel: Payload): Record<string, string | number | boolean> {
  const retention = channel.number('message_retention_days')
  const chosen = CHANNEL_PROPERTY_NAMES.flatMap((name) => {
    const value = valueIn(channel, name)
    const isOne = isPlain(value) && typeof value === typeof CHANNEL_PROPERTIES[name].default
    return isOne ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(chosen), ...(retention !== undefined && { retention_days: retention }) }
}

/** Returns a channel with its settings, but without its permissions. */
export function ofChannel(
  channel: Payload,
  subscriptions: ReadonlyMap<string, ChannelMember[]>,
  defaults: ReadonlySet<string>,
  announcements: string,
): RecordOf<'channel'> {
  const id = channel.text('id')
  const created = channel.number('date_created')
  const isPrivate = channel.isTrue('invite_only')
  return {
    type: 'channel',
    id,
    name: channel.text('name'),
    description: channel.text('description'),
    privacy: isPrivate ? 'private' : channel.isTrue('is_web_public') ? 'web_public' : 'public',
    history_public: !isPrivate || channel.isTrue('history_public_to_subscribers'),
    archived: channel.isTrue('deactivated'),
    ...(channel.text('folder') !== '' && { folder: channel.text('folder') }),
    ...(created !== undefined && created > 0 && { created_ms: created * 1_000 }),
    ...(channel.text('creator') !== '' && { creator: channel.text('creator') }),
    members: subscriptions.get(id) ?? [],
    default: defaults.has(id),
    announce: announcements === id,
    ...channelSettingsIn(channel),
  }
}

const NOTIFICATIONS = {
  desktop_notifications: 'desktop',
  audible_notifications: 'audible',
  push_notifications: 'push',
  email_notifications: 'email',
  wildcard_mentions_notify: 'wildcard_mentions',
} as const

/** Returns a subscriber's own choices for a channel; without one the user's settings hold. */
export function notificationsIn(row: Payload): Pick<ChannelMember, 'notifications'> {
  const chosen = Object.entries(NOTIFICATIONS)
    .filter(([column]) => typeof row.at(column).raw === 'boolean')
    .map(([column, name]) => [name, row.isTrue(column)])
  return chosen.length > 0 ? { notifications: Object.fromEntries(chosen) } : {}
}

/** Yields the organization, preceded by those of its pictures that were uploaded. */
export async function* ofOrganization(realm: Payload, known: Known): AsyncGenerator<NeutralRecord> {
  const pictures: string[] = []
  const files = await filesOf('pictures', known)
  for (const name of ['icon', 'logo', 'night_logo']) {
    const isOwn = !realm.has(`${name}_source`) || realm.text(`${name}_source`) === 'U'
    const file = ['png', 'original']
      .map((ending) => files.find((one) => one.name.endsWith(`/${name}.${ending}`)))
      .find((one) => one !== undefined)
    if (!isOwn || !file) continue
    yield { type: 'file', id: name, name, path: `${file.name}@${file.from}+${file.size}` }
    pictures.push(name)
  }
  yield {
    type: 'organization',
    name: realm.text('name').slice(0, 1_000),
    description: realm.text('description'),
    ...Object.fromEntries(pictures.map((name) => [name, name])),
  }
}
