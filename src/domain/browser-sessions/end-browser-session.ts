import type { Command } from '../../core/command.ts'
import type { Anyone } from '../anyone.ts'
import { endPolls } from '../users/login/end-sessions.ts'
import { deleteBrowserSessionWith } from './browser-session-rows.ts'

/**
 * Logs a browser out. The owner of the token may, even of a closed account; an unknown token ends nothing.
 */
export const endBrowserSession: Command<Anyone, { readonly digest: string }, void, object> = {
  apply(tx, _anyone, { digest }) {
    const userId = deleteBrowserSessionWith(tx.sql, digest)
    // It is not known which poll belongs to which session, so all of them reconnect.
    if (userId !== undefined) endPolls(tx, userId)
    return {}
  },
}
