import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { STEP_WORD_LENGTH } from '../../api/input-limits.ts'
import { nonNegativeInteger, textUpTo } from '../../api/parameter-types.ts'
import { entered } from '../../api/step-types.ts'
import { toUsers } from '../../core/audience.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredHasZoomTokenEvent } from '../../events/has-zoom-token.ts'
import type { Anyone, Caller } from '../../model/caller.ts'
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

/** Seconds by which an access token counts as over before it is: a request with it takes a while. */
const MARGIN_SECONDS = 60

/** Seconds that one request has to exchange tokens: more than Zoom is waited for. */
const RENEWAL_SECONDS = 20

const sealedTokens = textUpTo(STEP_WORD_LENGTH)

/** The step before a person is sent to Zoom: refuses whoever has nothing to do there. */
export const beginZoomLoginStep = defineStep({
  operation: 'begin-zoom-login',
  access: 'human',
  params: {},
  command: { reads: true, apply: requireZoom },
  rateLimit: 'user',
  audit: 'read-only',
})

/** The step behind the page to which Zoom sends people back: their account makes its calls with these tokens from now on. */
export const connectZoomAccountStep = defineStep({
  operation: 'connect-zoom-account',
  access: 'human',
  params: { tokens: sealedTokens, expires_in: nonNegativeInteger },
  command: { apply: keepTokens },
  audit: 'own',
})

/** Gives one of several requests the right to exchange tokens that are over: Zoom takes each but once. */
export const claimZoomRenewalStep = defineStep({
  operation: 'claim-zoom-renewal',
  access: 'user',
  params: { tokens: sealedTokens },
  command: { apply: claimRenewal },
  audit: 'step',
})

/** Ends an exchange of tokens: with the new ones, or null where Zoom has given none. */
export const endZoomRenewalStep = defineStep({
  operation: 'end-zoom-renewal',
  access: 'user',
  params: {
    was: sealedTokens,
    renewed: v.nullable(v.strictObject({ tokens: sealedTokens, expires_in: nonNegativeInteger })),
  },
  command: { apply: endRenewal },
  audit: 'step',
})

export const noteZoomIdStep = defineStep({
  operation: 'note-zoom-id',
  access: 'user',
  params: { tokens: sealedTokens, zoom_id: entered },
  command: { apply: noteId },
  audit: 'step',
})

/** Forgets tokens that Zoom has refused, or that cannot be opened any more. */
export const forgetZoomAccountStep = defineStep({
  operation: 'forget-zoom-account',
  access: 'user',
  params: { tokens: sealedTokens },
  command: { apply: forget },
  audit: 'own',
})

/** The step behind the address to which Zoom posts that a user of its has removed this server's app. */
export const deauthorizeZoomUserStep = defineStep({
  operation: 'deauthorize-zoom-user',
  access: 'anyone',
  params: { zoom_id: entered },
  command: { apply: deauthorize },
  audit: 'own',
})

interface Tokens {
  readonly tokens: string
}

interface NewTokens extends Tokens {
  readonly expires_in: number
}

/** The tokens of an account as they are now; null where it has none any more. */
export interface TokensNow {
  readonly tokens: string | null
}

/** Who exchanges tokens: this request, one that is doing it, or nobody, because these are not the account's tokens any more. */
export type RenewalClaim = { readonly kind: 'own' | 'other' } | ({ readonly kind: 'changed' } & TokensNow)

/** Whether an access token is over, or about to be. */
export function isOver({ now }: RealmReads, expiresAt: number): boolean {
  return expiresAt - MARGIN_SECONDS <= now
}

function requireZoom(_view: RealmReads, { source }: Caller): object {
  requireCallService(source, 'zoom')
  return {}
}

function keepTokens(tx: RealmTransaction, { user }: Caller, params: NewTokens): object {
  const isNew = !hasZoomAccount(tx.sql, user.id)
  putZoomAccount(tx.sql, user.id, rowOf(tx, params))
  if (isNew) announce(tx, user.id, true)
  return {}
}

function claimRenewal(tx: RealmTransaction, { user }: Caller, { tokens }: Tokens): RenewalClaim {
  const account = findZoomAccount(tx.sql, user.id)
  if (account?.tokens !== tokens) return { kind: 'changed', tokens: account?.tokens ?? null }
  if (account.renewedUntil > tx.now) return { kind: 'other' }
  noteRenewal(tx.sql, user.id, Math.ceil(tx.now) + RENEWAL_SECONDS)
  return { kind: 'own' }
}

function endRenewal(
  tx: RealmTransaction,
  { user }: Caller,
  { was, renewed }: { readonly was: string; readonly renewed: NewTokens | null },
): TokensNow {
  const account = findZoomAccount(tx.sql, user.id)
  // The person has logged in at Zoom once more, or is connected with nobody there any more.
  if (account?.tokens !== was) return { tokens: account?.tokens ?? null }
  if (renewed) renewZoomAccount(tx.sql, user.id, rowOf(tx, renewed))
  else noteRenewal(tx.sql, user.id, 0)
  return { tokens: renewed?.tokens ?? was }
}

function rowOf({ now }: RealmReads, { tokens, expires_in }: NewTokens) {
  return { tokens, expiresAt: Math.floor(now) + expires_in }
}

function noteId(
  tx: RealmTransaction,
  { user }: Caller,
  { tokens, zoom_id }: Tokens & { readonly zoom_id: string },
): object {
  if (findZoomAccount(tx.sql, user.id)?.tokens === tokens) noteZoomId(tx.sql, user.id, zoom_id)
  return {}
}

function forget(tx: RealmTransaction, { user }: Caller, { tokens }: Tokens): object {
  if (findZoomAccount(tx.sql, user.id)?.tokens === tokens) disconnect(tx, user.id)
  return {}
}

function deauthorize(
  tx: RealmTransaction,
  _anyone: Anyone,
  { zoom_id }: { readonly zoom_id: string },
): object {
  for (const userId of listAccountsOfZoomUser(tx.sql, zoom_id, ENTRIES_AT_ONCE)) disconnect(tx, userId)
  return {}
}

function disconnect(tx: RealmTransaction, userId: number): void {
  if (deleteZoomAccount(tx.sql, userId)) announce(tx, userId, false)
}

function announce(tx: RealmTransaction, userId: number, value: boolean): void {
  const event: StoredHasZoomTokenEvent = { type: 'has_zoom_token', value }
  tx.emit(event, toUsers(userId))
}
