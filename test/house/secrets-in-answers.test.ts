import type * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/api/define-endpoint.ts'
import { isSecretText } from '../../src/core/secret-text.ts'
import { OPERATIONS } from '../../src/features/index.ts'

/** Operations that answer a secret without a proof, and why. */
const WITHOUT_PROOF: Readonly<Record<string, string>> = {
  'fetch-api-key': 'It is a log-in.',
  'jwt-fetch-api-key': 'It is a log-in.',
  'update-settings': 'Only with a new password, for which the old one or a proof is asked.',
  'get-bots': 'Empty for a browser.',
  'register-queue': 'Empty for a browser.',
  'get-events': 'Empty for a browser.',
  'get-invites': 'Empty for a browser without a proof, if the link gives more than a member has.',
  'get-realm-exports': 'Null for a browser without a proof, if the data is private.',
  'get-stream-email-address': 'With it one can post where the caller can, and nothing else.',
}

/** Texts with names like those of secrets that are none. */
const NO_SECRETS: readonly string[] = [
  // Keys that the page needs, and that belong to the deployment.
  'register-queue giphy_api_key',
  'register-queue tenor_api_key',
  'get-web-push-key public_key',
  // Names of options and settings.
  ...[
    'realm_incoming_webhook_bots[].url_options[].key',
    'realm_incoming_webhook_bots[].config_options[].key',
  ].map((path) => `register-queue ${path}`),
  ...['realm_user_settings_defaults.', '', 'user_settings.'].map(
    (where) => `register-queue ${where}emojiset_choices[].key`,
  ),
  'register-queue server_report_message_types[].key',
  // Where a device of the caller gets pushes: no request is accepted with it.
  'get-client-devices tokens[].token',
]

const NAMED_LIKE_ONE = /(^|_)(key|secret|token|password|recovery_codes|invite_link|link_url)$/

interface Text {
  readonly path: string
  readonly name: string
  readonly isSecret: boolean
}

type Node = v.GenericSchema & Readonly<Record<string, unknown>>

/** Returns the texts that a schema can have. */
function textsIn(schema: Node, path = '', name = ''): Text[] {
  const under = (part: unknown, more = '') => textsIn(part as Node, `${path}${more}`, name)
  if (isSecretText(schema)) return [{ path, name, isSecret: true }]
  if (schema.type === 'string') return [{ path, name, isSecret: false }]
  if (schema.entries) {
    return Object.entries(schema.entries).flatMap(([key, part]) =>
      textsIn(part as Node, path === '' ? key : `${path}.${key}`, key),
    )
  }
  if (schema.item) return under(schema.item, '[]')
  if (schema.wrapped) return under(schema.wrapped)
  if (schema.type === 'record') return under(schema.value, '{}')
  const isChoice = schema.type === 'union' || schema.type === 'variant' || schema.type === 'intersect'
  return isChoice ? (schema.options as unknown[]).flatMap((part) => under(part)) : []
}

const ENDPOINTS = [...OPERATIONS.values()].filter((one): one is Endpoint => 'returns' in one)
const found = ENDPOINTS.flatMap(({ operation, returns }) =>
  textsIn(returns as Node).map((text) => ({ operation, ...text })),
)
const withSecrets = [...new Set(found.filter(({ isSecret }) => isSecret).map(({ operation }) => operation))]

describe('keys and secrets in answers', () => {
  it('are declared as such', () => {
    const unmarked = found
      .filter(({ name, isSecret }) => !isSecret && NAMED_LIKE_ONE.test(name))
      .map(({ operation, path }) => `${operation} ${path}`)
    expect([...new Set(unmarked)].sort()).toEqual([...NO_SECRETS].sort())
  })

  it('need a proof always, or the list above says why not', () => {
    expect(withSecrets.length).toBeGreaterThan(15)
    const always = (operation: string) => OPERATIONS.get(operation)!.needsProof === true
    const excepted = withSecrets.filter((operation) => !always(operation))
    const conditional = ['create-invite-link', 'fetch-own-api-key']
    expect(excepted.sort()).toEqual([...Object.keys(WITHOUT_PROOF), ...conditional].sort())
    for (const operation of conditional) {
      expect([operation, typeof OPERATIONS.get(operation)!.needsProof]).toEqual([operation, 'function'])
    }
  })
})
