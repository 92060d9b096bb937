import type { Command } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { mailCredentialChange } from '../../emails/account-mails.ts'
import { changeApiKey } from './change-api-key.ts'
import { offerApiKey } from './pending-api-key.ts'
import { findPendingApiKey } from './pending-api-key-rows.ts'

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
export const regenerateOwnApiKey: Command<Caller, { readonly two_step?: boolean }, void, NewKey> = {
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
