import { type Audience, EVERYONE } from '../../core/audience.ts'
import type { RequestSource } from '../../core/call.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { RestartEvent, StoredRealmEvent } from '../../events/realm.ts'
import type { GroupSettingValue } from '../../rules/group-setting-values.ts'
import type { RealmGroupSettingName } from '../../rules/group-settings.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { REALM_PROPERTIES, type RealmPropertyName } from '../../store/realm/realm-properties.ts'
import { realmPermissions, realmProperties, realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { presentAuthenticationMethods } from '../login-providers/login-methods.ts'
import { FEATURE_LEVEL, versionKeys } from '../server/version.ts'
import { presentGroupSetting } from '../user-groups/present-user-group.ts'
import { legacyRealmValues, renderRealmDescription } from './present-realm.ts'

/** Emits the present value of a property to everybody, with the value that older clients read in its place. */
export function announceProperty(
  tx: RealmTransaction,
  name: Exclude<RealmPropertyName, 'authentication_methods'>,
): void {
  const value = realmProperty(tx.sql, name)
  if (REALM_PROPERTIES[name].isInUpdateDict) {
    emitDict(tx, { [name]: value, ...legacyValuesBeside(tx, name) })
    return
  }
  const event: StoredRealmEvent = {
    type: 'realm',
    op: 'update',
    property: name,
    value,
    ...(name === 'description' ? { rendered_description: renderRealmDescription(tx.sql, '') } : {}),
  }
  tx.emit(event, EVERYONE)
}

export function announceAuthenticationMethods(
  tx: RealmTransaction,
  source: Pick<RequestSource, 'deployment'>,
): void {
  emitDict(tx, { authentication_methods: presentAuthenticationMethods(tx.sql, source) })
}

/** Emits a changed permission, by default to everybody. Returns its value in the form for clients. */
export function announcePermission(
  tx: RealmTransaction,
  name: RealmGroupSettingName,
  audience?: Audience,
): GroupSettingValue {
  const value = presentGroupSetting(tx.sql, realmPermissions(tx.sql)[name])
  emitDict(tx, { [name]: value, ...legacyValuesBeside(tx, name) }, audience)
  return value
}

function emitDict(tx: RealmTransaction, data: Record<string, unknown>, audience = EVERYONE): void {
  tx.emit({ type: 'realm', op: 'update_dict', property: 'default', data }, audience)
}

/** Older values that follow from settings (docs/interface/register.md#settings-of-the-organization-in-it). */
const LEGACY_BESIDE = {
  can_create_public_channel_group: 'create_public_stream_policy',
  can_create_private_channel_group: 'create_private_stream_policy',
  can_create_web_public_channel_group: 'create_web_public_stream_policy',
  can_mention_many_users_group: 'wildcard_mention_policy',
  topics_policy: 'mandatory_topics',
  message_edit_history_visibility_policy: 'allow_edit_history',
  zulip_update_announcements_stream_id: 'svc_update_announcements_stream_id',
} as const satisfies Record<string, keyof ReturnType<typeof legacyRealmValues>>

function legacyValuesBeside(
  { sql }: RealmReads,
  name: RealmPropertyName | RealmGroupSettingName,
): Record<string, unknown> {
  if (!(name in LEGACY_BESIDE)) return {}
  const legacy = LEGACY_BESIDE[name as keyof typeof LEGACY_BESIDE]
  return { [legacy]: legacyRealmValues({ ...realmProperties(sql), ...realmPermissions(sql) })[legacy] }
}

/**
 * Notifies everybody when the organization starts with another feature level than before: an object starts many times an
 * hour. `deployedAt`: UNIX seconds. Source: docs/interface/events.md#events-about-the-server.
 */
export function announceFeatureLevel(tx: RealmTransaction, deployedAt: number): void {
  const before = readMeta<number>(tx.sql, 'feature_level')
  if (before === FEATURE_LEVEL) return
  writeMeta(tx.sql, 'feature_level', FEATURE_LEVEL)
  if (before === undefined) return
  const event: RestartEvent = { type: 'restart', ...versionKeys(), server_generation: deployedAt }
  tx.emit(event, EVERYONE)
}
