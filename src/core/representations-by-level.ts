/**
 * The representations that differ by the feature level of the public API that a client declares. Nothing else knows about levels. A queue has the
 * level of its registration, an answer that of its request. Who declares nothing reads the level that the server announces, so it gets the
 * representations of that level. Source: docs/interface/conventions.md#feature-level.
 */

/** The level that the server announces. */
export const ANNOUNCED_LEVEL = 500

/**
 * Each representation that a level changed: clients that declare this level or a newer one get the named representation, others the older one. `documented`:
 * the interface document shows the older representation, so clients that declare nothing get that one.
 */
const REPRESENTATIONS = {
  'options of integrations in url_options': { since: 403, before: '`config_options`' },
  'permission default named channel_creator': { since: 427, before: '`stream_creator_or_nobody`' },
  'no events of old settings': {
    since: 439,
    before: '`update_display_settings` and `update_global_notifications`, without `user_settings_object`',
  },
  'uploads with times in seconds': { since: 443, before: 'milliseconds', documented: 'older' },
  'types of exports as words': { since: 449, before: 'integers' },
  'gif_rating_policy in events and answers': { since: 453, before: '`giphy_rating`' },
  'web_home_view named recent': { since: 454, before: '`recent_topics`', documented: 'older' },
  'description by update_dict': {
    since: 464,
    before: '`update`, with `rendered_description` as well',
    documented: 'older',
  },
  'devices of apps with keys alone': {
    since: 468,
    before: 'also `push_devices` and events `push_device`, of devices with a number',
  },
  'uploads with message_ids': { since: 472, before: '`messages`, with `date_sent`', documented: 'older' },
  'bots with their own fields alone': {
    since: 474,
    before: 'also `api_key` and fields of the account, and events `realm_bot` `update` for these',
  },
  'reaction events without user': { since: 484, before: '`user` in addition to `user_id`' },
  'options of integrations with input_type': { since: 485, before: '`validator`' },
  // Additions above the announced level: a strict client refuses fields that it does not know.
  'is_deleted in changes of users': { since: 501, before: 'none' },
  'channels with default_push_notifications': { since: 507, before: 'none' },
  'addresses of sent messages': { since: 508, before: 'none' },
  'flag hide_link_previews': { since: 510, before: 'none' },
} as const satisfies Readonly<Record<string, RepresentationChange>>

interface RepresentationChange {
  readonly since: number
  readonly before: string
  readonly documented?: 'older'
}

export const REPRESENTATION_CHANGES: Readonly<Record<Representation, RepresentationChange>> = REPRESENTATIONS

/** Keys in a registration's answer that are newer than the oldest supported web client: web clients reject names that they do not know. */
const KEY_SINCE: Readonly<Record<string, number>> = {
  channel_folders: 389,
  navigation_views: 390,
  realm_can_set_topics_policy_group: 392,
  realm_topics_policy: 392,
  max_bulk_new_subscription_messages: 397,
  reminders: 399,
  push_devices: 406,
  realm_can_set_delete_message_policy_group: 407,
  realm_require_e2ee_push_notifications: 409,
  max_channel_folder_name_length: 410,
  max_channel_folder_description_length: 410,
  max_reminder_note_length: 415,
  realm_welcome_message_custom_text: 416,
  server_report_message_types: 435,
  realm_send_channel_events_messages: 434,
  realm_owner_full_content_access: 438,
  tenor_api_key: 442,
  realm_gif_rating_policy: 453,
  gif_rating_policy_options: 453,
  realm_default_avatar_source: 456,
  realm_uuid: 466,
  devices: 468,
  realm_media_preview_size: 469,
  realm_workplace_users_group: 477,
  idle_queue_timeout_secs: 481,
  has_webex_token: 493,
}

/** The same for permissions, by the maps of `server_supported_permission_settings`. */
const PERMISSION_SINCE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  realm: {
    can_set_topics_policy_group: 392,
    can_set_delete_message_policy_group: 407,
    workplace_users_group: 477,
  },
  stream: {
    can_move_messages_out_of_channel_group: 396,
    can_move_messages_within_channel_group: 396,
    can_resolve_topics_group: 402,
    can_delete_any_message_group: 407,
    can_delete_own_message_group: 407,
    can_create_topic_group: 441,
  },
  group: {},
}

/** Keys that a level removed, and that newer web clients do not know. */
const KEY_UNTIL: Readonly<Record<string, number>> = {
  realm_giphy_rating: 453,
  giphy_rating_options: 453,
}

/** Removed keys that this server lacks but older web clients need, with their empty values. */
const GONE: readonly { readonly key: string; readonly at: number; readonly value: unknown }[] = [
  { key: 'realm_is_zephyr_mirror_realm', at: 426, value: false },
]

/** Has the level that a client declares; absent if it declares none. */
export interface DeclaresLevel {
  readonly level?: number
}

export type Representation = keyof typeof REPRESENTATIONS

/** Whether a client gets this representation and not the older one. */
export function getsRepresentation({ level }: DeclaresLevel, name: Representation): boolean {
  const { since, documented } = REPRESENTATION_CHANGES[name]
  if (level === undefined) return since <= ANNOUNCED_LEVEL && documented === undefined
  return level >= since
}

const CHANGES = [...new Set(Object.values(REPRESENTATIONS).map(({ since }) => since))].sort((a, b) => b - a)

/**
 * Returns a level that is equal for clients with equal representations: the newest one, up to the declared one, that changed a representation; undefined for a
 * client that declares none.
 */
export function representationsKey({ level }: DeclaresLevel): number | undefined {
  return level === undefined ? undefined : (CHANGES.find((since) => since <= level) ?? 0)
}

/** Whether web clients of this level know the key. */
export function isKeyKnown(key: string, level: number): boolean {
  return (KEY_SINCE[key] ?? 0) <= level && level < (KEY_UNTIL[key] ?? Number.POSITIVE_INFINITY)
}

/** The maps of `server_supported_permission_settings`, by name of a setting. */
export type PermissionMaps = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Returns the maps of permissions, with only the names known at the level. */
export function knownPermissionSettings(
  settings: PermissionMaps,
  level: number,
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(settings).map(([map, entries]) => [
      map,
      Object.fromEntries(
        Object.entries(entries).filter(([name]) => (PERMISSION_SINCE[map]?.[name] ?? 0) <= level),
      ),
    ]),
  )
}

/** Returns the keys that the level needs and this server lacks. */
export function goneKeys(level: number): Record<string, unknown> {
  return Object.fromEntries(GONE.filter(({ at }) => level < at).map(({ key, value }) => [key, value]))
}

/** The newest level whose representations are known here: a client that declares a newer one gets its representations. */
const NEWEST_LEVEL = CHANGES[0]!

/** The header in which any client may declare its level: an integer. */
export const LEVEL_HEADER = 'X-Feature-Level'

/** Known clients that declare no level, by User-Agent, with the level for which they are written. */
const KNOWN_CLIENTS: readonly {
  /** Name and version; the groups of the pattern are the version's numbers. */
  readonly agent: RegExp
  /** The first version of the level. */
  readonly from: readonly number[]
  readonly level: number
}[] = [
  // The mobile app for release 12: `ZulipFlutter/30.0.274+274 (Android 14)`.
  { agent: /^ZulipFlutter\/(\d{1,6})\.(\d{1,6})\.(\d{1,6})\b/, from: [30, 0, 274], level: ANNOUNCED_LEVEL },
  // The terminal client hears of settings by the older events, and takes the name of who reacted from the `user` of the event.
  { agent: /^ZulipTerminal\//, from: [], level: REPRESENTATIONS['no events of old settings'].since - 1 },
]

/** The parts of a request that tell its client's level. */
export interface Declaration {
  /** The value of LEVEL_HEADER; null if absent. Anything but an integer declares nothing. */
  readonly header: string | null
  readonly userAgent: string
  /** The level of the web client that is served to browsers; undefined for other clients, and if none is served. */
  readonly webClient: number | undefined
}

/**
 * Returns the level that a client declares: by the header, else by its User-Agent, else as the served web client; undefined if it declares
 * none.
 */
export function declaredLevel({ header, userAgent, webClient }: Declaration): number | undefined {
  const inHeader = header !== null && /^\d{1,9}$/.test(header.trim()) ? Number(header) : undefined
  const level = inHeader ?? levelOfKnownClient(userAgent) ?? webClient
  return level === undefined ? undefined : Math.min(level, NEWEST_LEVEL)
}

function levelOfKnownClient(userAgent: string): number | undefined {
  return KNOWN_CLIENTS.find(({ agent, from }) => {
    const version = agent.exec(userAgent)?.slice(1).map(Number)
    return version !== undefined && isSameOrLater(version, from)
  })?.level
}

function isSameOrLater(version: readonly number[], from: readonly number[]): boolean {
  const first = version.findIndex((number, index) => number !== from[index])
  return first === -1 || version[first]! > from[first]!
}
