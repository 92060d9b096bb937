import type { RequestSource } from '../../core/call.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { provenUntil } from '../../store/browser-sessions/browser-session-rows.ts'

/**
 * Whether the request may do what needs a proof: its browser's user has proved who it is within fifteen minutes, or it comes with a key
 * (docs/security.md#acts-that-need-a-proof).
 */
export function isProven(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  { session }: Pick<RequestSource, 'session'>,
): boolean {
  return session === undefined || provenUntil(sql, session, now) !== undefined
}
