import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { deleteBrowserSessionWith } from './browser-session-rows.ts'

/** Logs a browser out. Who has the token may, also when the account is closed; a token of nothing ends nothing. */
export const endBrowserSession: Command<Anyone, { readonly digest: string }, void, object> = {
  apply(tx, _anyone, { digest }) {
    deleteBrowserSessionWith(tx.sql, digest)
    return {}
  },
}
