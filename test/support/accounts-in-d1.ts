import { env } from 'cloudflare:workers'
import { createHash, createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { TestRealm } from './factories.ts'
import { inRealm } from './inside.ts'

/** A row of D1's table of accounts, without the day of the last activity. */
export interface AccountRow {
  readonly user_id: number
  readonly full_name: string
  readonly role: number
  readonly kind: string
  readonly is_active: number
  readonly joined_at: number
  readonly email_digest: string | null
  readonly key_digest: string
}

interface UserRow {
  readonly id: number
  readonly full_name: string
  readonly role: number
  readonly bot_type: number | null
  readonly is_active: number
  readonly joined_at: number
  readonly delivery_email: string
  readonly is_email_confirmed: number
  readonly api_key: string
}

const KINDS = ['', 'generic_bot', 'incoming_webhook', 'outgoing_webhook', 'embedded_bot']

/** Returns the digest under which D1 should know an address. */
export function digestOfAddress(address: string, key: string = env.SECRETS_KEY!): string {
  const hmac = createHmac('sha256', Buffer.from(key, 'base64'))
  return hmac.update(`parley address\n${address.toLowerCase()}`).digest('hex')
}

/** Returns the rows that D1 should have of an organization, by the object's own. */
export async function expectedAccounts(realm: TestRealm): Promise<AccountRow[]> {
  const users = await inRealm(realm, ({ parts }) =>
    parts.sql.all<UserRow>(`SELECT * FROM user WHERE is_system_bot = 0 ORDER BY id`),
  )
  return users.map((user) => ({
    user_id: user.id,
    full_name: user.full_name,
    role: user.role,
    kind: user.bot_type === null ? 'person' : KINDS[user.bot_type]!,
    is_active: user.is_active,
    joined_at: user.joined_at,
    email_digest:
      user.bot_type === null && user.is_email_confirmed === 1 ? digestOfAddress(user.delivery_email) : null,
    key_digest: createHash('sha256').update(user.api_key).digest('hex'),
  }))
}

/** Returns the rows that D1 has. */
export async function accountsInD1({ id }: TestRealm): Promise<AccountRow[]> {
  const { results } = await env.DB.prepare(
    `SELECT user_id, full_name, role, kind, is_active, joined_at, email_digest, key_digest
     FROM account WHERE realm_id = ? ORDER BY user_id`,
  )
    .bind(id)
    .all<AccountRow>()
  return results
}

/** Waits until D1 has everything that was sent, and compares its accounts with the object's. */
export async function expectSameAccounts(realm: TestRealm): Promise<void> {
  const isIn = () =>
    inRealm(realm, async ({ parts }) => {
      await parts.projector.kick()
      parts.projector.passEvents()
      return parts.tail.size.entries
    })
  await expect.poll(isIn, { timeout: 20_000 }).toBe(0)
  expect(await accountsInD1(realm)).toEqual(await expectedAccounts(realm))
}
