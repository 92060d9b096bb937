/**
 * Names in a registration's answer that are younger than the oldest supported web client, each with the level
 * of the public API that introduced it; and those that have been removed since. Source:
 * docs/interface/browsers.md#page-parameters.
 */
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
  realm_owner_full_content_access: 438,
  devices: 468,
  idle_queue_timeout_secs: 481,
}

/**
 * The level that introduced each permission, by its map of `server_supported_permission_settings`: clients
 * refuse names that they do not know.
 */
const PERMISSION_SINCE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  realm: {
    can_set_topics_policy_group: 392,
    can_set_delete_message_policy_group: 407,
  },
  stream: {
    can_move_messages_out_of_channel_group: 396,
    can_move_messages_within_channel_group: 396,
    can_resolve_topics_group: 402,
    can_delete_any_message_group: 407,
    can_delete_own_message_group: 407,
  },
  group: {},
}

/** Removed keys that clients below a level need, with their empty values. */
const GONE: readonly { readonly key: string; readonly at: number; readonly value: unknown }[] = [
  { key: 'realm_is_zephyr_mirror_realm', at: 426, value: false },
]

export function isKeyKnown(key: string, level: number): boolean {
  return (KEY_SINCE[key] ?? 0) <= level
}

/** The maps of `server_supported_permission_settings`, by name of a setting. */
export type PermissionMaps = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Returns the maps of permissions with only the names that the level knows. */
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

/** Returns keys that the level needs and this server does not have. */
export function goneKeys(level: number): Record<string, unknown> {
  return Object.fromEntries(GONE.filter(({ at }) => level < at).map(({ key, value }) => [key, value]))
}
