import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH, WORD_LENGTH } from '../../api/input-limits.ts'
import {
  described,
  integer,
  json,
  jsonBoolean,
  mapUpTo,
  pathInteger,
  textUpTo,
  wordOf,
} from '../../api/parameter-types.ts'
import type { WorkerContext } from '../../api/worker-context.ts'
import type { RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { refusalText } from '../../core/refusal-text.ts'
import { requireLoginProvider } from '../../model/login-providers/find-login-provider.ts'
import {
  presentAuthenticationMethods,
  requireLoginMethod,
} from '../../model/login-providers/login-methods.ts'
import { announceAuthenticationMethods } from '../../model/realm/announce-realm-change.ts'
import {
  deleteLoginIdentitiesAt,
  deleteLoginProvider,
  findLoginProvider,
  findLoginProviderAt,
  insertLoginProvider,
  type LoginProvider,
  listLoginProviders,
  MAX_LOGIN_PROVIDERS,
  PROVIDER_PRESETS,
  type ProviderPreset,
  STANDARD_EMAIL_CLAIM,
  TOKEN_AUTHS,
  updateLoginProvider,
} from '../../store/login-providers/login-provider-rows.ts'
import { testProvider } from './in-worker/test-provider.ts'
import { defaultsOf, type EnteredProvider, requireSlug, requireUsable } from './provider-rules.ts'

/** Entries of a map from values of a claim: the list of groups is read at each log-in. */
const MAX_MAPPED = 100

const mapped = json(mapUpTo(MAX_MAPPED, textUpTo(NAME_LENGTH), integer))

/** A provider with which people log in. Source: docs/interface/login-providers.md. */
const provider = v.object({
  id: v.number(),
  slug: v.string(),
  preset: v.picklist(PROVIDER_PRESETS),
  display_name: v.string(),
  icon_url: v.nullable(v.string()),
  issuer: v.string(),
  client_id: v.string(),
  has_secret: v.boolean(),
  token_auth: v.picklist(TOKEN_AUTHS),
  scopes: v.string(),
  is_enabled: v.boolean(),
  auto_signup: v.boolean(),
  trusts_email: v.boolean(),
  takes_picture: v.boolean(),
  email_claim: v.string(),
  ends_session: v.boolean(),
  groups_claim: v.string(),
  group_map: v.record(v.string(), v.number()),
  role_claim: v.string(),
  role_map: v.record(v.string(), v.number()),
  redirect_uri: v.string(),
  backchannel_logout_uri: v.string(),
  post_logout_redirect_uri: v.string(),
})

const params = {
  display_name: described(v.optional(textUpTo(WORD_LENGTH)), 'The name on the button.'),
  icon_url: described(
    v.optional(textUpTo(WEB_ADDRESS_LENGTH)),
    'A picture for the button (https). Empty: none.',
  ),
  issuer: described(
    v.optional(textUpTo(WEB_ADDRESS_LENGTH)),
    'The issuer, exactly as the provider writes it. Google, GitLab and GitHub have a default.',
  ),
  client_id: v.optional(textUpTo(NAME_LENGTH)),
  client_secret: described(
    v.optional(textUpTo(NAME_LENGTH)),
    'It is stored encrypted, and never shown again. Empty: none.',
  ),
  token_auth: described(
    v.optional(wordOf(TOKEN_AUTHS)),
    'How the secret is sent to the provider: `client_secret_basic`, `client_secret_post`, or not at all.',
  ),
  scopes: described(v.optional(textUpTo(NAME_LENGTH)), 'Separated by spaces.'),
  is_enabled: v.optional(jsonBoolean),
  auto_signup: described(
    v.optional(jsonBoolean),
    'Whether people without an account get one, as far as the organization lets their address join.',
  ),
  trusts_email: described(
    v.optional(jsonBoolean),
    'Whether an address counts as the person’s although the provider does not say that it has verified it.',
  ),
  takes_picture: described(
    v.optional(jsonBoolean),
    'Whether people who join get the picture that the provider has of them.',
  ),
  email_claim: described(
    v.optional(textUpTo(WORD_LENGTH)),
    'The claim with the address, such as `preferred_username` or `upn`. Empty: `email`.',
  ),
  ends_session: described(
    v.optional(jsonBoolean),
    'Whether logging out here logs people out at the provider too.',
  ),
  groups_claim: described(v.optional(textUpTo(WORD_LENGTH)), 'The claim that lists groups. Empty: none.'),
  group_map: described(v.optional(mapped), 'The group here for each value of that claim.'),
  role_claim: described(v.optional(textUpTo(WORD_LENGTH)), 'The claim with the role. Empty: none.'),
  role_map: described(v.optional(mapped), 'The role here for each value of that claim.'),
}

/** Seals the secret, so that it never reaches the organization's object in plain text. */
async function sealed<Params extends ProviderParams>(
  given: Params,
  { secrets }: WorkerContext,
): Promise<Params> {
  return { ...given, client_secret: await secrets.seal('login provider', given.client_secret!) }
}

/** Lists the providers. Source: docs/interface/login-providers.md#list. */
export const getLoginProvidersEndpoint = defineEndpoint({
  operation: 'get-login-providers',
  route: 'GET /login_providers',
  access: 'owner',
  returns: v.object({ login_providers: v.array(provider) }),
  query: ({ sql }, { source }) => ({
    login_providers: listLoginProviders(sql).map((provider) => presentLoginProvider(provider, source)),
  }),
})

/** Creates a provider. Source: docs/interface/login-providers.md#make-and-change. */
export const createLoginProviderEndpoint = defineEndpoint({
  operation: 'create-login-provider',
  route: 'POST /login_providers',
  access: 'owner',
  needsProof: true,
  params: {
    preset: described(v.optional(wordOf(PROVIDER_PRESETS), 'oidc'), 'The kind of provider.'),
    slug: described(
      textUpTo(WORD_LENGTH),
      'Its name in addresses, among them the redirect URI. It never changes.',
    ),
    ...params,
  },
  returns: provider,
  apply(tx, { source }, { preset, slug, ...params }: NewProviderParams): PresentedLoginProvider {
    const { sql } = tx
    requireSlug(slug)
    if (findLoginProviderAt(sql, slug)) {
      throw new BadRequestError('A provider with this name in addresses already exists.')
    }
    if (listLoginProviders(sql).length >= MAX_LOGIN_PROVIDERS) {
      throw new BadRequestError(`An organization can have ${MAX_LOGIN_PROVIDERS} log-in providers.`)
    }
    const entered = withParams(defaultsOf(preset, hasSecret(params)), params)
    requireUsable(sql, source, preset, entered)
    const id = announcing(tx, source, () => insertLoginProvider(sql, { ...entered, slug, preset }))
    return presentLoginProvider(findLoginProvider(sql, id)!, source)
  },
  hasWork: hasSecret,
  prepare: sealed,
  audit: ({ params: { preset, slug: _, ...given }, value }) => ({
    action: 'organization_changed',
    details: { login_providers: 'added', login_provider_id: value.id, preset, ...changesIn(given) },
  }),
})

/**
 * Changes a provider. A new issuer has other users, so all accounts are disconnected; and it does not get the secret that was entered for
 * the previous one. Source: docs/interface/login-providers.md#make-and-change.
 */
export const updateLoginProviderEndpoint = defineEndpoint({
  operation: 'update-login-provider',
  route: 'PATCH /login_providers/:provider_id',
  access: 'owner',
  needsProof: true,
  params: { provider_id: pathInteger, ...params },
  returns: provider,
  apply(
    tx,
    { user, source },
    { provider_id, ...params }: NamedProvider & ProviderParams,
  ): PresentedLoginProvider {
    const { sql } = tx
    const present = requireLoginProvider(sql, provider_id)
    const changed = { ...present, ...withParams(present, params) }
    if (changed.issuer !== present.issuer) requireOwnSecret(present, params)
    requireUsable(sql, source, present.preset, changed)
    announcing(tx, source, () => {
      updateLoginProvider(sql, changed)
      if (changed.issuer !== present.issuer) deleteLoginIdentitiesAt(sql, provider_id)
      if (changed.issuer !== present.issuer || !changed.isEnabled) requireLoginMethod(sql, user.id, source)
    })
    return presentLoginProvider(changed, source)
  },
  hasWork: hasSecret,
  prepare: sealed,
  audit: ({ params: { provider_id, ...given } }) => ({
    action: 'organization_changed',
    details: { login_providers: 'changed', login_provider_id: provider_id, ...changesIn(given) },
  }),
})

/** Removes a provider, with all connections to it. Source: docs/interface/login-providers.md#remove. */
export const removeLoginProviderEndpoint = defineEndpoint({
  operation: 'remove-login-provider',
  route: 'DELETE /login_providers/:provider_id',
  access: 'owner',
  needsProof: true,
  params: { provider_id: pathInteger },
  apply(tx, { user, source }, { provider_id }) {
    requireLoginProvider(tx.sql, provider_id)
    announcing(tx, source, () => {
      deleteLoginIdentitiesAt(tx.sql, provider_id)
      deleteLoginProvider(tx.sql, provider_id)
      requireLoginMethod(tx.sql, user.id, source)
    })
  },
  audit: ({ params: { provider_id } }) => ({
    action: 'organization_changed',
    details: { login_providers: 'removed', login_provider_id: provider_id },
  }),
})

/** Tests a provider. */
export const testLoginProviderEndpoint = defineEndpoint({
  operation: 'test-login-provider',
  route: 'POST /login_providers/:provider_id/test',
  access: 'owner',
  params: { provider_id: pathInteger },
  returns: v.object({ works: v.boolean(), problem: v.nullable(v.string()) }),
  query: ({ sql }, _caller, { provider_id }): LoginProvider => requireLoginProvider(sql, provider_id),
  async finish({ slug, clientSecret, ...found }, _params, { source, secrets, env, language }) {
    const problem = await testProvider(env, {
      ...found,
      redirectUri: `${source.origin}/complete/${slug}/`,
      clientSecret: clientSecret === null ? null : await secrets.open('login provider', clientSecret),
    })
    return { works: problem === null, problem: problem && refusalText(problem, language) }
  },
  repeatable: () => true,
  idempotency: 'harmless',
  audit: 'read-only',
})

/** An owner's settings for a provider. Absent ones have their default, or are unchanged. The secret is sealed, except in a rehearsal. */
type ProviderParams = ParametersOf<typeof params>

type NewProviderParams = ProviderParams & { readonly preset: ProviderPreset; readonly slug: string }

type NamedProvider = { readonly provider_id: number }

/** @throws BadRequestError if one provider's secret would be sent to another. */
function requireOwnSecret({ clientSecret }: LoginProvider, { client_secret }: ProviderParams): void {
  if (clientSecret === null || client_secret !== undefined) return
  throw new BadRequestError(
    'Enter the client secret too: the present one is sent only to the address that it was entered for.',
  )
}

/** Makes a change, and notifies clients if it changes the log-in methods. */
function announcing<Value>(tx: RealmTransaction, source: RequestSource, change: () => Value): Value {
  const methods = () => JSON.stringify(presentAuthenticationMethods(tx.sql, source))
  const before = methods()
  const value = change()
  if (methods() !== before) announceAuthenticationMethods(tx, source)
  return value
}

function hasSecret({ client_secret = '' }: ProviderParams): boolean {
  return client_secret !== ''
}

function withParams(present: EnteredProvider, params: ProviderParams): EnteredProvider {
  const { client_secret, icon_url } = params
  return {
    displayName: params.display_name?.trim() ?? present.displayName,
    iconUrl: icon_url === undefined ? present.iconUrl : icon_url.trim() || null,
    issuer: params.issuer?.trim() || present.issuer,
    clientId: params.client_id?.trim() ?? present.clientId,
    clientSecret: client_secret === undefined ? present.clientSecret : client_secret || null,
    tokenAuth: params.token_auth ?? present.tokenAuth,
    scopes: params.scopes?.trim().replaceAll(/\s+/g, ' ') || present.scopes,
    isEnabled: params.is_enabled ?? present.isEnabled,
    autoSignup: params.auto_signup ?? present.autoSignup,
    trustsEmail: params.trusts_email ?? present.trustsEmail,
    takesPicture: params.takes_picture ?? present.takesPicture,
    emailClaim:
      params.email_claim === undefined
        ? present.emailClaim
        : params.email_claim.trim() || STANDARD_EMAIL_CLAIM,
    endsSession: params.ends_session ?? present.endsSession,
    groupsClaim: params.groups_claim?.trim() ?? present.groupsClaim,
    groupMap: params.group_map ?? present.groupMap,
    roleClaim: params.role_claim?.trim() ?? present.roleClaim,
    roleMap: params.role_map ?? present.roleMap,
  }
}

/** Returns a provider in the form for owners, without its secret. Source: docs/interface/login-providers.md#list. */
function presentLoginProvider(provider: LoginProvider, { origin }: Pick<RequestSource, 'origin'>) {
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
    email_claim: provider.emailClaim,
    ends_session: provider.endsSession,
    groups_claim: provider.groupsClaim,
    group_map: provider.groupMap,
    role_claim: provider.roleClaim,
    role_map: provider.roleMap,
    // To be entered at the provider.
    redirect_uri: `${origin}/complete/${provider.slug}/`,
    backchannel_logout_uri: `${origin}/accounts/logout/backchannel/${provider.slug}`,
    post_logout_redirect_uri: `${origin}/`,
  }
}

type PresentedLoginProvider = ReturnType<typeof presentLoginProvider>
