/** Settings of an organization of the public server, and of its channels and people. */
import { CHANNEL_PROPERTIES, CHANNEL_PROPERTY_NAMES } from '../../core/channel-properties.ts'
import { lookUp, type Payload } from '../../integrations/payload.ts'
import { REALM_GROUP_SETTINGS } from '../../rules/group-settings.ts'
import type { Known } from '../known.ts'
import { type NeutralRecord, type Permission, type RecordOf, SETTINGS_LEFT_BEHIND } from '../neutral.ts'
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
  const columns = defaults
    .entries()
    .map(([column]) => column)
    .filter((column) => column !== 'id' && column !== 'realm' && !SETTINGS_LEFT_BEHIND.has(column))
  return Object.fromEntries(
    columns
      .filter((column) => isPlain(user.at(column).raw))
      .map((column) => [column.slice(0, 100), valueIn(user, column)]),
  )
}

/** Returns the plain settings of a channel, and how long its messages are kept. */
export function channelSettingsIn(channel: Payload): Record<string, string | number | boolean> {
  const retention = channel.number('message_retention_days')
  const chosen = CHANNEL_PROPERTY_NAMES.flatMap((name) => {
    const value = valueIn(channel, name)
    const isOne = isPlain(value) && typeof value === typeof CHANNEL_PROPERTIES[name].default
    return isOne ? [[name, value] as const] : []
  })
  return { ...Object.fromEntries(chosen), ...(retention !== undefined && { retention_days: retention }) }
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
