import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeBackup, runDueJobs, runUntil } from '../../support/backups.ts'
import { Browser } from '../../support/browsing.ts'
import { type Copy, contentsIn, copy, enter } from '../../support/copies.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { sha256Hex } from '../../support/sha256.ts'
import { DAY } from '../../support/times.ts'
import { postFiles, readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()

const READ_ONLY = 'This is a copy of a backup: it can be read, and nothing in it can be changed.'

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe('a copy of a backup', () => {
  it('shows the organization as it was, also what is gone', async () => {
    const { realm: of } = await buildRealm()
    const gone = await sendTo(of.owner, 'sandbox', 'plans', 'this goes')
    const edited = await sendTo(of.owner, 'sandbox', 'plans', 'before')
    const path = await upload(of.owner, { name: 'a.txt', content: 'the bytes' })
    await sendTo(of.owner, 'sandbox', 'plans', `[a.txt](${path})`)
    const { avatar_url } = expectSuccess(await postFiles(of.owner, '/users/me/avatar', [PNG]))
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.delete(`/messages/${gone}`))
    expectSuccess(await of.owner.api.patch(`/messages/${edited}`, { content: 'after' }))
    const made = await copy(of, backup)
    const browser = await enter(made)
    const contents = await contentsIn(browser)
    expect([contents.get(gone), contents.get(edited)]).toEqual(['this goes', 'before'])
    expect((await browser.ask('GET', path)).status).toBe(200)
    expect((await browser.ask('GET', avatar_url)).status).toBe(200)
    const { realm_copy_of, realm_name } = expectSuccess(await browser.json('POST', '/register'))
    expect(realm_copy_of).toEqual({ taken_at: expect.any(Number), until: expect.any(Number) })
    expect(realm_name).toMatch(/ \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/)
    expect(expectSuccess(await of.owner.api.get(`/messages/${edited}`)).message.content).toContain('after')
  })

  it('has files that were deleted since, and takes them with it', async () => {
    const { realm: of } = await buildRealm()
    const path = await upload(of.owner, { name: 'a.txt', content: 'the bytes' })
    await sendTo(of.owner, 'sandbox', 'plans', `[a.txt](${path})`)
    const backup = await makeBackup(of)
    const { attachments } = expectSuccess(await of.owner.api.get('/attachments'))
    expectSuccess(await of.owner.api.delete(`/attachments/${attachments[0].id}`))
    await runDueJobs(of.id)
    const isThere = (prefix: string) => env.UPLOADS.list({ prefix }).then(({ objects }) => objects.length)
    await vi.waitFor(async () => {
      world.clockOffset += 700
      await runDueJobs(of.id)
      expect(await isThere(`user_uploads/${of.id}/`)).toBe(0)
    })
    const made = await copy(of, backup)
    const browser = await enter(made)
    const answer = await browser.ask('GET', path)
    expect([answer.status, await answer.text()]).toEqual([200, 'the bytes'])
    expect(await isThere(`user_uploads/${made.id}/`)).toBe(1)
    expectSuccess(await browser.json('DELETE', '/copy'))
    await runUntil(
      made.id,
      async () => (await isThere(`user_uploads/${made.id}/`)) === 0,
      () => {
        world.clockOffset += 600
      },
    )
  })

  it('takes no changes but what its reader has read', async () => {
    const { realm: of } = await buildRealm()
    const id = await sendTo(of.owner, 'sandbox', 'plans')
    const browser = await enter(await copy(of, await makeBackup(of)))
    const refused = [
      ['POST', '/messages', { type: 'channel', to: 'sandbox', topic: 'plans', content: 'no' }],
      ['PATCH', `/messages/${id}`, { content: 'no' }],
      ['DELETE', `/messages/${id}`, {}],
      ['POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }],
      ['PATCH', '/realm', { name: 'no' }],
      ['POST', '/backups', {}],
      ['PATCH', '/settings', { full_name: 'no' }],
      ['POST', '/invites', { invitee_emails: 'a@example.com', stream_ids: [] }],
    ] as const
    for (const [method, path, params] of refused)
      expectRefusal(await browser.json(method, path, params), READ_ONLY, { code: 'READ_ONLY_COPY' })
    expectSuccess(
      await browser.json('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    )
    const { message } = expectSuccess(await browser.json('GET', `/messages/${id}`))
    expect(message.flags).toContain('starred')
  })

  it('shows its owners no channel that they may not read today', async () => {
    const { realm: of } = await buildRealm()
    const ann = await buildUser(of)
    const left = await buildChannel([ann, of.owner], { invite_only: true })
    const closed = await buildChannel([ann])
    const own = await buildChannel([of.owner, ann], { invite_only: true })
    const hidden = [
      await sendTo(ann, left.id, 'plans', 'left since'),
      await sendTo(ann, closed.id, 'plans', 'private since'),
      await sendDirect(ann, [ann], 'to herself'),
    ]
    const shown = [await sendTo(ann, own.id, 'plans', 'still in'), await sendDirect(ann, [of.owner], 'to me')]
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.delete('/users/me/subscriptions', { subscriptions: [left.name] }))
    expectSuccess(await ann.api.patch(`/streams/${closed.id}`, { is_private: true }))
    const browser = await enter(await copy(of, backup))
    for (const id of hidden) expectRefusal(await browser.json('GET', `/messages/${id}`), 'Invalid message(s)')
    for (const id of shown) expectSuccess(await browser.json('GET', `/messages/${id}`))
  })

  it('hides what a channel that protects its history today does not show', async () => {
    const { realm: of } = await buildRealm()
    const [ann, second] = [await buildUser(of), await buildUser(of, { role: 100 })]
    const channel = await buildChannel([ann, of.owner], {
      invite_only: true,
      history_public_to_subscribers: true,
    })
    const before = await sendTo(ann, channel.id, 'plans', 'before the second owner came')
    expectSuccess(
      await ann.api.post('/users/me/subscriptions', {
        subscriptions: [{ name: channel.name }],
        principals: [second.id],
      }),
    )
    const after = await sendTo(ann, channel.id, 'plans', 'after that')
    const backup = await makeBackup(of)
    expectSuccess(
      await of.owner.api.patch(`/streams/${channel.id}`, {
        is_private: true,
        history_public_to_subscribers: false,
      }),
    )
    const made = await copy(of, backup)
    const { url } = expectSuccess(await second.api.post(`/backups/${backup}/copy`))
    const browser = await enter({ host: made.host, link: url })
    expectRefusal(await browser.json('GET', `/messages/${before}`), 'Invalid message(s)')
    expectSuccess(await browser.json('GET', `/messages/${after}`))
    expectSuccess(await (await enter(made)).json('GET', `/messages/${before}`))
  })

  it('lets nobody in but today’s owners, by a link', async () => {
    const { realm: of } = await buildRealm()
    const [former, later, ann] = [
      await buildUser(of, { role: 100 }),
      await buildUser(of),
      await buildUser(of),
    ]
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.patch(`/users/${former.id}`, { role: 400 }))
    expectSuccess(await of.owner.api.patch(`/users/${later.id}`, { role: 100 }))
    const made = await copy(of, backup)
    const at = (user: TestUser) => ({
      Authorization: `Basic ${btoa(`${user.email}:${user.apiKey}`)}`,
    })
    for (const user of [of.owner, former, later, ann]) {
      const answer = await new Browser(made.host).ask('GET', '/api/v1/users/me', { headers: at(user) })
      expect(answer.status).toBe(401)
    }
    expectUnauthorized(await new Browser(made.host).json('GET', '/users/me'))
    const { url } = expectSuccess(await later.api.post(`/backups/${backup}/copy`))
    const browser = await enter({ host: made.host, link: url })
    expect(expectSuccess(await browser.json('GET', '/users/me')).user_id).toBe(later.id)
    const wrong = made.link.replace(encodeURIComponent(of.owner.email), encodeURIComponent(former.email))
    expectUnauthorized(await (await enter({ host: made.host, link: wrong })).json('GET', '/users/me'))
  })

  it('sends nothing to anybody', async () => {
    const { realm: of } = await buildRealm()
    world.settings = { ...world.settings, EMAIL_API_URL: 'https://mail.example.test/send' }
    const ann = await buildUser(of)
    expectSuccess(
      await of.owner.api.post('/scheduled_messages', {
        type: 'direct',
        to: [ann.id],
        content: 'later',
        scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + world.clockOffset + DAY,
      }),
    )
    const made = await copy(of, await makeBackup(of))
    const called = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
    const browser = await enter(made)
    const before = await contentsIn(browser)
    for (let run = 0; run < 6; run += 1) {
      world.clockOffset += DAY
      await runDueJobs(made.id)
    }
    expect(called).not.toHaveBeenCalled()
    expect(await contentsIn(browser)).toEqual(before)
  })

  it('is whole after a crash at any point', async () => {
    const { realm: of } = await buildRealm()
    const ids: number[] = []
    for (let at = 0; at < 30; at += 1) ids.push(await sendTo(of.owner, 'sandbox', 'plans', `text ${at}`))
    const backup = await makeBackup(of)
    let crashes = 0
    const made = await copy(of, backup, () => {
      crashes += 1
      world.crashAt = 'restoring'
      world.clockOffset += 1_000
    })
    expect(crashes).toBeGreaterThan(10)
    const contents = await contentsIn(await enter(made))
    expect(ids.map((id) => contents.get(id))).toEqual(ids.map((_, at) => `text ${at}`))
  })

  it('is deleted if the backup cannot be read', async () => {
    const { realm: of } = await buildRealm()
    const backup = await makeBackup(of)
    const { url } = expectSuccess(await of.owner.api.post(`/backups/${backup}/copy`))
    const { host } = new URL(url)
    const find = () =>
      env.DB.prepare(`SELECT id FROM realm WHERE host = ?`).bind(host).first<{ id: number }>()
    world.store = (call, name) => (name === 'get' ? Promise.reject(new Error('down')) : call())
    await runUntil(
      (await find())!.id,
      async () => (await find()) === null,
      () => {
        world.clockOffset += 600
      },
    )
  })

  it('is deleted on demand, or after thirty days, and the organization keeps its files', async () => {
    const { realm: of } = await buildRealm()
    const path = await upload(of.owner, { name: 'a.txt', content: 'the bytes' })
    const backup = await makeBackup(of)
    const isGone = async ({ id, host }: Copy) => {
      const row = await env.DB.prepare(`SELECT 1 FROM realm WHERE id = ?`).bind(id).first()
      return row === null && (await new Browser(host).ask('GET', '/api/v1/messages')).status !== 200
    }
    const first = await copy(of, backup)
    expectSuccess(await (await enter(first)).json('DELETE', '/copy'))
    await runUntil(
      first.id,
      () => isGone(first),
      () => {
        world.clockOffset += 600
      },
    )
    const second = await copy(of, await makeBackup(of))
    world.clockOffset += 30 * DAY
    await runUntil(second.id, () => isGone(second))
    expect(await readStatus(of, path, of.owner)).toBe(200)
    expectRefusal(await of.owner.api.delete('/copy'), 'This organization is no copy of a backup.')
  })
})

describe('a copy that the operator makes', () => {
  const ask = (body: object) =>
    new Browser(realm.host).ask('POST', '/setup/copies', { body: JSON.stringify(body) })

  async function ticketFor(host: string): Promise<string> {
    const ticket = crypto.randomUUID()
    await env.DB.prepare('INSERT INTO organization_ticket (digest, host, created_at) VALUES (?, ?, ?)')
      .bind(await sha256Hex(ticket), host, Math.floor(Date.now() / 1_000))
      .run()
    return ticket
  }

  it('is at any free host, with a ticket for it', async () => {
    const { realm: of } = await buildRealm()
    const backup_id = await makeBackup(of)
    const copy_host = `copy.${of.host}`
    const ticket = await ticketFor(copy_host)
    const answer = await ask({ ticket, host: of.host, backup_id, copy_host })
    const { realm_id } = await answer.json<{ realm_id: number }>()
    const isFilled = async () =>
      (await new Browser(copy_host).ask('GET', '/api/v1/server_settings')).status === 200
    expect(await isFilled()).toBe(false)
    await runUntil(realm_id, isFilled)
    for (const host of [of.host, realm.host]) {
      const body = { ticket: await ticketFor(host), host: of.host, backup_id, copy_host: host }
      expect(await (await ask(body)).json()).toMatchObject({
        msg: 'There is an organization at this host already.',
      })
    }
  })

  it('needs the ticket, the organization and the backup', async () => {
    const body = { host: realm.host, backup_id: 777, copy_host: `copy.${realm.host}` }
    expect((await ask({ ...body, ticket: 'wrong' })).status).toBe(401)
    const asked = async (more: object) =>
      (await ask({ ...body, ticket: await ticketFor(body.copy_host), ...more })).json()
    expect(await asked({})).toMatchObject({ msg: 'Invalid backup ID' })
    expect(await asked({ host: 'nowhere.test' })).toMatchObject({
      msg: 'There is no organization at this host.',
    })
    expect((await ask({})).status).toBe(400)
  })
})

describe('making a copy', () => {
  it.each([
    ['POST', '/backups/1/copy'],
    ['DELETE', '/copy'],
  ])('%s %s is for owners', async (method, path) => {
    const [admin, moderator, member, guest, gone] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 300 }),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
      buildUser(realm),
    ])
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, moderator, member, guest])
      expectRefusal(await api.request(method, path), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
    expectUnauthorized(await realm.anonymous.request(method, path))
    expect((await gone.api.request(method, path)).status).toBe(401)
    const headers = { Authorization: `Basic ${btoa(`${realm.owner.email}:${realm.owner.apiKey}`)}` }
    const { realm: other } = await buildRealm()
    expect((await other.anonymous.request(method, path, {}, { headers })).status).toBe(401)
  })

  it('needs a backup of the organization', async () => {
    expectRefusal(await realm.owner.api.post('/backups/777/copy'), 'Invalid backup ID')
  })
})
