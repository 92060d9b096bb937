import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ApiClient, evictRealm } from '../../support/api.ts'
import { atLevel, buildUser, expectSuccess, reopen, type TestUser } from '../../support/factories.ts'
import { holdPolls } from '../../support/held-polls.ts'
import { inRealm } from '../../support/inside.ts'
import { sendDirect } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { sha256Hex } from '../../support/sha256.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

/** With npm run test:shaky, D1 gets a change after several tries. */
const WAIT_FOR_D1 = { timeout: 15_000 }

const as = ({ email }: TestUser, apiKey: string) =>
  new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })
const regenerate = (api: ApiClient, params: { two_step?: boolean } = {}) =>
  api.post('/users/me/api_key/regenerate', params)
const offer = async ({ api }: Pick<TestUser, 'api'>) => {
  const { api_key, use_before } = expectSuccess(await regenerate(api, { two_step: true }))
  return { key: api_key as string, useBefore: use_before as number }
}
const statuses = async (user: TestUser, ...keys: string[]) => {
  const answers: number[] = []
  for (const key of keys) answers.push((await as(user, key).get('/users/me')).status)
  return answers
}

describe('a new key in two steps', () => {
  it('keeps the old one valid until the new one is used', async () => {
    const user = await buildUser(realm)
    const { key, useBefore } = await offer(user)
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(useBefore - Date.now() / 1_000 - world.clockOffset).toBeCloseTo(600, -1)
    expect(await statuses(user, user.apiKey, user.apiKey)).toEqual([200, 200])
    await evictRealm(realm.id)
    expect(await statuses(user, key, user.apiKey, key)).toEqual([200, 401, 200])
    const login = { username: user.email, password: 'a fine password' }
    expect(expectSuccess(await realm.anonymous.post('/fetch_api_key', login)).api_key).toBe(key)
  })

  it('returns the same key again when the answer was lost', async () => {
    const user = await buildUser(realm)
    const lost = await offer(user)
    const { key } = await offer(user)
    expect(key).toBe(lost.key)
    expect(await statuses(user, key, user.apiKey)).toEqual([200, 401])
    // A client that has used the key can begin again, with the valid one.
    const next = await offer({ api: as(user, key) })
    expect(next.key).not.toBe(key)
    expect(await statuses(user, next.key, key)).toEqual([200, 401])
  })

  it('expires when the new key is not used in time', async () => {
    const user = await buildUser(realm)
    const { key } = await offer(user)
    world.clockOffset += 570
    const again = await offer(user)
    expect(again.key).toBe(key)
    world.clockOffset += 570
    expect(await statuses(user, user.apiKey)).toEqual([200])
    world.clockOffset += 40
    expect(await statuses(user, key, user.apiKey)).toEqual([401, 200])
    const other = await offer(user)
    expect(other.key).not.toBe(key)
    expect(await statuses(user, key, other.key, user.apiKey)).toEqual([401, 200, 401])
  })

  it('ends polls with the old key when that ends, and not before', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user, { event_types: ['message'] })
    const [first] = await holdPolls([queue])
    const { key } = await offer(user)
    const sent = await sendDirect(realm.owner, [user], 'while both are good')
    expect(await first!).toMatchObject([{ type: 'message', message: { id: sent } }])
    const [second] = await holdPolls([queue])
    expect(await statuses(user, key)).toEqual([200])
    await sendDirect(realm.owner, [user], 'for the new key alone')
    expect(await second!).toEqual([])
    const params = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
    expect((await user.api.get('/events', params)).status).toBe(401)
    expectSuccess(await as(user, key).get('/events', params))
  })

  it('is void after a one-step renewal, a new password, or a deactivation', async () => {
    const user = await buildUser(realm)
    const offered = await offer(user)
    const { api_key, ...rest } = expectSuccess(await regenerate(user.api))
    expect(rest).not.toHaveProperty('use_before')
    expect(await statuses(user, offered.key, user.apiKey, api_key)).toEqual([401, 401, 200])

    const second = await offer({ api: as(user, api_key) })
    const change = { old_password: 'a fine password', new_password: 'another one', renew_api_key: true }
    const changed = expectSuccess(await as(user, api_key).patch('/settings', change)).api_key
    expect(await statuses(user, second.key, api_key, changed)).toEqual([401, 401, 200])

    const third = await offer({ api: as(user, changed) })
    expectSuccess(await realm.owner.api.delete(`/users/${user.id}`))
    expect(await statuses(user, third.key, changed)).toEqual([401, 401])
    const reopened = await reopen(realm, user)
    expect(await statuses(user, third.key, changed, reopened.apiKey)).toEqual([401, 401, 200])
  })

  it('is valid for one account of one organization, and sent to nobody else', async () => {
    const [user, other] = [await buildUser(realm), await buildUser(realm)]
    const bot = expectSuccess(await user.api.post('/bots', { full_name: 'Turner', short_name: 'turner' }))
    const asBot = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: `turner-bot@${realm.host}`,
      apiKey: bot.api_key,
    })
    const keeper = await openQueue(atLevel(user, 473), { event_types: ['realm_bot'] })
    const { key } = await offer({ api: asBot })
    expect(await statuses(other, key)).toEqual([401])
    expect(await statuses(user, key)).toEqual([401])
    const shown = async () =>
      expectSuccess(await user.api.get('/bots')).bots.find(
        (each: { user_id: number }) => each.user_id === bot.user_id,
      ).api_key
    expect([await shown(), await keeper.events()]).toEqual([bot.api_key, []])
    expectSuccess(await new ApiClient({ ...asBot, apiKey: key }).get('/users/me'))
    expect(await keeper.events()).toMatchObject([
      { op: 'update', bot: { user_id: bot.user_id, api_key: key } },
    ])
    expect(await shown()).toBe(key)
    expectRefusal(
      await realm.anonymous.post('/users/me/api_key/regenerate', { two_step: true }),
      'Not logged in: API authentication or user session required',
      { status: 401, code: 'UNAUTHORIZED' },
    )
  })

  it('is in D1 from its first use on, in place of the old one', async () => {
    const user = await buildUser(realm)
    const { key } = await offer(user)
    const known = async (isKnown: readonly [boolean, boolean]) => {
      const digests = [await sha256Hex(user.apiKey), await sha256Hex(key)]
      await vi.waitFor(async () => {
        const found = await Promise.all(
          digests.map((digest) =>
            env.DB.prepare('SELECT realm_id FROM account WHERE key_digest = ?')
              .bind(digest)
              .first('realm_id'),
          ),
        )
        expect(found).toEqual(isKnown.map((is) => (is ? realm.id : null)))
      }, WAIT_FOR_D1)
    }
    await known([true, false])
    expect(await statuses(user, key)).toEqual([200])
    await known([false, true])
  })

  it('is audited when offered and when used, and once with an Idempotency-Key', async () => {
    const user = await buildUser(realm)
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const ask = (api: ApiClient) =>
      api.request('POST', '/users/me/api_key/regenerate', { two_step: true }, { headers })
    const { api_key } = expectSuccess(await ask(user.api))
    expect(expectSuccess(await ask(user.api)).api_key).toBe(api_key)
    expect(expectSuccess(await ask(as(user, api_key))).api_key).toBe(api_key)
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { actor_id: user.id }))
    const keys = entries.filter(({ action }: { action: string }) => action.startsWith('key_'))
    expect(keys.map(({ action, details }: { action: string; details: object }) => [action, details])).toEqual(
      [
        ['key_renewed', { user_id: user.id }],
        ['key_offered', { user_id: user.id }],
      ],
    )
    // The user gets one mail, too, about the key that is valid now.
    const mails = await inRealm(realm, ({ parts: { sql } }) =>
      sql.all<{ subject: string }>(`SELECT subject FROM email WHERE recipient = ?`, user.email),
    )
    expect(mails).toHaveLength(1)
  })
})
