import type { Command } from '../../core/command.ts'
import type { Caller } from '../caller.ts'
import { changeApiKey } from './change-api-key.ts'

/** A new key for the caller; the old one is worth nothing at once. Source: core-endpoints 21. */
export const regenerateOwnApiKey: Command<Caller, unknown, void, { api_key: string }> = {
  apply(tx, { user }) {
    return { api_key: changeApiKey(tx, user) }
  },
  // With the old key nobody gets so far; whoever has the new one may know it.
  withoutSecret: {
    keep: () => ({}),
    restore: (_view, { user }) => ({ api_key: user.apiKey }),
  },
}
