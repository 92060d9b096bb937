import type { RequestSource } from '../../core/call.ts'
import type { LoginProvider } from '../../store/login-providers/login-provider-rows.ts'

/** Returns a provider for owners. The secret is shown to nobody. Source: docs/interface/login-providers.md#list. */
export function presentLoginProvider(provider: LoginProvider, { origin }: Pick<RequestSource, 'origin'>) {
  return {
    id: provider.id,
    slug: provider.slug,
    preset: provider.preset,
    display_name: provider.displayName,
    icon_url: provider.iconUrl,
    issuer: provider.issuer,
    client_id: provider.clientId,
    has_secret: provider.clientSecret !== null,
    token_auth: provider.tokenAuth,
    scopes: provider.scopes,
    is_enabled: provider.isEnabled,
    auto_signup: provider.autoSignup,
    trusts_email: provider.trustsEmail,
    takes_picture: provider.takesPicture,
    groups_claim: provider.groupsClaim,
    group_map: provider.groupMap,
    role_claim: provider.roleClaim,
    role_map: provider.roleMap,
    // What the provider has to be told.
    redirect_uri: `${origin}/complete/${provider.slug}/`,
    backchannel_logout_uri: `${origin}/accounts/logout/backchannel/${provider.slug}`,
  }
}

export type PresentedLoginProvider = ReturnType<typeof presentLoginProvider>
