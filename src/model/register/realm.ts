import { deploymentOf } from '../../core/call.ts'
import { readMeta } from '../../store/meta-rows.ts'
import { EXTERNAL_ACCOUNTS } from '../../store/profile-fields/field-types.ts'
import {
  type RealmImageName,
  realmPermissions,
  realmProperties,
} from '../../store/realm/realm-setting-rows.ts'
import { availableCallProviders } from '../calls/call-providers.ts'
import { presentAuthenticationMethods } from '../login-providers/login-methods.ts'
import { legacyRealmValues } from '../realm/legacy-realm-values.ts'
import { presentRealmImage } from '../realm/realm-icon.ts'
import { serverFacts } from '../server/server-facts.ts'
import { presentGroupSetting } from '../user-groups/present-group-setting.ts'
import type { SharedSnapshot } from './snapshot.ts'

/**
 * Keys of `realm`: properties, permissions, and facts about the server
 * (docs/interface/register.md#settings-of-the-organization-in-it).
 */
export const realmSnapshot: SharedSnapshot = ({ sql, realm }, { source }) => {
  const { authentication_methods, ...properties } = realmProperties(sql)
  const permissions = realmPermissions(sql)
  const image = (name: RealmImageName) => presentRealmImage({ sql, realm }, source.origin, name)
  const deployment = deploymentOf(source)
  return {
    ...prefixed(properties),
    ...prefixed(
      Object.fromEntries(
        Object.entries(permissions).map(([name, value]) => [name, presentGroupSetting(sql, value)]),
      ),
    ),
    ...prefixed(legacyRealmValues({ ...properties, ...permissions })),
    realm_gif_rating_policy: properties.giphy_rating,
    realm_authentication_methods: presentAuthenticationMethods(sql, source),
    realm_email_auth_enabled: authentication_methods.Email,
    realm_password_auth_enabled: authentication_methods.Email,
    realm_url: source.origin,
    realm_uri: source.origin,
    realm_uuid: readMeta<string>(sql, 'realm_uuid')!,
    realm_date_created: realm.createdAt,
    realm_bot_domain: realm.host,
    realm_icon_url: image('icon').url,
    realm_icon_source: image('icon').source,
    realm_logo_url: image('logo').url,
    realm_logo_source: image('logo').source,
    realm_night_logo_url: image('night_logo').url,
    realm_night_logo_source: image('night_logo').source,
    realm_plan_type: SELF_HOSTED,
    realm_owner_full_content_access: deployment.hasFullContentAccess,
    realm_upload_quota_mib: deployment.uploadQuotaMib,
    realm_push_notifications_enabled: deployment.hasPushService,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_available_video_chat_providers: availableCallProviders(source),
    zulip_plan_is_not_limited: true,
    svc_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
    settings_send_digest_emails: true,
    ...serverFacts(source),
    jitsi_server_url: properties.jitsi_server_url ?? serverFacts(source).server_jitsi_server_url,
  }
}

const SELF_HOSTED = 1

function prefixed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
}
