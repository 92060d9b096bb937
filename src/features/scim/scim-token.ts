import * as v from 'valibot'
import { changesIn } from '../../api/audit-rules.ts'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { DAY } from '../../core/time.ts'
import type { Caller } from '../../model/caller.ts'
import { digestOfToken, SCIM_PATH } from '../../model/scim/scim-token.ts'
import { deleteTokens, putTokens, type ScimToken, validTokens } from '../../store/scim/scim-rows.ts'

const managesOwners = v.optional(
  v.pipe(
    jsonBoolean,
    v.description(
      'Whether the identity provider may make and reactivate owners, and change their roles and addresses. It never may with the last owner.',
    ),
  ),
)

const endFormer = v.optional(
  v.pipe(
    jsonBoolean,
    v.description('Whether the token before this one ends at once. By default it is valid for seven days.'),
  ),
)

const provisioningAnswer = v.object({
  base_url: v.string(),
  scim_token: v.nullable(
    v.object({
      date_created: v.number(),
      creator_id: v.number(),
      last_used: v.nullable(v.number()),
      manages_owners: v.boolean(),
      former_valid_until: v.nullable(v.number()),
      former_last_used: v.nullable(v.number()),
    }),
  ),
})
type Provisioning = v.InferOutput<typeof provisioningAnswer>

/** Gets the URL for an identity provider, and facts about its token. Source: docs/interface/administration.md#provisioning. */
export const getScimTokenEndpoint = defineEndpoint({
  operation: 'get-scim-token',
  route: 'GET /scim_token',
  access: 'owner',
  returns: provisioningAnswer,
  query: provisioning,
})

/**
 * Creates a token, which only this answer shows. The token that the identity provider uses stays valid for some days; one that was never
 * used is replaced, so that a repeated request does no harm. Source: docs/interface/administration.md#provisioning. Parley's own.
 */
export const createScimTokenEndpoint = defineEndpoint({
  operation: 'create-scim-token',
  route: 'POST /scim_token',
  access: 'owner',
  needsProof: true,
  params: { manages_owners: managesOwners, end_former: endFormer },
  returns: v.object({ token: secretText(), ...provisioningAnswer.entries }),
  apply(tx, caller, { manages_owners, end_former }) {
    const [present, former] = validTokens(tx.sql, tx.now)
    const token = PREFIX + tx.randomHex(RANDOM_BYTES)
    const inUse = present?.usedAt === null ? former : present
    const made: ScimToken = {
      digest: digestOfToken(token),
      madeAt: tx.now,
      madeBy: caller.user.id,
      usedAt: null,
      useBefore: null,
      managesOwners: manages_owners ?? present?.managesOwners ?? false,
    }
    putTokens(tx.sql, made, end_former || !inUse ? undefined : asFormer(inUse, made, tx.now))
    return { token, ...provisioning(tx, caller) }
  },
  audit: ({ value: { scim_token } }) => ({
    action: 'scim_token_created',
    details: {
      manages_owners: scim_token?.manages_owners === true,
      former_valid_until: scim_token?.former_valid_until ?? null,
    },
  }),
  // A token that was never used is replaced, and the one in use stays.
  idempotency: 'harmless',
})

/** Changes what the token may do, or ends the one before it. Parley's own. */
export const updateScimTokenEndpoint = defineEndpoint({
  operation: 'update-scim-token',
  route: 'PATCH /scim_token',
  access: 'owner',
  needsProof: true,
  params: { manages_owners: managesOwners, end_former: endFormer },
  returns: provisioningAnswer,
  apply(tx, caller, { manages_owners, end_former }): Provisioning {
    const [present, former] = requireTokens(tx)
    const changed = { ...present, managesOwners: manages_owners ?? present.managesOwners }
    const kept = former && !end_former ? { ...former, managesOwners: changed.managesOwners } : undefined
    putTokens(tx.sql, changed, kept)
    return provisioning(tx, caller)
  },
  audit: ({ params }) => ({ action: 'scim_token_changed', details: changesIn(params) }),
})

/** Deletes the tokens, so that the identity provider can change nothing more. What it has created stays. Parley's own. */
export const deleteScimTokenEndpoint = defineEndpoint({
  operation: 'delete-scim-token',
  route: 'DELETE /scim_token',
  access: 'owner',
  needsProof: true,
  apply(tx) {
    requireTokens(tx)
    deleteTokens(tx.sql)
  },
  audit: () => ({ action: 'scim_token_deleted', details: {} }),
})

/** Seconds for which a replaced token is still valid, so that the identity provider can keep working meanwhile. */
const FORMER_SECONDS = 7 * DAY
/** Half of the 64 digits after the prefix. */
const RANDOM_BYTES = 32
/** The prefix by which people, and scanners for leaked secrets, recognize a token. */
const PREFIX = 'parley_scim_'

function asFormer(token: ScimToken, { managesOwners }: ScimToken, now: number): ScimToken {
  return { ...token, managesOwners, useBefore: token.useBefore ?? Math.floor(now) + FORMER_SECONDS }
}

/** @throws NotFoundError (404) without a token */
function requireTokens({ sql, now }: RealmReads): [ScimToken, ScimToken?] {
  const [present, former] = validTokens(sql, now)
  if (!present) throw new NotFoundError('No such token')
  return former ? [present, former] : [present]
}

function provisioning({ sql, now }: RealmView, { source }: Caller): Provisioning {
  const [present, former] = validTokens(sql, now)
  return {
    base_url: source.origin + SCIM_PATH,
    scim_token: present
      ? {
          date_created: present.madeAt,
          creator_id: present.madeBy,
          last_used: present.usedAt,
          manages_owners: present.managesOwners,
          former_valid_until: former?.useBefore ?? null,
          former_last_used: former?.usedAt ?? null,
        }
      : null,
  }
}
