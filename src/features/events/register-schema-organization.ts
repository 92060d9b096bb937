import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import {
  legacyRealmProperties,
  realmPermissions,
  realmPropertiesOfUpdate,
  realmPropertiesOfUpdateDict,
} from '../../events/realm-property-schemas.ts'
import type { RealmGroupSettingName } from '../../rules/group-settings.ts'
import type { RealmPropertyName } from '../../store/realm/realm-properties.ts'
import { serverKeys } from './register-schema-server.ts'

const properties = {
  ...realmPropertiesOfUpdate,
  ...realmPropertiesOfUpdateDict,
} satisfies Record<RealmPropertyName, v.GenericSchema>

const permissions = realmPermissions satisfies Record<RealmGroupSettingName, v.GenericSchema>

const pictureSource = (whenNone: 'G' | 'D') => v.picklist(['U', whenNone])

/** Choices, keyed by their names. */
const choices = v.record(v.string(), v.object({ name: v.string(), id: integer }))

/**
 * The keys of `realm`: the organization, and the server that it is on. Source:
 * docs/interface/register.md#settings-of-the-organization-in-it.
 */
export const realmKeys: v.ObjectEntries = {
  ...prefixed({ ...properties, ...permissions, ...legacyRealmProperties }),
  realm_gif_rating_policy: realmPropertiesOfUpdate.giphy_rating,
  realm_email_auth_enabled: v.boolean(),
  realm_password_auth_enabled: v.boolean(),
  realm_url: v.string(),
  realm_uri: v.string(),
  realm_uuid: v.string(),
  realm_date_created: integer,
  realm_bot_domain: v.string(),
  realm_icon_url: v.string(),
  realm_icon_source: pictureSource('G'),
  realm_logo_url: v.string(),
  realm_logo_source: pictureSource('D'),
  realm_night_logo_url: v.string(),
  realm_night_logo_source: pictureSource('D'),
  realm_plan_type: integer,
  realm_owner_full_content_access: v.boolean(),
  realm_upload_quota_mib: v.nullable(integer),
  realm_push_notifications_enabled: v.boolean(),
  realm_push_notifications_enabled_end_timestamp: v.nullable(integer),
  realm_default_external_accounts: v.record(
    v.string(),
    v.object({ text: v.string(), name: v.string(), hint: v.string(), url_pattern: v.string() }),
  ),
  realm_available_video_chat_providers: choices,
  realm_empty_topic_display_name: v.string(),
  zulip_plan_is_not_limited: v.boolean(),
  svc_plan_is_not_limited: v.boolean(),
  upgrade_text_for_wide_organization_logo: v.string(),
  settings_send_digest_emails: v.boolean(),
  jitsi_server_url: v.string(),
  giphy_rating_options: choices,
  gif_rating_policy_options: choices,
  ...serverKeys,
}

function prefixed(entries: v.ObjectEntries): v.ObjectEntries {
  return Object.fromEntries(Object.entries(entries).map(([name, schema]) => [`realm_${name}`, schema]))
}
