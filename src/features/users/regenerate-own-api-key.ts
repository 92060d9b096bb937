import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { jsonBoolean } from '../../api/parameter-types.ts'
import type { Command } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { MINUTE } from '../../core/time.ts'
import type { Caller } from '../../model/caller.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { newApiKey } from '../../model/users/login/api-key.ts'
import { changeApiKey } from '../../model/users/login/change-api-key.ts'
import {
  findPendingApiKey,
  type PendingApiKey,
  putPendingApiKey,
} from '../../store/users/login/pending-api-key-rows.ts'

interface NewKey {
  readonly api_key: string
  /** UNIX seconds; only for a key that must be used before it replaces the present one. */
  readonly use_before?: number
}

/**
 * Gives the caller a new key. The old one is invalid at once; in two steps, once the new one is first used
 * (realm/calls/admission.ts), so that a caller who misses the answer still has a key. Source:
 * docs/interface/login.md#a-new-key.
 */
const regenerateOwnApiKey: Command<Caller, { readonly two_step?: boolean }, void, NewKey> = {
  apply(tx, { user, source }, { two_step }) {
    if (!two_step) {
      mailCredentialChange(tx, user, source, 'apiKey')
      return { api_key: changeApiKey(tx, user) }
    }
    const { apiKey, useBefore } = offerApiKey(tx, user.id)
    return { api_key: apiKey, use_before: useBefore }
  },
  // The old key does not get this far, unless a new one is pending; a caller with the new one may know it.
  withoutSecret: {
    keep: () => ({}),
    restore({ sql, now }, { user }, _kept, { two_step }) {
      const pending = two_step ? findPendingApiKey(sql, user.id, now) : undefined
      return pending ? { api_key: pending.apiKey, use_before: pending.useBefore } : { api_key: user.apiKey }
    },
  },
}

/**
 * Gives the caller a new API key. Source: docs/interface/login.md#a-new-key; docs/security.md, "A new key".
 */
export const regenerateOwnApiKeyEndpoint = defineEndpoint({
  operation: 'regenerate-own-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  access: 'user',
  needsProof: true,
  params: {
    two_step: v.optional(
      v.pipe(
        jsonBoolean,
        v.description(
          'With true, the present key stays valid until the new one is first used, which must be before the time `use_before`; after that time the new key is void. Another request before then gets the same new key. Without it, the present key ends at once.',
        ),
      ),
      'false',
    ),
  },
  returns: v.object({
    api_key: v.string(),
    use_before: v.optional(v.pipe(v.number(), v.description('UNIX seconds; only with `two_step`.'))),
  }),
  command: regenerateOwnApiKey,
  // The key changes in two steps, the second when the new key is first used
  // (realm/calls/admission.ts).
  audit: ({ actorId, params }) => ({
    action: params.two_step ? 'key_offered' : 'key_renewed',
    details: { user_id: actorId },
  }),
  takesSessions: true,
})

/**
 * Seconds within which a pending key must first be used: a client that got no answer asks again within them.
 */
const PENDING_SECONDS = 10 * MINUTE

/** Returns the account's pending key: the present one, valid for the whole time again, or a new one. */
function offerApiKey(tx: RealmTransaction, userId: number): PendingApiKey {
  const apiKey = findPendingApiKey(tx.sql, userId, tx.now)?.apiKey ?? newApiKey(tx)
  const useBefore = Math.floor(tx.now) + PENDING_SECONDS
  putPendingApiKey(tx.sql, userId, { apiKey, useBefore })
  return { apiKey, useBefore }
}
