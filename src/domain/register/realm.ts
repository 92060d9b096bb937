import { deploymentOf } from '../../core/call.ts'
import { legacyRealmValues } from '../realm/legacy-realm-values.ts'
import { presentAuthenticationMethods } from '../realm/present-authentication-methods.ts'
import { realmIconUrl } from '../realm/realm-icon.ts'
import { realmPermissions, realmProperties } from '../realm/realm-setting-rows.ts'
import { serverFacts } from '../server/server-facts.ts'
import { presentGroupSetting } from '../user-groups/present-group-setting.ts'
import type { Snapshot } from './snapshot.ts'

/** Keys of `realm`: properties, permissions, and what the server is like (core-endpoints 1.1). */
export const realmSnapshot: Snapshot = ({ sql, realm }, { source }) => {
  const { authentication_methods, ...properties } = realmProperties(sql)
  const permissions = realmPermissions(sql)
  const icon = realmIconUrl(realm)
  const deployment = deploymentOf(source)
  return {
    ...prefixed(properties),
    ...prefixed(
      Object.fromEntries(
        Object.entries(permissions).map(([name, value]) => [name, presentGroupSetting(sql, value)]),
      ),
    ),
    ...prefixed(legacyRealmValues({ ...properties, ...permissions })),
    realm_authentication_methods: presentAuthenticationMethods(authentication_methods),
    realm_email_auth_enabled: authentication_methods.Email,
    realm_password_auth_enabled: authentication_methods.Email,
    realm_url: source.origin,
    realm_uri: source.origin,
    realm_date_created: realm.createdAt,
    realm_bot_domain: realm.host,
    realm_icon_url: icon,
    realm_icon_source: 'G',
    realm_logo_url: icon,
    realm_logo_source: 'D',
    realm_night_logo_url: icon,
    realm_night_logo_source: 'D',
    realm_plan_type: SELF_HOSTED,
    realm_upload_quota_mib: deployment.uploadQuotaMib,
    realm_push_notifications_enabled: deployment.hasPushService,
    realm_push_notifications_enabled_end_timestamp: null,
    realm_default_external_accounts: EXTERNAL_ACCOUNTS,
    realm_available_video_chat_providers: {
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
    },
    zulip_plan_is_not_limited: true,
    upgrade_text_for_wide_organization_logo: '',
    settings_send_digest_emails: false,
    ...serverFacts(source),
    jitsi_server_url: properties.jitsi_server_url ?? serverFacts(source).server_jitsi_server_url,
  }
}

const SELF_HOSTED = 1

/** Sites whose profiles a custom profile field can link to. */
const EXTERNAL_ACCOUNTS = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    url_pattern: 'https://github.com/%(username)s',
  },
}

function prefixed(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
}
