import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Check, Finding, Found } from '../../model/verification/check.ts'
import { checkAccounts, checkListing } from '../../model/verification/check-accounts.ts'
import { checkBodies, checkSearch } from '../../model/verification/check-bodies.ts'
import {
  checkConversations,
  checkParticipants,
  checkPeriods,
  checkReading,
  checkRecipients,
} from '../../model/verification/check-people.ts'
import {
  checkQuotas,
  checkSets,
  REFERENCE_CHECKS,
  STORE_CHECKS,
} from '../../model/verification/check-stores.ts'

export interface VerifyParams {
  /** The `next` of an earlier call. */
  readonly after?: string | null
  readonly repair: boolean
}

export interface Verified {
  readonly findings: readonly Finding[]
  /** Position for the next call; null when everything has been checked. */
  readonly next: string | null
}

/** Number of checks in one call; each reads at most some thousand rows. */
const CHECKS_AT_ONCE = 6

/** The checks, in their order. References are repaired first, since the other checks count the remaining rows. */
const CHECKS: readonly Check[] = [
  ...REFERENCE_CHECKS,
  checkSets,
  checkParticipants,
  checkConversations,
  checkRecipients,
  checkBodies,
  checkSearch,
  checkAccounts,
  checkListing,
  checkPeriods,
  checkReading,
  checkQuotas,
  ...STORE_CHECKS,
]

/** Checks some thousand rows of the organization's data. With `repair`, derived values are repaired in the same commit. */
export const verifyRealm = {
  asks: true,

  apply(tx, _caller, params) {
    const { check, index, position } = positionOf(params)
    const { contents, loaded } = tx.fetch('contents', async ({ contents }) => ({
      contents,
      loaded: await check.fetch?.(contents, tx, position, params.repair),
    }))
    const { findings, next } = check.examine(tx, position, params.repair, loaded, contents)
    const all = named(check, findings)
    if (next !== undefined) return { findings: all, next: `${index}:${next}` }
    // Checks that read only the realm follow in the same call.
    for (let at = index + 1; at < CHECKS.length; at += 1) {
      const following = CHECKS[at]!
      if (following.fetch || at > index + CHECKS_AT_ONCE) return { findings: all, next: `${at}:0` }
      const chunk = following.examine(tx, 0, params.repair, undefined, contents)
      all.push(...named(following, chunk.findings))
      if (chunk.next !== undefined) return { findings: all, next: `${at}:${chunk.next}` }
    }
    return { findings: all, next: null }
  },
} satisfies Command<unknown, VerifyParams, Verified>

function named(check: Check, findings: readonly Found[]): Finding[] {
  return findings.map((finding) => ({ check: check.name, ...finding }))
}

/** @throws BadRequestError for a position that no call has returned */
function positionOf({ after }: VerifyParams): { check: Check; index: number; position: number } {
  const match = /^(\d{1,3}):(-?\d{1,16})$/.exec(after ?? '0:0')
  const check = match && CHECKS[Number(match[1])]
  if (!check) throw new BadRequestError('Invalid after')
  return { check, index: Number(match[1]), position: Number(match[2]) }
}

/**
 * Compares the organization's data in its different stores, one part per call. Not part of the public interface: `npm run verify` does the
 * same without an account.
 */
export const verifyRealmEndpoint = defineEndpoint({
  operation: 'verify-realm',
  route: 'POST /realm/verify',
  access: 'owner',
  params: {
    after: described(
      v.optional(textUpTo(20)),
      'The `next` of an earlier call, to continue where that call stopped. By default the check starts at the beginning.',
    ),
    repair: described(
      v.optional(jsonBoolean, 'false'),
      'Whether to repair derived data that differs from what it is derived from.',
    ),
  },
  returns: v.object({
    findings: v.array(
      v.object({ check: v.string(), what: v.string(), problem: v.string(), repaired: v.boolean() }),
    ),
    next: v.nullable(v.string()),
  }),
  command: verifyRealm,
  audit: 'step',
  repeatable: () => true,
})
