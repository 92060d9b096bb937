import * as v from 'valibot'
import { PROVIDER_PRESETS, TOKEN_AUTHS } from '../../domain/login-providers/login-provider-rows.ts'
import {
  createLoginProvider,
  getLoginProviders,
  type ProviderParams,
  removeLoginProvider,
  testLoginProvider,
  updateLoginProviderCommand,
} from '../../domain/login-providers/login-providers.ts'
import { changesIn } from '../audit-log/audit-notes.ts'
import { defineEndpoint, type WorkerContext } from '../define-endpoint.ts'
import { NAME_LENGTH, WEB_ADDRESS_LENGTH, WORD_LENGTH } from '../input-limits.ts'
import { integer, json, jsonBoolean, mapUpTo, pathInteger, textUpTo, wordOf } from '../parameter-types.ts'

/** Entries of a map from values of a claim: one list of groups is read at each log-in. */
const MAX_MAPPED = 100
const mapped = json(mapUpTo(MAX_MAPPED, textUpTo(NAME_LENGTH), integer))

/** A provider at which people log in. Source: docs/interface/login-providers.md. */
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
  groups_claim: v.string(),
  group_map: v.record(v.string(), v.number()),
  role_claim: v.string(),
  role_map: v.record(v.string(), v.number()),
  redirect_uri: v.string(),
  backchannel_logout_uri: v.string(),
})

const params = {
  display_name: v.pipe(v.optional(textUpTo(WORD_LENGTH)), v.description('The name on the button.')),
  icon_url: v.pipe(
    v.optional(textUpTo(WEB_ADDRESS_LENGTH)),
    v.description('A picture for the button (https). Empty: none.'),
  ),
  issuer: v.pipe(
    v.optional(textUpTo(WEB_ADDRESS_LENGTH)),
    v.description('The issuer, exactly as the provider writes it. Google, GitLab and GitHub have a default.'),
  ),
  client_id: v.optional(textUpTo(NAME_LENGTH)),
  client_secret: v.pipe(
    v.optional(textUpTo(NAME_LENGTH)),
    v.description('It is stored encrypted, and never shown again. Empty: none.'),
  ),
  token_auth: v.pipe(
    v.optional(wordOf(TOKEN_AUTHS)),
    v.description(
      'How the secret is sent to the provider: `client_secret_basic`, `client_secret_post`, or not at all.',
    ),
  ),
  scopes: v.pipe(v.optional(textUpTo(NAME_LENGTH)), v.description('Separated by spaces.')),
  is_enabled: v.optional(jsonBoolean),
  auto_signup: v.pipe(
    v.optional(jsonBoolean),
    v.description(
      'Whether people without an account get one, as far as the organization lets their address join.',
    ),
  ),
  trusts_email: v.pipe(
    v.optional(jsonBoolean),
    v.description(
      'Whether an address counts as the person’s although the provider does not say that it has verified it.',
    ),
  ),
  groups_claim: v.pipe(
    v.optional(textUpTo(WORD_LENGTH)),
    v.description('The claim that lists groups. Empty: none.'),
  ),
  group_map: v.pipe(v.optional(mapped), v.description('The group here for each value of that claim.')),
  role_claim: v.pipe(
    v.optional(textUpTo(WORD_LENGTH)),
    v.description('The claim with the role. Empty: none.'),
  ),
  role_map: v.pipe(v.optional(mapped), v.description('The role here for each value of that claim.')),
}

const hasWork = ({ client_secret = '' }: ProviderParams) => client_secret !== ''

/** Seals the secret, so that it reaches the organization's object in no other form. */
async function sealed<Params extends ProviderParams>(
  given: Params,
  { secrets }: WorkerContext,
): Promise<Params> {
  return { ...given, client_secret: await secrets.seal('login provider', given.client_secret!) }
}

export const getLoginProvidersEndpoint = defineEndpoint({
  operation: 'get-login-providers',
  method: 'GET',
  path: '/login_providers',
  access: 'owner',
  params: {},
  returns: v.object({ login_providers: v.array(provider) }),
  command: getLoginProviders,
})

export const createLoginProviderEndpoint = defineEndpoint({
  operation: 'create-login-provider',
  method: 'POST',
  path: '/login_providers',
  access: 'owner',
  needsProof: true,
  params: {
    preset: v.pipe(v.optional(wordOf(PROVIDER_PRESETS), 'oidc'), v.description('The kind of provider.')),
    slug: v.pipe(
      textUpTo(WORD_LENGTH),
      v.description('Its name in addresses, among them the redirect URI. It never changes.'),
    ),
    ...params,
  },
  returns: provider,
  command: createLoginProvider,
  hasWork,
  prepare: sealed,
  audit: ({ params: { preset, slug: _, ...given }, value }) => ({
    action: 'organization_changed',
    details: { login_providers: 'added', login_provider_id: value.id, preset, ...changesIn(given) },
  }),
})

export const updateLoginProviderEndpoint = defineEndpoint({
  operation: 'update-login-provider',
  method: 'PATCH',
  path: '/login_providers/:provider_id',
  access: 'owner',
  needsProof: true,
  params: { provider_id: pathInteger, ...params },
  returns: provider,
  command: updateLoginProviderCommand,
  hasWork,
  prepare: sealed,
  audit: ({ params: { provider_id, ...given } }) => ({
    action: 'organization_changed',
    details: { login_providers: 'changed', login_provider_id: provider_id, ...changesIn(given) },
  }),
})

export const removeLoginProviderEndpoint = defineEndpoint({
  operation: 'remove-login-provider',
  method: 'DELETE',
  path: '/login_providers/:provider_id',
  access: 'owner',
  needsProof: true,
  params: { provider_id: pathInteger },
  returns: v.object({}),
  command: removeLoginProvider,
  audit: ({ params: { provider_id } }) => ({
    action: 'organization_changed',
    details: { login_providers: 'removed', login_provider_id: provider_id },
  }),
})

export const testLoginProviderEndpoint = defineEndpoint({
  operation: 'test-login-provider',
  method: 'POST',
  path: '/login_providers/:provider_id/test',
  access: 'owner',
  params: { provider_id: pathInteger },
  returns: v.object({ works: v.boolean(), problem: v.nullable(v.string()) }),
  command: testLoginProvider,
  async finish({ slug, clientSecret, ...found }, _params, { source, secrets, testProvider }) {
    const problem = await testProvider({
      ...found,
      redirectUri: `${source.origin}/complete/${slug}/`,
      clientSecret: clientSecret === null ? null : await secrets.open('login provider', clientSecret),
    })
    return { works: problem === null, problem }
  },
  repeatable: () => true,
  idempotency: 'harmless',
  audit: 'read-only',
})
