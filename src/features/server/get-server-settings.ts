import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { getServerSettings } from '../../model/server/get-server-settings.ts'

/** Gets the facts that a client shows before login. Source: docs/interface/clients.md#server-settings. */
export const getServerSettingsEndpoint = defineEndpoint({
  operation: 'get-server-settings',
  method: 'GET',
  path: '/server_settings',
  access: 'anyone',
  rateLimit: 'doors',
  // docs/interface/clients.md#server-settings
  unknownHost: () => new ApiError('BAD_REQUEST', 'Invalid subdomain'),
  params: {},
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
  command: getServerSettings,
})
