import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { ApiError } from '../../core/errors.ts'
import { clientNameOf } from '../../model/caller.ts'
import { isOpenToTheWeb } from '../../model/channels/visibility/channel-audiences.ts'
import { isAccessOn, isMethodOn, presentExternalMethods } from '../../model/login-providers/login-methods.ts'
import { presentRealmImage, renderRealmDescription } from '../../model/realm/present-realm.ts'
import { versionKeys } from '../../model/server/version.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'

/**
 * Gets the facts that a client shows before login. Every key is always present, since existing clients fail on a missing one. Source:
 * docs/interface/clients.md#server-settings; docs/decisions/interface.md#records; docs/decisions/interface.md#channels-groups-people.
 */
export const getServerSettingsEndpoint = defineEndpoint({
  operation: 'get-server-settings',
  route: 'GET /server_settings',
  access: 'anyone',
  rateLimit: 'doors',
  // docs/interface/clients.md#server-settings
  unknownHost: () => new ApiError('BAD_REQUEST', 'Invalid subdomain'),
  returns: v.object({
    authentication_methods: v.record(v.string(), v.boolean()),
    external_authentication_methods: v.array(
      v.object({
        name: v.string(),
        display_name: v.string(),
        display_icon: v.nullable(v.string()),
        login_url: v.string(),
        signup_url: v.string(),
      }),
    ),
    zulip_feature_level: v.number(),
    zulip_version: v.string(),
    zulip_merge_base: v.string(),
    svc_feature_level: v.number(),
    svc_version: v.string(),
    svc_merge_base: v.string(),
    push_notifications_enabled: v.boolean(),
    is_incompatible: v.boolean(),
    email_auth_enabled: v.boolean(),
    require_email_format_usernames: v.boolean(),
    realm_uri: v.string(),
    realm_url: v.string(),
    realm_name: v.string(),
    realm_icon: v.string(),
    realm_description: v.string(),
    realm_web_public_access_enabled: v.boolean(),
  }),
  query({ sql, realm }, { source }): object {
    return {
      authentication_methods: authenticationMethods(source),
      external_authentication_methods: presentExternalMethods(sql, source),
      ...versionKeys(),
      push_notifications_enabled: deploymentOf(source).hasPushService,
      is_incompatible: isIncompatible(source),
      email_auth_enabled: realmProperty(sql, 'authentication_methods').Email,
      require_email_format_usernames: true,
      realm_uri: source.origin,
      realm_url: source.origin,
      realm_name: realmProperty(sql, 'name'),
      realm_icon: presentRealmImage({ sql, realm }, source.origin, 'icon').url,
      realm_description: renderRealmDescription(sql, source.origin),
      realm_web_public_access_enabled: isOpenToTheWeb(sql, source),
    }

    function authenticationMethods({ development }: RequestSource) {
      const { Email } = realmProperty(sql, 'authentication_methods')
      return {
        password: Email,
        dev: development === true,
        email: Email,
        ldap: false,
        remoteuser: isAccessOn(sql, source),
        github: isMethodOn(sql, 'GitHub'),
        azuread: false,
        gitlab: false,
        google: false,
        apple: false,
        saml: false,
        'openid connect': isMethodOn(sql, 'OpenID Connect'),
      }
    }
  },
})

/** A client with this name is told that it is incompatible, so that clients can test that. */
const INCOMPATIBLE_CLIENT = 'ZulipInvalid'

/** Whether a client with this name is not supported. Source: docs/interface/clients.md#server-settings. */
export function isIncompatible(source: Pick<RequestSource, 'userAgent'>): boolean {
  return clientNameOf(source) === INCOMPATIBLE_CLIENT
}
