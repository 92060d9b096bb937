import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { ReadCommand } from '../../core/command.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { clientNameOf } from '../caller.ts'
import { isOpenToTheWeb } from '../channels/visibility/channel-audiences.ts'
import { isAccessOn, isMethodOn, presentExternalMethods } from '../login-providers/login-methods.ts'
import { presentRealmImage } from '../realm/realm-icon.ts'
import { renderRealmDescription } from '../realm/render-realm-description.ts'
import { versionKeys } from './version.ts'

/** A client with this name is answered that it is incompatible, so that clients can test that. */
const INCOMPATIBLE_CLIENT = 'ZulipInvalid'

/**
 * Gets the facts that a client needs before the log-in. Every key is always present, since existing
 * clients fail on a missing one. Source: docs/interface/clients.md#server-settings;
 * docs/decisions/interface.md#records; docs/decisions/interface.md#channels-groups-people.
 */
export const getServerSettings: ReadCommand<{ source: RequestSource }, unknown, void, object> = {
  reads: true,
  apply({ sql, realm }, { source }) {
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
}

/**
 * Whether a client with this name must not be used here. Source: docs/interface/clients.md#server-settings.
 */
export function isIncompatible(source: Pick<RequestSource, 'userAgent'>): boolean {
  return clientNameOf(source) === INCOMPATIBLE_CLIENT
}
