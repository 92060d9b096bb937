import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { accountsInD1, digestOfAddress, expectSameAccounts } from '../support/accounts-in-d1.ts'
import { runAlarms } from '../support/alarms.ts'
import { ApiClient } from '../support/api.ts'
import { buildUser, createBot, expectSuccess, reopen, type TestUser } from '../support/factories.ts'
import { findingsIn } from '../support/findings.ts'
import { headOf, importArchive, runUntil } from '../support/imports.ts'
import { inRealm, insertUsers } from '../support/inside.ts'
import { sweepRealms } from '../support/inside-deployment.ts'
import { rewindSchema } from '../support/inside-schema.ts'
import { joinByLink } from '../support/joining.ts'
import { sendDirect, untilProjected } from '../support/messages.ts'
import { neverEvict } from '../support/never-evict.ts'
import { mailedLink, postForm } from '../support/pages.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { connectProvider } from '../support/scim.ts'
import { stopObject } from '../support/stop-object.ts'
import { DAY } from '../support/times.ts'
import { buildRealm, useRealmPerTest } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann } = useRealmPerTest({ ann: 'member' })
neverEvict()
useReliableD1()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})

let addresses = 0
const newAddress = () => `new-${++addresses}@elsewhere.example`

/** Returns what D1 says of an account. */
async function inD1(id: number) {
  await expectSameAccounts(realm)
  return (await accountsInD1(realm)).find(({ user_id }) => user_id === id)
}

const patch = (user: { id: number }, params: Record<string, string | number>) =>
  realm.owner.api.patch(`/users/${user.id}`, params)

/** As if an earlier build had stopped before the step that fills D1. */
const rewind = () => inRealm(realm, (_, { storage }) => rewindSchema(storage.sql, 'accounts-in-d1'))

describe('D1 has each account as it is after', () => {
  it('founding: the owner with their address, and no bot of the organization', async () => {
    const { realm: founded } = await buildRealm()
    await expectSameAccounts(founded)
    expect(await accountsInD1(founded)).toMatchObject([
      {
        user_id: founded.owner.id,
        full_name: 'Olga Owner',
        role: 100,
        kind: 'person',
        is_active: 1,
        email_digest: digestOfAddress(founded.owner.email),
      },
    ])
  })

  it('an invitation that was accepted', async () => {
    const email = newAddress()
    const sent = { invitee_emails: email, invite_as: 600, stream_ids: [] }
    expectSuccess(await realm.owner.api.post('/invites', sent))
    expect((await accountsInD1(realm)).map(({ role }) => role)).not.toContain(600)
    await postForm(await mailedLink(realm.host, email), {
      full_name: 'Gil Guest',
      password: 'a fine password',
    })
    await expectSameAccounts(realm)
    const found = (await accountsInD1(realm)).find(({ role }) => role === 600)
    expect(found).toMatchObject({ full_name: 'Gil Guest', email_digest: digestOfAddress(email) })
  })

  it('a link to join', async () => {
    const { invite_link } = expectSuccess(await realm.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    const account = { email: newAddress(), full_name: 'Lin Linked', password: 'a fine password' }
    await joinByLink(realm.host, invite_link, account)
    await expectSameAccounts(realm)
    expect((await accountsInD1(realm)).map(({ full_name }) => full_name)).toContain('Lin Linked')
  })

  it('an import, and none of it once that is undone', async () => {
    const lines = [
      headOf('test'),
      { type: 'user', id: 'u1', full_name: 'Ada Amsel', email: 'ada@example.org' },
      { type: 'user', id: 'u2', full_name: 'Cleo Cruz', deactivated: true },
      { type: 'user', id: 'b1', full_name: 'Build', is_bot: true },
    ]
    const { id } = await importArchive(realm, lines)
    await expectSameAccounts(realm)
    const before = await accountsInD1(realm)
    expect(before.slice(-3)).toMatchObject([
      { full_name: 'Ada Amsel', email_digest: digestOfAddress('ada@example.org') },
      { full_name: 'Cleo Cruz', is_active: 0, email_digest: null },
      { full_name: 'Build', kind: 'generic_bot', email_digest: null },
    ])
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    await runUntil(realm, id, 'undone')
    await expectSameAccounts(realm)
    expect(await accountsInD1(realm)).toEqual(before.slice(0, -3))
  })

  it('what an identity provider has made, changed and closed', async () => {
    const provider = await connectProvider(realm)
    const { id } = await provider.makeUser('nora@example.org')
    expect(await inD1(Number(id))).toMatchObject({ full_name: 'Nora New', is_active: 1 })
    await provider.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Nora Newer' })
    await provider.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(await inD1(Number(id))).toMatchObject({ full_name: 'Nora Newer', is_active: 0 })
  })

  it('a bot is made, and gets another key', async () => {
    const bot = await createBot(ann, 'Hook', { bot_type: 2 })
    const before = await inD1(bot.id)
    expect(before).toMatchObject({ full_name: 'Hook', kind: 'incoming_webhook', email_digest: null })
    expectSuccess(await ann.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expect((await inD1(bot.id))!.key_digest).not.toBe(before!.key_digest)
  })

  it('names and roles change', async () => {
    expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann Another' }))
    expectSuccess(await patch(ann, { role: 300 }))
    expect(await inD1(ann.id)).toMatchObject({ full_name: 'Ann Another', role: 300 })
  })

  it('an owner with bots becomes less', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const bot = await createBot(admin, 'Helper')
    expectSuccess(await patch(bot, { role: 200 }))
    expect(await inD1(bot.id)).toMatchObject({ role: 200 })
    expectSuccess(await patch(admin, { role: 400 }))
    await runAlarms(realm, 3)
    expect(await inD1(bot.id)).toMatchObject({ role: 400 })
  })

  it('an address is confirmed or changed, in any case', async () => {
    const email = newAddress()
    expectSuccess(await ann.api.patch('/settings', { email }))
    expect(await inD1(ann.id)).toMatchObject({ email_digest: digestOfAddress(ann.email) })
    await postForm(await mailedLink(realm.host, email), {})
    expect(await inD1(ann.id)).toMatchObject({ email_digest: digestOfAddress(email) })
    const capital = `Given-${newAddress()}`
    expectSuccess(await patch(ann, { new_email: capital }))
    const changed = (await inD1(ann.id))!
    expect([null, digestOfAddress(capital)]).toContain(changed.email_digest)
  })

  it('a key is made anew', async () => {
    const before = await inD1(ann.id)
    expectSuccess(await ann.api.post('/users/me/api_key/regenerate'))
    expect((await inD1(ann.id))!.key_digest).not.toBe(before!.key_digest)
  })

  it('an account is closed, opened, and erased', async () => {
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    expect(await inD1(ann.id)).toMatchObject({ is_active: 0, email_digest: digestOfAddress(ann.email) })
    await reopen(realm, ann)
    expect(await inD1(ann.id)).toMatchObject({ is_active: 1 })
    const actions = JSON.stringify({ delete_profile: true })
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`, { actions }))
    expect(await inD1(ann.id)).toMatchObject({
      full_name: 'Deleted user',
      is_active: 0,
      email_digest: null,
    })
  })
})

it('D1 lists the organization by its present name, and whether it is closed', async () => {
  const listed = async () => {
    await expectSameAccounts(realm)
    return env.DB.prepare('SELECT name, is_closed FROM realm WHERE id = ?').bind(realm.id).first()
  }
  expectSuccess(await realm.owner.api.patch('/realm', { name: 'Herons' }))
  expect(await listed()).toEqual({ name: 'Herons', is_closed: 0 })
  expectSuccess(await realm.owner.api.post('/realm/deactivate'))
  expect(await listed()).toEqual({ name: 'Herons', is_closed: 1 })
})

describe('rows of accounts', () => {
  /** Returns the rows that D1 writes while something is done, with the one of the cursor. */
  const rowsOf = async (act: () => Promise<unknown>) => {
    await expectSameAccounts(realm)
    const written = () => inRealm(realm, async (object) => (await object.projectedRows()).written)
    const before = await written()
    await act()
    await expectSameAccounts(realm)
    return (await written()) - before
  }
  const CURSOR = 1

  it('one is written for a change of an account, and none for a message', async () => {
    expect(await rowsOf(async () => expectSuccess(await patch(ann, { full_name: 'Ann Other' })))).toBe(
      1 + CURSOR,
    )
    expect(await rowsOf(async () => expectSuccess(await patch(ann, { role: 300 })))).toBe(1 + CURSOR)
    expect(await rowsOf(async () => expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`)))).toBe(
      1 + CURSOR,
    )
    const statements: string[] = []
    world.wrote = (written) => statements.push(...written.map(({ sql }) => sql))
    const id = await sendDirect(realm.owner, [realm.owner], 'hello')
    expectSuccess(await realm.owner.api.patch(`/messages/${id}`, { content: 'hello again' }))
    expectSuccess(await realm.owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
    await untilProjected(realm, [id])
    await expectSameAccounts(realm)
    expect(statements.some((sql) => sql.includes('message_body'))).toBe(true)
    expect(statements.filter((sql) => /\b(account|realm) /.test(sql))).toEqual([])
  })

  it('three are written for a new account, which D1 finds by address and key', async () => {
    expect(await rowsOf(() => insertUsers(realm, 1))).toBe(3 + CURSOR)
    expect(
      await rowsOf(async () => expectSuccess(await ann.api.post('/users/me/api_key/regenerate'))),
    ).toBeLessThanOrEqual(1 + 4 + CURSOR)
  })
})

describe('the day of the last activity', () => {
  const day = (time: number) => new Date(time * 1_000).toISOString().slice(0, 10)
  const dayOf = async ({ id }: TestUser) => {
    await expectSameAccounts(realm)
    const query = 'SELECT last_active_on FROM account WHERE realm_id = ? AND user_id = ?'
    return env.DB.prepare(query).bind(realm.id, id).first('last_active_on')
  }
  const beActive = async (user: TestUser) =>
    expectSuccess(await user.api.post('/users/me/presence', { status: 'active', ping_only: true }))

  it('is written once a day, with the number of texts, and not with requests', async () => {
    const today = Date.now() / 1_000
    await beActive(ann)
    const id = await sendDirect(ann, [ann], 'hello')
    await untilProjected(realm, [id])
    expect(await dayOf(ann)).toBeNull()
    world.clockOffset = DAY + 60
    await runAlarms(realm, 3)
    expect(await dayOf(ann)).toBe(day(today))
    expect(await dayOf(realm.owner)).toBeNull()
    const listed = await env.DB.prepare('SELECT texts, last_active_on FROM realm WHERE id = ?')
      .bind(realm.id)
      .first()
    const texts = await inRealm(realm, ({ parts }) =>
      parts.sql.value('SELECT COUNT(*) AS n FROM message_index'),
    )
    expect(listed).toEqual({ texts, last_active_on: day(today) })
    expect(await findingsIn(realm)).toEqual([])
    await env.DB.prepare(`UPDATE account SET last_active_on = '2001-01-01' WHERE realm_id = ?`)
      .bind(realm.id)
      .run()
    expect(await findingsIn(realm, true)).toMatchObject([
      { check: 'accounts', what: `user ${ann.id}`, problem: 'D1 has another day of its last activity' },
    ])
    expect(await dayOf(ann)).toBe(day(today))
  })
})

describe('all accounts come into D1', () => {
  const restart = () => inRealm(realm, (_, state) => stopObject(state, 'a new build')).catch(() => {})
  const former = async () => {
    const query = 'SELECT COUNT(*) AS n FROM api_key_digest WHERE realm_id = ?'
    return env.DB.prepare(query).bind(realm.id).first('n')
  }

  it('from an organization of before the table, as its object wakes', async () => {
    const people = await insertUsers(realm, 1_200)
    await expectSameAccounts(realm)
    // What an earlier build has left.
    await env.DB.batch([
      env.DB.prepare(
        'INSERT INTO api_key_digest SELECT key_digest, realm_id FROM account WHERE realm_id = ?',
      ).bind(realm.id),
      env.DB.prepare('DELETE FROM account WHERE realm_id = ?').bind(realm.id),
    ])
    await rewind()
    expect(await former()).toBe(people.length + 2)
    const { realm: other } = await buildRealm()
    const asStranger = new ApiClient({ host: other.host, realmId: other.id, ...ann })
    const expectStranger = async () =>
      expect((await asStranger.get('/users/me')).body.msg).toBe(
        'Account is not associated with this subdomain',
      )
    await expectStranger()
    await restart()
    let commits = 0
    world.stopsAt = (point) => point === 'committed' && ++commits === 2
    await runAlarms(realm, 8).catch(() => {})
    expect(commits, 'a crash between two commits').toBeGreaterThan(1)
    world.clockOffset += 120
    await runAlarms(realm, 8)
    await expectSameAccounts(realm)
    expect(await former()).toBe(0)
    await expectStranger()
    expect(await findingsIn(realm)).toEqual([])
  }, 60_000)

  it('with other digests of addresses once the deployment has another key', async () => {
    await expectSameAccounts(realm)
    const key = Buffer.alloc(32, 'another key').toString('base64')
    world.settings = { SECRETS_KEY: key }
    await restart()
    await runAlarms(realm, 3)
    const [owner] = await accountsInD1(realm)
    expect(owner!.email_digest).toBe(digestOfAddress(realm.owner.email, key))
  })

  /** Has the object compare its cursor with D1's, which was moved meanwhile. */
  const restored = async (kind: string) => {
    await restart()
    await inRealm(realm, ({ parts }) => parts.projector.look())
    await runAlarms(realm, 3)
    const finding = `SELECT value FROM meta WHERE key = 'd1_restored'`
    expect(await inRealm(realm, ({ parts }) => parts.sql.value<string>(finding))).toContain(`"${kind}"`)
  }

  it('after D1 was restored, also those that the log no longer has', async () => {
    await insertUsers(realm, 3)
    await expectSameAccounts(realm)
    const newest = await inRealm(realm, ({ parts }) => {
      parts.projector.saveCursors()
      const id = parts.sql.value('SELECT MAX(id) AS id FROM log')!
      parts.sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('trimmed', ?)`, id - 1)
      parts.sql.run('DELETE FROM log WHERE id < ?', id)
      return id
    })
    await env.DB.batch([
      env.DB.prepare('UPDATE projection SET applied = 1 WHERE realm_id = ?').bind(realm.id),
      env.DB.prepare('DELETE FROM account WHERE realm_id = ? AND user_id <> ?').bind(realm.id, ann.id),
      env.DB.prepare(`UPDATE account SET role = 100 WHERE realm_id = ?`).bind(realm.id),
      env.DB.prepare(`UPDATE realm SET name = 'Before' WHERE id = ?`).bind(realm.id),
    ])
    expect(newest).toBeGreaterThan(1)
    await restored('behind')
    await expectSameAccounts(realm)
    const { name } = (await env.DB.prepare('SELECT name FROM realm WHERE id = ?').bind(realm.id).first())!
    expect(name).toBe('Test')
  })

  it('after the object was restored, and none of the lost time', async () => {
    await expectSameAccounts(realm)
    await env.DB.batch([
      env.DB.prepare('UPDATE projection SET applied = applied + 1000 WHERE realm_id = ?').bind(realm.id),
      env.DB.prepare(
        `INSERT INTO account (realm_id, user_id, full_name, role, kind, is_active, joined_at, key_digest)
         VALUES (?, 9999, 'Lost', 400, 'person', 1, 1, 'x')`,
      ).bind(realm.id),
      env.DB.prepare(`UPDATE account SET full_name = 'Later' WHERE realm_id = ? AND user_id = ?`).bind(
        realm.id,
        ann.id,
      ),
    ])
    await restored('ahead')
    await expectSameAccounts(realm)
  })

  it('after an outage, in the order of the changes', async () => {
    await expectSameAccounts(realm)
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    for (const full_name of ['Ann One', 'Ann Two', 'Ann Three'])
      expectSuccess(await patch(ann, { full_name }))
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    world.d1 = (call) => call()
    world.clockOffset += 120
    expect(await inD1(ann.id)).toMatchObject({ full_name: 'Ann Three', is_active: 0 })
  })
})

it('a nightly run wakes organizations whose accounts D1 does not have', async () => {
  await expectSameAccounts(realm)
  await env.DB.prepare('DELETE FROM account WHERE realm_id = ?').bind(realm.id).run()
  await rewind()
  await inRealm(realm, (_, state) => stopObject(state, 'asleep')).catch(() => {})
  await sweepRealms(env, Date.now() / 1_000)
  await expect
    .poll(async () => (await accountsInD1(realm)).map(({ user_id }) => user_id), { timeout: 10_000 })
    .toEqual([realm.owner.id, ann.id])
})
