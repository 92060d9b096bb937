import { createHash } from 'node:crypto'

/** The path below which identity providers find accounts and groups. */
export const SCIM_PATH = '/scim/v2'

/** Returns lower-case hex SHA-256, which is stored of a token. */
export function digestOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
