import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { requireOwnPassword } from '../../api/own-password.ts'
import { described, jsonBoolean, textUpTo } from '../../api/parameter-types.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { secretText } from '../../core/secret-text.ts'
import { MINUTE } from '../../core/time.ts'
import { changeApiKey, newApiKey } from '../../model/accounts/login/api-key.ts'
import {
  fetchApiKey,
  needsBrowser,
  requirePasswordLogin,
  wrongOwnPassword,
  wrongPassword,
} from '../../model/accounts/login/fetch-api-key.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import {
  type FinishedLogin,
  findPendingApiKey,
  type LoginEnd,
  type PendingApiKey,
  putPendingApiKey,
} from '../../store/users/login/login-ticket-rows.ts'
import { completeLoginStep, noteFailedLoginStep } from './login-steps.ts'

/**
 * Replaces `fetch-api-key` below /json, where the session identifies the user. The password, which web clients send, proves the identity;
 * without one, or with a second factor, the identity must have been proved recently. Source: docs/interface/browsers.md#routes.
 */
export const fetchOwnApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-own-api-key',
  route: 'POST /fetch_api_key',
  access: 'human',
  needsProof: ({ password }, isPasswordEnough) => password === undefined || !isPasswordEnough(),
  params: { password: v.optional(textUpTo(NAME_LENGTH)) },
  returns: v.object({ api_key: secretText(), email: v.string(), user_id: v.number() }),
  apply(tx, { user }, { password, checked_hash }: FetchOwnApiKeyParams) {
    if (password !== undefined) {
      requirePasswordLogin(tx.sql)
      if (checked_hash === undefined) return {}
      // Another request has changed the password while the old one was checked.
      if (checked_hash === null || checked_hash !== user.passwordHash) throw wrongOwnPassword()
    }
    return { api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  },
  audit: ({ actorId }) => ({ action: 'login', details: { user_id: actorId } }),
  idempotency: 'harmless',
  hasWork: ({ password }) => password !== undefined,
  async prepare({ password }, worker) {
    return { password, checked_hash: await requireOwnPassword(password!, worker, wrongOwnPassword) }
  },
})

interface FetchOwnApiKeyParams {
  readonly password?: string | undefined
  /** The hash that the password matches, from the Worker; undefined before the check. */
  readonly checked_hash?: string | null
}

/**
 * Logs in with a password. The object counts the attempt and returns the hash, the Worker makes the slow check, and the object returns the
 * key. Source: docs/interface/login.md#with-a-password.
 */
export const fetchApiKeyEndpoint = defineEndpoint({
  operation: 'fetch-api-key',
  route: 'POST /fetch_api_key',
  access: 'anyone',
  rateLimit: 'doors',
  params: { username: textUpTo(NAME_LENGTH), password: textUpTo(NAME_LENGTH) },
  returns: v.object({ api_key: secretText(), email: v.string(), user_id: v.number() }),
  apply: fetchApiKey,
  audit: { because: 'Counts the attempt; complete-login or note-failed-login records the outcome.' },
  belowJson: fetchOwnApiKeyEndpoint,
  reservesHashing: true,
  async finish(check, { password }, worker) {
    if (!(await worker.place!.verify(password, check.hash))) {
      await worker.run(noteFailedLoginStep.operation, { userId: check.userId })
      throw wrongPassword()
    }
    const end: LoginEnd = { kind: 'app' }
    const finished = (await worker.run(completeLoginStep.operation, { ...check, end })) as FinishedLogin
    if (finished.kind !== 'app') throw needsBrowser()
    const { kind: _, ...login } = finished
    return login
  },
})

/**
 * Gives the caller a new key. The old one ends at once, or with `two_step` when the new one is first used (realm/calls/admission.ts), so
 * that a caller who misses the answer still has a key. Source: docs/interface/login.md#a-new-key.
 */
export const regenerateOwnApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-own-api-key',
  route: 'POST /users/me/api_key/regenerate',
  access: 'user',
  needsProof: true,
  params: {
    two_step: v.optional(
      described(
        jsonBoolean,
        'With true, the present key stays valid until the new one is first used, which must be before the time `use_before`; after that time the new key is void. Another request before then gets the same new key. Without it, the present key ends at once.',
      ),
      'false',
    ),
  },
  returns: v.object({
    api_key: secretText(),
    use_before: v.optional(described(v.number(), 'UNIX seconds; only with `two_step`.')),
  }),
  command: {
    apply(tx, { user, source }, { two_step }) {
      if (!two_step) {
        mailCredentialChange(tx, user, source, 'apiKey')
        return { api_key: changeApiKey(tx, user) }
      }
      const { apiKey, useBefore } = offerApiKey(tx, user.id)
      return { api_key: apiKey, use_before: useBefore }
    },
    // A repetition with the old key gets here only while a new one is pending; a caller with the new key may know it.
    withoutSecret: {
      keep: () => ({}),
      restore({ sql, now }, { user }, _kept, { two_step }) {
        const pending = two_step ? findPendingApiKey(sql, user.id, now) : undefined
        return pending ? { api_key: pending.apiKey, use_before: pending.useBefore } : { api_key: user.apiKey }
      },
    },
  },
  // The first of two steps; the second is the first use of the new key (realm/calls/admission.ts).
  audit: ({ actorId, params }) => ({
    action: params.two_step ? 'key_offered' : 'key_renewed',
    details: { user_id: actorId },
  }),
  takesSessions: true,
})

/** Seconds within which a pending key must first be used, and in which a client without an answer asks again. */
const PENDING_SECONDS = 10 * MINUTE

/** Returns the account's pending key: the existing one, with its time extended, or a new one. */
function offerApiKey(tx: RealmTransaction, userId: number): PendingApiKey {
  const apiKey = findPendingApiKey(tx.sql, userId, tx.now)?.apiKey ?? newApiKey(tx)
  const useBefore = Math.floor(tx.now) + PENDING_SECONDS
  putPendingApiKey(tx.sql, userId, { apiKey, useBefore })
  return { apiKey, useBefore }
}
