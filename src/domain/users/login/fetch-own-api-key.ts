import type { Command } from '../../../core/command.ts'
import type { Caller } from '../../caller.ts'
import { requirePasswordLogin, wrongOwnPassword } from './fetch-api-key.ts'

export interface FetchOwnApiKeyParams {
  readonly password?: string | undefined
  /** The hash that the password fits, from the Worker; undefined before it was checked. */
  readonly checked_hash?: string | null
}

/**
 * Gets the key for somebody whose browser is logged in, and who has lately proved to be there, or proves the password now: somebody
 * who finds an open browser gets no key. Source: docs/interface/browsers.md#routes.
 */
export const fetchOwnApiKey: Command<Caller, FetchOwnApiKeyParams, void, object> = {
  apply(tx, { user }, { password, checked_hash }) {
    if (password !== undefined) {
      requirePasswordLogin(tx.sql)
      if (checked_hash === undefined) return {}
      // Another request has changed the password while the old one was checked.
      if (checked_hash === null || checked_hash !== user.passwordHash) throw wrongOwnPassword()
    }
    return { api_key: user.apiKey, email: user.deliveryEmail, user_id: user.id }
  },
}
