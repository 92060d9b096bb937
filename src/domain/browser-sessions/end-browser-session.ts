import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { endPolls } from '../users/login/end-sessions.ts'
import { deleteBrowserSessionWith } from './browser-session-rows.ts'

/** Logs a browser out. Who has the token may, also when the account is closed; a token of nothing ends nothing. */
export const endBrowserSession: Command<Anyone, { readonly digest: string }, void, object> = {
  apply(tx, _anyone, { digest }) {
    const userId = deleteBrowserSessionWith(tx.sql, digest)
    // Which poll is whose is not known: all of them ask again.
    if (userId !== undefined) endPolls(tx, userId)
    return {}
  },
}
