import { beforeAll, describe, expect, it } from 'vitest'
import { ApiClient, askWorker, type ParameterValue } from '../../support/api.ts'
import { finishExport, keepAlarmsAway } from '../../support/exports.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  type TestRealm,
  type TestUser,
} from '../../support/factories.ts'
import { changeRealm, inRealm, insertUsers } from '../../support/inside.ts'
import { insertAuditEntry } from '../../support/inside-rows.ts'
import { joinByLink } from '../../support/joining.ts'
import { sendDirect, sendTo } from '../../support/messages.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { DAY } from '../../support/times.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

interface Entry {
  readonly id: number
  readonly timestamp: number
  readonly action: string
  readonly actor_id: number | null
  readonly address: string | null
  readonly details: Record<string, unknown>
}

type Fields = Record<string, ParameterValue | undefined>

const { realm, owner, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })
/** Another organization. */
const { realm: other } = useRealm()

async function log(params: Fields = {}, of = owner): Promise<Entry[]> {
  return expectSuccess(await of.api.get('/audit_log', params)).entries
}

/** Returns the entries that `happens` adds to the log, oldest first, without their ids and times. */
async function entriesOf(happens: () => Promise<unknown>, of = owner) {
  const before = (await log({ limit: 1 }, of))[0]?.id ?? 0
  await happens()
  const entries = (await log({}, of)).filter(({ id }) => id > before).reverse()
  return entries.map(({ action, actor_id, details }) => ({ action, actor_id, details }))
}

const entryOf = (action: string, actor: TestUser | null, details: object) => ({
  action,
  actor_id: actor?.id ?? null,
  details,
})

describe('who may read it', () => {
  it('owners alone', async () => {
    const admin = await buildUser(realm, { role: 200 })
    const moderator = await buildUser(realm, { role: 300 })
    for (const user of [admin, moderator, ann, guest]) {
      const refused = await user.api.get('/audit_log')
      expectRefusal(refused, 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    }
    expectUnauthorized(await realm.anonymous.get('/audit_log'))
  })

  it('neither owners of another organization nor former owners', async () => {
    const { email, apiKey } = other.owner
    const elsewhere = new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })
    expect((await elsewhere.get('/audit_log')).status).toBe(401)
    const entries = await entriesOf(async () => {
      const second = await buildUser(other, { role: 100 })
      expect((await second.api.get('/audit_log')).status).toBe(200)
      expectSuccess(await other.owner.api.patch(`/users/${second.id}`, { role: 200 }))
      expectRefusal(await second.api.get('/audit_log'), 'Must be an organization owner', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      })
      expectSuccess(await other.owner.api.delete(`/users/${second.id}`))
      expect((await second.api.get('/audit_log')).status).toBe(401)
    })
    // Events of the other organization are not in this log.
    expect(entries).toEqual([])
  })

  it('no event about an entry goes to anyone else', async () => {
    const cat = await buildUser(realm)
    const queue = expectSuccess(await cat.api.post('/register', { event_types: ['audit_log'] }))
    await entriesOf(() => cat.api.post('/users/me/api_key/regenerate'))
    expect(queue.audit_log).toBeUndefined()
  })
})

const PASSWORD = 'a fine password'

describe('the audit log records', () => {
  it('logins by key and browser, and failed ones, whether the account exists or not', async () => {
    const fetchKey = (username: string, password: string) =>
      realm.anonymous.post('/fetch_api_key', { username, password })
    expect(
      await entriesOf(async () => {
        expectSuccess(await fetchKey(ben.email, PASSWORD))
        await fetchKey(ben.email, 'wrong')
        await fetchKey(`nobody@${realm.host}`, 'wrong')
        await post(`/accounts/login/?mobile_flow_otp=${'0'.repeat(64)}`, {
          email: ben.email,
          password: PASSWORD,
        })
        await post(`/accounts/login/?mobile_flow_otp=${'0'.repeat(64)}`, {
          email: ben.email,
          password: 'wrong',
        })
      }),
    ).toEqual([
      entryOf('login', ben, { user_id: ben.id, method: 'password' }),
      entryOf('login_failed', null, { user_id: ben.id }),
      entryOf('login_failed', null, { user_id: null }),
      entryOf('login', ben, { user_id: ben.id, method: 'password' }),
      entryOf('login_failed', null, { user_id: ben.id }),
    ])
  })

  it('no login that the rate limit refused', async () => {
    world.limited = true
    const email = `many@${realm.host}`
    const tries = await entriesOf(async () => {
      for (let n = 0; n < 8; n += 1) {
        await realm.anonymous.post('/fetch_api_key', { username: email, password: 'wrong' })
      }
    })
    expect(tries).toHaveLength(5)
  })

  it('changes of keys and passwords', async () => {
    const eve = await buildUser(realm, { name: 'Eve' })
    const bot = expectSuccess(await ben.api.post('/bots', { full_name: 'Bot', short_name: 'keyed' })).user_id
    expect(
      await entriesOf(async () => {
        expectSuccess(await ben.api.post(`/bots/${bot}/api_key/regenerate`))
        expectSuccess(
          await eve.api.patch('/settings', { old_password: PASSWORD, new_password: 'a finer password' }),
        )
        await eve.api.patch('/settings', { old_password: 'wrong', new_password: 'a third password' })
        await eve.api.patch('/settings', { twenty_four_hour_time: true })
      }),
    ).toEqual([
      entryOf('key_renewed', ben, { user_id: bot }),
      entryOf('password_changed', eve, { user_id: eve.id }),
      entryOf('login_failed', null, { user_id: eve.id, is_logged_in: true }),
    ])
  })

  it('password resets by mail', async () => {
    const fay = await buildUser(realm, { name: 'Fay' })
    await post('/accounts/password/reset/', { email: fay.email })
    const link = await mailedLink(realm, fay.email, /\/accounts\/password\/reset\/\w+/)
    expect(await entriesOf(() => post(link, { password: 'another password' }))).toEqual([
      entryOf('password_reset', fay, { user_id: fay.id }),
    ])
  })

  it('roles, deactivations and reactivations, and bots that change owner', async () => {
    const gus = await buildUser(realm, { name: 'Gus' })
    const bot = expectSuccess(
      await ben.api.post('/bots', { full_name: 'Hand', short_name: 'handed' }),
    ).user_id
    expect(
      await entriesOf(async () => {
        expectSuccess(await owner.api.patch(`/users/${gus.id}`, { role: 300, full_name: 'Gustav' }))
        expectSuccess(await owner.api.patch(`/users/${gus.id}`, { role: 300 }))
        expectSuccess(await owner.api.patch(`/users/${gus.id}`, { full_name: 'Gus again' }))
        expectSuccess(await owner.api.patch(`/bots/${bot}`, { bot_owner_id: gus.id }))
        expectSuccess(await owner.api.delete(`/users/${gus.id}`))
        expectSuccess(await owner.api.post(`/users/${gus.id}/reactivate`))
        expectRefused(await ann.api.patch(`/users/${gus.id}`, { role: 100 }))
      }),
    ).toEqual([
      entryOf('role_changed', owner, { user_id: gus.id, role: 300 }),
      entryOf('bot_owner_changed', owner, { user_id: bot, owner_id: gus.id }),
      entryOf('user_deactivated', owner, { user_id: gus.id }),
      entryOf('user_reactivated', owner, { user_id: gus.id }),
    ])
  })

  it('invitations, made, accepted and taken back', async () => {
    const entries = await entriesOf(async () => {
      const invitees = `one@${realm.host}, two@${realm.host}`
      expectSuccess(await owner.api.post('/invites', { invitee_emails: invitees, stream_ids: [] }))
      const { invite_link } = expectSuccess(await owner.api.post('/invites/multiuse', { invite_as: 600 }))
      const { invites } = expectSuccess(await owner.api.get('/invites'))
      const single = invites.find(({ is_multiuse }: { is_multiuse: boolean }) => !is_multiuse)
      await joinByLink(realm.host, invite_link, {
        email: `new@${realm.host}`,
        full_name: 'NewMember',
        password: 'a new password',
      })
      expectSuccess(await owner.api.delete(`/invites/${single.id}`))
    })
    expect(entries.map(({ action }) => action)).toEqual([
      'invitations_sent',
      'invitation_link_created',
      'user_joined',
      'invitation_revoked',
    ])
    expect(entries[0]!.details).toEqual({ addresses: 2, invite_as: 400, stream_ids: [], group_ids: [] })
    expect(entries[1]!.details).toMatchObject({ invite_as: 600 })
    expect(entries[2]!.actor_id).toBe(entries[2]!.details.user_id)
  })

  it('settings and permissions of the organization, of channels and of groups, without what was written', async () => {
    const channel = await buildChannel([owner, ann])
    const { group_id } = expectSuccess(
      await owner.api.post('/user_groups/create', {
        name: 'masons',
        description: 'secret words',
        members: [],
      }),
    )
    expect(
      await entriesOf(async () => {
        expectSuccess(await owner.api.patch('/realm', { description: 'secret words', invite_required: true }))
        expectSuccess(await owner.api.patch('/realm', { can_create_groups: { new: group_id } }))
        const members = { new: { direct_members: [ann.id], direct_subgroups: [] } }
        const changes = { is_private: true, description: 'secret words', can_add_subscribers_group: members }
        expectSuccess(await owner.api.patch(`/streams/${channel.id}`, changes))
        expectSuccess(await owner.api.patch(`/streams/${channel.id}`, { is_private: true }))
        expectSuccess(await owner.api.post(`/user_groups/${group_id}/members`, { add: [ann.id] }))
        expectSuccess(await owner.api.delete(`/streams/${channel.id}`))
      }),
    ).toEqual([
      entryOf('organization_changed', owner, { description: 'changed', invite_required: true }),
      entryOf('organization_changed', owner, { can_create_groups: group_id }),
      entryOf('channel_changed', owner, {
        stream_id: channel.id,
        description: 'changed',
        is_private: true,
        can_add_subscribers_group: JSON.stringify({ direct_members: [ann.id], direct_subgroups: [] }),
      }),
      entryOf('group_changed', owner, {
        user_group_id: group_id,
        add: [ann.id],
        delete: [],
        add_subgroups: [],
        delete_subgroups: [],
      }),
      entryOf('channel_archived', owner, { stream_id: channel.id }),
    ])
  })

  it('messages of others that are deleted, topics, and files; not one’s own messages', async () => {
    const channel = await buildChannel([owner, ben])
    const [theirs, own] = [
      await sendTo(ben, channel.id, 'walls', 'x'),
      await sendTo(owner, channel.id, 'walls', 'y'),
    ]
    for (const content of ['1', '2']) await sendTo(ben, channel.id, 'gates', content)
    const path = await upload(ben)
    const { attachments } = expectSuccess(await ben.api.get('/attachments'))
    expect(
      await entriesOf(async () => {
        expectSuccess(await owner.api.delete(`/messages/${theirs}`))
        expectSuccess(await owner.api.delete(`/messages/${own}`))
        expectSuccess(await owner.api.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'gates' }))
        expectSuccess(await ben.api.delete(`/attachments/${attachments.at(-1).id}`))
      }),
    ).toEqual([
      entryOf('message_deleted', owner, { message_id: theirs, sender_id: ben.id, stream_id: channel.id }),
      entryOf('topic_deleted', owner, { stream_id: channel.id, messages: 2 }),
      entryOf('file_deleted', ben, { attachment_id: attachments.at(-1).id }),
    ])
    expect(path).toContain('/user_uploads/')
  })

  it('exports when started, downloaded and deleted', async () => {
    let id = 0
    let url = ''
    keepAlarmsAway()
    expect(
      await entriesOf(async () => {
        id = expectSuccess(await owner.api.post('/export/realm', { export_type: 1 })).id
        url = new URL((await finishExport(realm, id)).url).pathname
        expectSuccess(await owner.api.delete(`/export/realm/${id}`))
        expect((await fetchPath(realm, url)).status).toBe(404)
      }),
    ).toEqual([
      entryOf('export_begun', owner, { export_id: id, export_type: 1 }),
      entryOf('export_downloaded', null, { export_id: id }),
      entryOf('export_deleted', owner, { export_id: id }),
    ])
  })

  it('deactivation and reactivation of the organization', async () => {
    const { realm: closing } = await buildRealm()
    const entryOf = await entriesOf(async () => {
      expectSuccess(await closing.owner.api.post('/realm/deactivate'))
      await post('/accounts/reactivate', { email: closing.owner.email }, closing)
      const link = await mailedLink(closing, closing.owner.email, /\/accounts\/reactivate\/\w+/)
      await post(link, {}, closing)
    }, closing.owner)
    expect(entryOf).toEqual([
      { action: 'organization_deactivated', actor_id: closing.owner.id, details: {} },
      { action: 'organization_reactivated', actor_id: closing.owner.id, details: {} },
    ])
  })

  it('nothing about messages people send, which cost no extra row', async () => {
    const channel = await buildChannel([owner, ann])
    expect(
      await entriesOf(async () => {
        const id = await sendTo(ann, channel.id, 'walls', 'words')
        await sendDirect(ann, [ben], 'words')
        expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'other words' }))
        expectSuccess(await ann.api.delete(`/messages/${id}`))
      }),
    ).toEqual([])
  })

  it('no refused change, and a repeated request only once', async () => {
    const key = { headers: { 'Idempotency-Key': crypto.randomUUID() } }
    const hal = await buildUser(realm, { name: 'Hal' })
    const change = () => owner.api.request('PATCH', `/users/${hal.id}`, { role: 300 }, key)
    expect(
      await entriesOf(async () => {
        expectRefused(await ann.api.delete(`/users/${hal.id}`))
        expectRefused(await owner.api.patch(`/users/${hal.id}`, { role: 300, full_name: 'x'.repeat(101) }))
        expectSuccess(await change())
        expectSuccess(await change())
      }),
    ).toEqual([entryOf('role_changed', owner, { user_id: hal.id, role: 300 })])
  })

  it('the time, and the address that a request came from', async () => {
    const ida = await buildUser(realm, { name: 'Ida' })
    const now = Math.floor(Date.now() / 1_000)
    await owner.api.request(
      'PATCH',
      `/users/${ida.id}`,
      { role: 300 },
      { headers: { 'CF-Connecting-IP': '203.0.113.9' } },
    )
    const [entry] = await log({ limit: 1 })
    expect(entry).toMatchObject({ action: 'role_changed', address: '203.0.113.9' })
    expect(entry!.timestamp - now).toBeLessThan(60)
  })
})

describe('reading the audit log', () => {
  const { realm: full } = useRealm()
  const DAYS_AGO = 30

  beforeAll(async () => {
    const at = Date.now() / 1_000 - DAYS_AGO * DAY
    await changeRealm(full, ({ sql }) => {
      sql.run('DELETE FROM audit_entry')
      for (let n = 0; n < 60; n += 1) {
        const action = n % 3 === 0 ? 'login' : 'role_changed'
        insertAuditEntry(sql, { at, action, actorId: n % 2, address: null, details: { n } })
      }
    })
  })

  it('gives pages with each entry once, newest first', async () => {
    const seen: number[] = []
    let next: number | undefined | null
    for (let pages = 0; next !== null; pages += 1) {
      expect(pages).toBeLessThan(10)
      const page = expectSuccess(await full.owner.api.get('/audit_log', { limit: 25, before: next }))
      seen.push(...page.entries.map(({ details }: Entry) => details.n as number))
      next = page.next
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n))
  })

  it('can be limited to one action or one account', async () => {
    expect(await log({ action: 'login', limit: 500 }, full.owner)).toHaveLength(20)
    expect(await log({ actor_id: 1, limit: 500 }, full.owner)).toHaveLength(30)
    const few = expectSuccess(
      await full.owner.api.get('/audit_log', { action: 'login', actor_id: 0, limit: 7 }),
    )
    expect(few.entries).toHaveLength(7)
    const rest = await log({ action: 'login', actor_id: 0, limit: 7, before: few.next }, full.owner)
    expect(rest.map(({ details }) => details.n)).toEqual([12, 6, 0])
  })

  it('refuses limits, actions and cursors that are not as declared', async () => {
    for (const bad of [{ limit: 0 }, { limit: 501 }, { limit: -1 }, { before: -1 }, { action: 'anything' }]) {
      expect((await full.owner.api.get('/audit_log', bad)).status).toBe(400)
    }
  })

  it('stops at the age that the deployment sets; housekeeping deletes older rows', async () => {
    world.settings = { AUDIT_LOG_DAYS: String(DAYS_AGO - 1) }
    expect(await log({}, full.owner)).toEqual([])
    const left = () =>
      inRealm(full, ({ parts }) => parts.sql.first<{ n: number }>('SELECT count(*) AS n FROM audit_entry')!.n)
    expect(await left()).toBe(60)
    await inRealm(full, ({ parts }) => parts.housekeeping.run(parts))
    expect(await left()).toBe(0)
  })
})

describe('nobody can fill the audit log', () => {
  it('a long list is cut to its first hundred, with its full length', async () => {
    const { realm: large } = await buildRealm()
    const members = (await insertUsers(large, 130)).map(({ id }) => id)
    const group = { name: 'many', description: '', members: [] }
    const { group_id } = expectSuccess(await large.owner.api.post('/user_groups/create', group))
    const add = () => large.owner.api.post(`/user_groups/${group_id}/members`, { add: members })
    const [entry] = await entriesOf(add, large.owner)
    expect(entry!.details).toMatchObject({ add: members.slice(0, 100), add_count: 130, delete: [] })
  })

  it('a very active account displaces only its own entries', async () => {
    const { realm: crowded } = await buildRealm()
    const [kept, own] = await changeRealm(crowded, ({ sql, now }) => {
      const entry = { at: now, action: 'login' as const, address: null, details: {} }
      for (let n = 0; n < 50; n += 1) insertAuditEntry(sql, { ...entry, actorId: 7 })
      for (let n = 0; n < 5_300; n += 1) insertAuditEntry(sql, { ...entry, actorId: null })
      const count = (where: string) =>
        sql.first<{ n: number }>(`SELECT count(*) AS n FROM audit_entry WHERE ${where}`)!.n
      return [count('actor_id = 7'), count('actor_id IS NULL')]
    })
    expect(kept).toBe(50)
    expect(own).toBeLessThanOrEqual(5_100)
  })
})

function expectRefused({ body }: { body: { result: string } }): void {
  expect(body.result).toBe('error')
}

/** Sends a form of one of our pages. */
async function post(path: string, fields: Record<string, string>, of = realm): Promise<Response> {
  const request = new Request(`http://${of.host}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  const response = await askWorker(request)
  await response.arrayBuffer()
  return response
}

/** Returns the path of the link in the newest mail to an address. */
async function mailedLink(of: TestRealm, recipient: string, link: RegExp): Promise<string> {
  const mail = await inRealm(of, ({ parts }) =>
    parts.sql.first<{ body: string }>(
      `SELECT body FROM email WHERE recipient = ? ORDER BY id DESC`,
      recipient,
    ),
  )
  return link.exec(mail!.body)![0]
}
