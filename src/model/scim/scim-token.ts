import { createHash } from 'node:crypto'
import type { Credentials } from '../../core/call.ts'
import type { Sql, WritableSql } from '../../core/sql.ts'
import { notLoggedIn } from '../../rules/access.ts'
import { noteUseOfToken, validTokens } from '../../store/scim/scim-rows.ts'

/** The path below which identity providers find accounts and groups. */
export const SCIM_PATH = '/scim/v2'

/** Returns the digest under which a token is stored: SHA-256, in lower-case hex. */
export function digestOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/**
 * Admits an identity provider with a valid token, and notes its use. `now` in UNIX seconds.
 * @throws UnauthorizedError (401) for other callers
 */
export function requireScimToken(sql: WritableSql, credentials: Credentials, now: number): void {
  const token =
    credentials.kind === 'scim' && validTokens(sql, now).find(({ digest }) => digest === credentials.digest)
  if (!token) throw notLoggedIn()
  noteUseOfToken(sql, token, now)
}

/** Whether the identity provider may create and reactivate owners, and change their roles and addresses. */
export function managesOwners({ sql, now }: { readonly sql: Sql; readonly now: number }): boolean {
  return validTokens(sql, now)[0]?.managesOwners === true
}
