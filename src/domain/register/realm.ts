import { serverSupportedPermissionSettings } from '../../permissions/supported-permission-settings.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../permissions/topic-rules.ts'
import { MAX_MESSAGE_LENGTH, MAX_TOPIC_LENGTH } from '../messages/message-text.ts'
import { legacyRealmValues } from '../realm/legacy-realm-values.ts'
import { realmPermissions, realmProperties } from '../realm/realm-setting-rows.ts'
import { presentGroupSetting } from '../user-groups/present-group-setting.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../users/password-rules.ts'
import type { Snapshot } from './initial-state.ts'

/** Keys of `realm`: properties, permissions, and what the server is like (core-endpoints 1.1). */
export const realmSnapshot: Snapshot = (tx, { source }) => {
  const properties = realmProperties(tx.sql)
  const permissions = realmPermissions(tx.sql)
  return {
    ...prefixed(properties),
    ...prefixed(
      Object.fromEntries(
        Object.entries(permissions).map(([name, value]) => [name, presentGroupSetting(tx.sql, value)]),
      ),
    ),
    ...prefixed(legacyRealmValues({ ...properties, ...permissions })),
    realm_url: source.origin,
    realm_uri: source.origin,
    realm_date_created: tx.realm.createdAt,
    realm_bot_domain: tx.realm.host,
    realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    max_message_length: MAX_MESSAGE_LENGTH,
    max_topic_length: MAX_TOPIC_LENGTH,
    max_stream_name_length: 60,
    max_stream_description_length: 1024,
    password_min_length: MIN_PASSWORD_LENGTH,
    password_max_length: MAX_PASSWORD_LENGTH,
    event_queue_longpoll_timeout_seconds: 90,
    server_presence_ping_interval_seconds: 60,
    server_presence_offline_threshold_seconds: 200,
    server_typing_started_expiry_period_milliseconds: 45_000,
    server_typing_stopped_wait_period_milliseconds: 12_000,
    server_typing_started_wait_period_milliseconds: 30_000,
    server_supported_permission_settings: serverSupportedPermissionSettings(),
  }
}

function prefixed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
}
