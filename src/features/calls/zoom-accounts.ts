import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { STEP_WORD_LENGTH } from '../../api/input-limits.ts'
import { nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import { toUsers } from '../../core/audience.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { requireCallService } from '../../model/calls/call-providers.ts'
import {
  deleteZoomAccount,
  findZoomAccount,
  hasZoomAccount,
  listAccountsOfZoomUser,
  noteRenewal,
  noteZoomId,
  putZoomAccount,
  renewZoomAccount,
} from '../../store/calls/zoom-account-rows.ts'

/** Seconds before its end at which an access token counts as expired, since a request with it takes a while. */
const MARGIN_SECONDS = 60

/** Seconds that a request has to exchange tokens: longer than the timeout of the call to Zoom. */
const RENEWAL_SECONDS = 20

const sealedTokens = textUpTo(STEP_WORD_LENGTH)

/** The step before a user is sent to Zoom: refuses users who may not connect. */
export const beginZoomLoginStep = defineStep({
  operation: 'begin-zoom-login',
  access: 'human',
  query(_view, { source }) {
    requireCallService(source, 'zoom')
  },
  rateLimit: 'user',
  audit: 'read-only',
})

/** The step behind the page to which Zoom sends users back: their account creates its calls with these tokens from then on. */
export const connectZoomAccountStep = defineStep({
  operation: 'connect-zoom-account',
  access: 'human',
  params: { tokens: sealedTokens, expires_in: nonNegativeInteger },
  apply(tx, { user }, params) {
    const isNew = !hasZoomAccount(tx.sql, user.id)
    putZoomAccount(tx.sql, user.id, rowOf(tx, params))
    if (isNew) announce(tx, user.id, true)
  },
  audit: 'own',
})

/** Gives one of several requests the right to exchange expired tokens: Zoom accepts each only once. */
export const claimZoomRenewalStep = defineStep({
  operation: 'claim-zoom-renewal',
  access: 'user',
  params: { tokens: sealedTokens },
  apply(tx, { user }, { tokens }): RenewalClaim {
    const account = findZoomAccount(tx.sql, user.id)
    if (account?.tokens !== tokens) return { kind: 'changed', tokens: account?.tokens ?? null }
    if (account.renewedUntil > tx.now) return { kind: 'other' }
    noteRenewal(tx.sql, user.id, Math.ceil(tx.now) + RENEWAL_SECONDS)
    return { kind: 'own' }
  },
  audit: 'step',
})

/** Ends an exchange of tokens: with the new ones, or null if Zoom gave none. */
export const endZoomRenewalStep = defineStep({
  operation: 'end-zoom-renewal',
  access: 'user',
  params: {
    was: sealedTokens,
    renewed: v.nullable(v.strictObject({ tokens: sealedTokens, expires_in: nonNegativeInteger })),
  },
  apply(tx, { user }, { was, renewed }): TokensNow {
    const account = findZoomAccount(tx.sql, user.id)
    // The user has logged in at Zoom again, or is no longer connected.
    if (account?.tokens !== was) return { tokens: account?.tokens ?? null }
    if (renewed) renewZoomAccount(tx.sql, user.id, rowOf(tx, renewed))
    else noteRenewal(tx.sql, user.id, 0)
    return { tokens: renewed?.tokens ?? was }
  },
  audit: 'step',
})

export const noteZoomIdStep = defineStep({
  operation: 'note-zoom-id',
  access: 'user',
  params: { tokens: sealedTokens, zoom_id: entered },
  apply(tx, { user }, { tokens, zoom_id }) {
    if (findZoomAccount(tx.sql, user.id)?.tokens === tokens) noteZoomId(tx.sql, user.id, zoom_id)
  },
  audit: 'step',
})

/** Deletes tokens that Zoom has refused, or that can no longer be opened. */
export const forgetZoomAccountStep = defineStep({
  operation: 'forget-zoom-account',
  access: 'user',
  params: { tokens: sealedTokens },
  apply(tx, { user }, { tokens }) {
    if (findZoomAccount(tx.sql, user.id)?.tokens === tokens) disconnect(tx, user.id)
  },
  audit: 'own',
})

/** The step behind the URL to which Zoom reports that one of its users has removed this server's app. */
export const deauthorizeZoomUserStep = defineStep({
  operation: 'deauthorize-zoom-user',
  access: 'anyone',
  params: { zoom_id: entered },
  apply(tx, _anyone, { zoom_id }) {
    for (const userId of listAccountsOfZoomUser(tx.sql, zoom_id, ENTRIES_AT_ONCE)) disconnect(tx, userId)
  },
  audit: 'own',
})

interface Tokens {
  readonly tokens: string
}

interface NewTokens extends Tokens {
  readonly expires_in: number
}

/** An account's current tokens; null if it has none any more. */
export interface TokensNow {
  readonly tokens: string | null
}

/** The request that exchanges tokens: this one (`own`), another one (`other`), or none, because the account's tokens have changed. */
export type RenewalClaim = { readonly kind: 'own' | 'other' } | ({ readonly kind: 'changed' } & TokensNow)

/** Whether an access token has expired, or is about to. */
export function isOver({ now }: RealmReads, expiresAt: number): boolean {
  return expiresAt - MARGIN_SECONDS <= now
}

function rowOf({ now }: RealmReads, { tokens, expires_in }: NewTokens) {
  return { tokens, expiresAt: Math.floor(now) + expires_in }
}

function disconnect(tx: RealmTransaction, userId: number): void {
  if (deleteZoomAccount(tx.sql, userId)) announce(tx, userId, false)
}

function announce(tx: RealmTransaction, userId: number, value: boolean): void {
  tx.emit({ type: 'has_zoom_token', value }, toUsers(userId))
}
