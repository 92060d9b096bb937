import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { ApiClient, type ApiResponse, type ParameterValue, realmStub } from '../support/api.ts'
import { finishExport, keepAlarmsAway, listedExport, startExport } from '../support/exports.ts'
import { buildChannel, buildUser, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { PNG } from '../support/images.ts'
import { inRealm } from '../support/inside.ts'
import { joinByLink } from '../support/joining.ts'
import { fromJson } from '../support/json.ts'
import { sendDirect, untilProjected } from '../support/messages.ts'
import { mailedLink, postForm, visit } from '../support/pages.ts'
import { openQueue, type TestEvent, type TestQueue } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { postBody, postFiles } from '../support/uploads.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Ways in which servers of this API have let people in, or kept them in, who should not be. */

const { realm, member } = useRealm({ member: 'member' })

let visitors = 0
/** Returns a new address, whose limits of mail are unused. */
function newIp(): string {
  visitors += 1
  return `203.0.113.${visitors}`
}

const as = (email: string, apiKey: string) =>
  new ApiClient({ host: realm.host, realmId: realm.id, email, apiKey })

async function resetPassword(user: TestUser, password = 'quite another one'): Promise<void> {
  await postForm(`http://${realm.host}/accounts/password/reset/`, { email: user.email }, newIp())
  const link = await mailedLink(realm.host, user.email)
  expect((await postForm(link, { password }, newIp())).status).toBe(200)
}

/** Returns the types of the events that a waiting poll gets for an action and a message after it. */
async function polledWhile(queue: TestQueue, act: () => Promise<unknown>): Promise<string[]> {
  const [poll] = await holdPolls([queue])
  await act()
  await sendDirect(realm.owner, [queue.user], 'not for a key that has ended')
  return (await poll!).map(({ type }) => type)
}

describe('a key that has ended', () => {
  it('is refused, and polls waiting with it get no message', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user)
    let apiKey = ''
    const types = await polledWhile(queue, async () => {
      apiKey = expectSuccess(await user.api.post('/users/me/api_key/regenerate')).api_key
    })
    expect(types).toEqual([])
    const { status } = await user.api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(status).toBe(401)
    const again = { ...user, apiKey, api: as(user.email, apiKey) }
    const params = { queue_id: queue.id, last_event_id: queue.lastEventId, dont_block: true }
    expect(expectSuccess(await again.api.get('/events', params)).events).toMatchObject([{ type: 'message' }])
  })

  it('of a bot ends the same way', async () => {
    const bot = await createBot(member, 'Leaky')
    const queue = await openQueue(bot)
    const types = await polledWhile(queue, () => member.api.post(`/bots/${bot.id}/api_key/regenerate`))
    expect(types).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
  })

  it('ends with a password that is set by mail, and so do queues and devices', async () => {
    const user = await buildUser(realm)
    const queue = await openQueue(user)
    expectSuccess(await user.api.post('/users/me/android_gcm_reg_id', { token: 'stolen' }))
    expect(await polledWhile(queue, () => resetPassword(user))).toEqual([])
    expect((await user.api.get('/users/me')).status).toBe(401)
    const login = { username: user.email, password: 'quite another one' }
    const { api_key } = expectSuccess(await realm.anonymous.post('/fetch_api_key', login))
    expect(api_key).not.toBe(user.apiKey)
    const api = as(user.email, api_key)
    const gone = await api.get('/events', { queue_id: queue.id, last_event_id: -1 })
    expect(gone.body.code).toBe('BAD_EVENT_QUEUE_ID')
    const token = await api.delete('/users/me/android_gcm_reg_id', { token: 'stolen' })
    expect(token.body.msg).toBe('Token does not exist')
  })

  it('ends with a mailed password reset, and so do address changes requested by others', async () => {
    const user = await buildUser(realm)
    const address = `thief@${realm.host}`
    expectSuccess(await user.api.patch('/settings', { email: address }))
    const link = await mailedLink(realm.host, address)
    await resetPassword(user)
    expect((await postForm(link, {})).status).toBe(404)
  })

  it('ends with a new password on request, and the caller stays logged in', async () => {
    const user = await buildUser(realm)
    const kept = expectSuccess(
      await user.api.patch('/settings', { old_password: 'a fine password', new_password: 'a second one' }),
    )
    expect(kept).not.toHaveProperty('api_key')
    expectSuccess(await user.api.get('/users/me'))
    const queue = await openQueue(user)
    const change = { old_password: 'a second one', new_password: 'a third one', renew_api_key: true }
    let apiKey = ''
    const types = await polledWhile(queue, async () => {
      apiKey = expectSuccess(await user.api.patch('/settings', change)).api_key
    })
    expect(types).toEqual([])
    expect((await user.api.get('/users/me')).status).toBe(401)
    expectSuccess(await as(user.email, apiKey).get('/users/me'))
  })
})

describe('a bot that is given to somebody else', () => {
  it('gets a new key and token, whoever gives it, and its queues end', async () => {
    const other = await buildUser(realm)
    const bot = await createBot(member, 'Handed', {
      bot_type: 3,
      payload_url: 'https://example.com/hook',
      // A webhook of this type gets no direct messages.
      interface_type: 2,
    })
    const tokenOf = async (user: TestUser) => {
      const { realm_bots } = (await openQueue(user)).snapshot
      return realm_bots.find((one: { user_id: number }) => one.user_id === bot.id)?.services[0].token
    }
    const oldToken = await tokenOf(member)
    const [old, fresh, admin] = [
      await openQueue(member),
      await openQueue(other),
      await openQueue(realm.owner),
    ]
    const queue = await openQueue(bot)
    const types = await polledWhile(queue, () =>
      realm.owner.api.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }),
    )
    expect(types).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
    const { api_key: newKey, services } = (await fresh.eventsOf('realm_bot', 'add'))[0]!.bot
    const api = as(bot.email, newKey)
    expectSuccess(await api.get('/users/me'))
    expect((await api.get('/events', { queue_id: queue.id, last_event_id: -1 })).body.code).toBe(
      'BAD_EVENT_QUEUE_ID',
    )
    expect(services[0].token).toBe(await tokenOf(other))
    expect(services[0].token).not.toBe(oldToken)
    const events = JSON.stringify(await old.events())
    expect([events.includes(newKey), events.includes(services[0].token)]).toEqual([false, false])
    expect(JSON.stringify(await admin.eventsOf('realm_bot', 'update'))).toContain(newKey)
    expect(await tokenOf(member)).toBeUndefined()
  })
})

describe('an invitation', () => {
  let names = 0
  const account = () => {
    names += 1
    return {
      email: `joined-${names}@${realm.host}`,
      full_name: `Joined ${names}`,
      password: 'a fine password',
    }
  }

  async function linkOf(inviter: TestUser, terms: Record<string, unknown> = {}): Promise<string> {
    const { invite_link } = expectSuccess(
      await inviter.api.post('/invites/multiuse', { stream_ids: [], ...(terms as { invite_as?: number }) }),
    )
    return invite_link
  }

  /** Returns the id of the new user; undefined if the link is not valid. */
  async function join(link: string): Promise<number | undefined> {
    const { email, ...fields } = account()
    const page = await joinByLink(realm.host, link, { email, ...fields }, newIp())
    expect(page.status === 200 || page.text.includes('This invitation is not valid any more.')).toBe(true)
    if (page.status !== 200) return undefined
    return expectSuccess(await realm.owner.api.get(`/users/${email}`)).user.user_id
  }

  const giveRole = async (user: TestUser, role: number) =>
    expectSuccess(await realm.owner.api.patch(`/users/${user.id}`, { role }))

  it('to a role above that of its inviter is void, and is not listed', async () => {
    const inviter = await buildUser(realm, { role: 100 })
    const links = [await linkOf(inviter, { invite_as: 100 }), await linkOf(inviter, { invite_as: 400 })]
    const mailed = account()
    expectSuccess(
      await inviter.api.post('/invites', { invitee_emails: mailed.email, invite_as: 200, stream_ids: [] }),
    )
    const queue = await openQueue(inviter)
    await giveRole(inviter, 400)
    expect(await queue.eventsOf('invites_changed')).toHaveLength(1)
    for (const link of [...links, await mailedLink(realm.host, mailed.email)]) {
      expect((await visit(link)).status).toBe(404)
      expect(await join(link)).toBeUndefined()
    }
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    expect(
      invites.filter((one: { invited_by_user_id: number }) => one.invited_by_user_id === inviter.id),
    ).toEqual([])
    // The invitation stays revoked, even if its author gets the role back.
    await giveRole(inviter, 100)
    expect(await join(links[0]!)).toBeUndefined()
  })

  it('leads to no channel or group that its inviter may no longer give', async () => {
    const inviter = await buildUser(realm)
    const secret = await buildChannel([realm.owner, inviter], { invite_only: true })
    const open = await buildChannel([realm.owner, inviter])
    const groupOf = async (name: string, holder: TestUser) => {
      const members = { can_add_members_group: { direct_members: [holder.id], direct_subgroups: [] } }
      const params = { name: `${name} ${inviter.id}`, description: '', members: [], ...members }
      return expectSuccess(await realm.owner.api.post('/user_groups/create', params)).group_id as number
    }
    const [lost, kept] = [await groupOf('lost', inviter), await groupOf('kept', inviter)]
    const { email, ...fields } = account()
    expectSuccess(
      await inviter.api.post('/invites', {
        invitee_emails: email,
        stream_ids: [secret.id, open.id],
        group_ids: [lost, kept],
      }),
    )
    const link = await mailedLink(realm.host, email)
    const subscriptions = { subscriptions: [secret.name], principals: [inviter.id] }
    expectSuccess(await realm.owner.api.delete('/users/me/subscriptions', subscriptions))
    const nobody = { new: { direct_members: [], direct_subgroups: [] } }
    expectSuccess(await realm.owner.api.patch(`/user_groups/${lost}`, { can_add_members_group: nobody }))
    expect((await postForm(link, fields, newIp())).status).toBe(200)
    const id = expectSuccess(await realm.owner.api.get(`/users/${email}`)).user.user_id
    const isIn = async (path: string, field: string) =>
      expectSuccess(await realm.owner.api.get(path))[field].includes(id)
    expect(await isIn(`/streams/${open.id}/members`, 'subscribers')).toBe(true)
    expect(await isIn(`/streams/${secret.id}/members`, 'subscribers')).toBe(false)
    expect(await isIn(`/user_groups/${kept}/members`, 'members')).toBe(true)
    expect(await isIn(`/user_groups/${lost}/members`, 'members')).toBe(false)
  })

  it('is void when its inviter may no longer invite anybody', async () => {
    const inviter = await buildUser(realm)
    const { email, ...fields } = account()
    expectSuccess(await inviter.api.post('/invites', { invitee_emails: email, stream_ids: [] }))
    const link = await mailedLink(realm.host, email)
    const { realm_user_groups } = (await openQueue(realm.owner)).snapshot
    const idOf = (name: string) => realm_user_groups.find((group: { name: string }) => group.name === name).id
    const allow = async (name: string) =>
      expectSuccess(await realm.owner.api.patch('/realm', { can_invite_users_group: { new: idOf(name) } }))
    await allow('role:administrators')
    expect((await postForm(link, fields, newIp())).status).toBe(404)
    await allow('role:members')
    expect((await postForm(link, fields, newIp())).status).toBe(200)
  })

  it('is accepted neither after it has expired nor in an organization that is closed', async () => {
    const link = await linkOf(realm.owner, { invite_expires_in_minutes: 10 })
    world.clockOffset = 601
    expect(await join(link)).toBeUndefined()
    world.clockOffset = 0
    const { realm: other } = await buildRealm()
    const { invite_link } = expectSuccess(await other.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    expectSuccess(await other.owner.api.post('/realm/deactivate'))
    expect((await visit(invite_link)).status).toBe(404)
    expect((await postForm(invite_link, account(), newIp())).status).toBe(404)
  })

  it('is refused beyond the quota of group memberships', async () => {
    const { realm: other } = await buildRealm()
    const group = { name: 'full', description: '', members: [other.owner.id] }
    const { group_id } = expectSuccess(await other.owner.api.post('/user_groups/create', group))
    const { invite_link } = expectSuccess(
      await other.owner.api.post('/invites/multiuse', { stream_ids: [], group_ids: [group_id] }),
    )
    world.settings = { QUOTAS: 'groupMembers/organization=1' }
    const { email, ...fields } = account()
    const refused = await joinByLink(other.host, invite_link, { email, ...fields }, newIp())
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('members of user groups')
    expect((await other.owner.api.get(`/users/${email}`)).status).toBe(400)
  })

  it('cannot give a role, a channel or a group beyond its inviter’s rights', async () => {
    const inviter = await buildUser(realm)
    const secret = await buildChannel([realm.owner], { invite_only: true })
    const group = {
      name: `closed ${inviter.id}`,
      description: '',
      members: [],
      can_add_members_group: { direct_members: [], direct_subgroups: [] },
      can_manage_group: { direct_members: [], direct_subgroups: [] },
    }
    const { group_id } = expectSuccess(await realm.owner.api.post('/user_groups/create', group))
    const invite = (terms: Record<string, unknown>) =>
      inviter.api.post('/invites', {
        invitee_emails: account().email,
        stream_ids: [],
        ...(terms as { invite_as?: number }),
      })
    expectRefusal(await invite({ invite_as: 100 }), 'Must be an organization owner')
    expectRefusal(await invite({ invite_as: 200 }), 'Must be an organization administrator')
    const noChannel = `Invalid channel ID ${secret.id}. No invites were sent.`
    expectRefusal(await invite({ stream_ids: [secret.id] }), noChannel)
    expectRefusal(await invite({ group_ids: [group_id] }), 'Insufficient permission')
  })

  it('of another organization opens nothing here', async () => {
    const { realm: other } = await buildRealm()
    const { invite_link } = expectSuccess(await other.owner.api.post('/invites/multiuse', { stream_ids: [] }))
    const here = invite_link.replace(other.host, realm.host)
    expect((await visit(here)).status).toBe(404)
    expect(await join(here)).toBeUndefined()
  })
})

describe('a bot', () => {
  let bots = 0
  async function buildBot(owner: TestUser, account: Record<string, string | number> = {}): Promise<TestUser> {
    bots += 1
    return await createBot(owner, `Climber ${bots}`, account)
  }

  const roleOf = async (user: TestUser) =>
    expectSuccess(await realm.owner.api.get(`/users/${user.id}`)).user.role as number

  it('raises neither its own role nor its owner’s, nor may its owner raise it', async () => {
    const owner = await buildUser(realm)
    const bot = await buildBot(owner)
    for (const [who, path] of [
      [bot, `/users/${bot.id}`],
      [bot, `/bots/${bot.id}`],
      [bot, `/users/${owner.id}`],
      [owner, `/bots/${bot.id}`],
      [owner, `/users/${bot.id}`],
      [owner, `/users/${owner.id}`],
    ] as const) {
      expect((await who.api.patch(path, { role: 100 })).status).toBe(400)
    }
    expect([await roleOf(bot), await roleOf(owner)]).toEqual([400, 400])
  })

  it('that is an administrator makes nobody an owner, invites nobody, creates no account', async () => {
    const owner = await buildUser(realm, { role: 200 })
    const bot = await buildBot(owner)
    expectSuccess(await realm.owner.api.patch(`/users/${bot.id}`, { role: 200 }))
    for (const id of [bot.id, owner.id, member.id]) {
      expect((await bot.api.patch(`/users/${id}`, { role: 100 })).status).toBe(400)
    }
    const invitation = { invitee_emails: 'somebody@example.com', stream_ids: [] }
    expect((await bot.api.post('/invites', invitation)).status).toBe(400)
    expect((await bot.api.post('/invites/multiuse', { stream_ids: [] })).status).toBe(400)
    const account = { email: `made@${realm.host}`, full_name: 'Made', password: 'a fine password' }
    expect((await bot.api.post('/users', account)).status).toBe(400)
  })

  it('keeps no right that its owner has lost', async () => {
    const owner = await buildUser(realm, { role: 200 })
    const [raised, ordinary] = [await buildBot(owner), await buildBot(owner)]
    expectSuccess(await owner.api.patch(`/users/${raised.id}`, { role: 200 }))
    expectSuccess(await realm.owner.api.patch(`/users/${owner.id}`, { role: 400 }))
    expect([await roleOf(raised), await roleOf(ordinary)]).toEqual([400, 400])
    expect((await raised.api.patch('/realm', { description: 'mine' })).status).toBe(400)
    expectSuccess(await realm.owner.api.patch(`/users/${owner.id}`, { role: 600 }))
    expect([await roleOf(raised), await roleOf(ordinary)]).toEqual([600, 600])
  })

  it('ends with its owner’s account', async () => {
    const owner = await buildUser(realm)
    const bot = await buildBot(owner)
    const queue = await openQueue(bot)
    const [poll] = await holdPolls([queue])
    expectSuccess(await realm.owner.api.delete(`/users/${owner.id}`))
    expect(await poll).toEqual([])
    expect((await bot.api.get('/users/me')).status).toBe(401)
  })

  it('posts its webhook’s answer where it was mentioned, and nowhere else', async () => {
    const open = await buildChannel([realm.owner, member])
    const hookUrl = `https://${realm.host.split('.')[0]}.hooks.example.com/in`
    const bot = await buildBot(member, { bot_type: 3, payload_url: hookUrl })
    const elsewhere = {
      type: 'stream',
      to: open.name,
      stream: open.name,
      stream_id: open.id,
      topic: 'elsewhere',
    }
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) =>
      String(url) === hookUrl
        ? Response.json({ ...elsewhere, sender_id: realm.owner.id, content: 'an answer' })
        : new Response('{}'),
    )
    const queue = await openQueue(member)
    await sendDirect(member, [bot as TestUser], 'a question')
    world.clockOffset += 1
    await runDurableObjectAlarm(realmStub(realm.id))
    const heard: TestEvent[] = []
    await vi.waitFor(async () => {
      heard.push(...(await queue.eventsOf('message')))
      expect(heard.length).toBeGreaterThanOrEqual(2)
    })
    vi.restoreAllMocks()
    expect(heard.map(({ message }) => [message.type, message.sender_id, message.content])).toEqual([
      ['private', member.id, '<p>a question</p>'],
      ['private', bot.id, '<p>an answer</p>'],
    ])
  })
})

describe('whether an address has an account', () => {
  it('can be asked ten times a day by users who want it themselves', async () => {
    const [user, hidden] = [await buildUser(realm), await buildUser(realm)]
    expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 5 }))
    const ask = async () => (await user.api.patch('/settings', { email: hidden.email })).body.msg as string
    for (let times = 1; times <= 10; times += 1) expect(await ask()).toBe('Already has an account.')
    expect(await ask()).toMatch(/^You're making too many attempts! Try again in \d+ seconds\.$/)
    const free = await user.api.patch('/settings', { email: `free-${user.id}@${realm.host}` })
    expect(free.body.msg).toMatch(/^You're making too many attempts!/)
    world.clockOffset = 86_401
    expect(await ask()).toBe('Already has an account.')
  })

  it('is not revealed by requests for the user, where it is hidden', async () => {
    const hidden = await buildUser(realm)
    expectSuccess(await hidden.api.patch('/settings', { email_address_visibility: 5 }))
    const answers = await Promise.all(
      [hidden.email, `nobody@${realm.host}`].map(async (email) => {
        const { status, body } = await member.api.get(`/users/${encodeURIComponent(email)}`)
        return JSON.stringify({ status, body }).replaceAll(email, '…')
      }),
    )
    expect(answers[0]).toBe(answers[1])
  })

  it('is revealed to nobody who may not invite or create users', async () => {
    const guest = await buildUser(realm, { role: 600 })
    for (const email of [member.email, `nobody@${realm.host}`]) {
      const invitation = await guest.api.post('/invites', { invitee_emails: email, stream_ids: [] })
      expect(invitation.body.msg).toBe('Not allowed for guest users')
      const account = { email, full_name: 'Somebody', password: 'a fine password' }
      expect((await member.api.post('/users', account)).body.msg).toBe(
        'Must be an organization administrator',
      )
    }
  })
})

describe('a link in a mail', () => {
  it('is used once, for its account, in its organization, and for nothing else', async () => {
    const user = await buildUser(realm)
    const { realm: other } = await buildRealm()
    await postForm(`http://${realm.host}/accounts/password/reset/`, { email: user.email }, newIp())
    const link = await mailedLink(realm.host, user.email)
    const set = { password: 'quite another one' }
    for (const wrong of [
      link.replace(realm.host, other.host),
      link.replace('/accounts/password/reset/', '/accounts/confirm-email/'),
      link.replace('/accounts/password/reset/', '/accounts/reactivate/'),
      link.replace('/accounts/password/reset/', '/join/'),
    ]) {
      expect(
        (await postForm(wrong, { ...set, full_name: 'Somebody', email: user.email }, newIp())).status,
      ).toBe(404)
    }
    const both = await Promise.all([postForm(link, set, newIp()), postForm(link, set, newIp())])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe('a deactivated organization', () => {
  const { realm: other } = useRealm()

  it('ends every waiting poll and stream', async () => {
    const [queue] = [await openQueue(other.owner, { event_types: ['message'] })]
    const [poll] = await holdPolls([queue])
    expectSuccess(await other.owner.api.post('/realm/deactivate'))
    expect(await poll).toEqual([])
  })
})

describe('the address of an export', () => {
  const { realm: other } = useRealm()

  it('is refused to somebody who is no longer an administrator', async () => {
    keepAlarmsAway()
    const [demoted, closed] = [await buildUser(other, { role: 200 }), await buildUser(other, { role: 100 })]
    const id = await startExport(demoted)
    const opens = async (url: string) => (await visit(url)).status
    const addresses = [(await finishExport(other, id)).url]
    const queue = await openQueue(other.owner)
    expectSuccess(await other.owner.api.patch(`/users/${demoted.id}`, { role: 400 }))
    const [event] = await queue.eventsOf('realm_export')
    addresses.push(event!.exports[0].export_url)
    expect(await Promise.all(addresses.map(opens))).toEqual([404, 200])
    expectSuccess(await other.owner.api.delete(`/users/${closed.id}`))
    addresses.push((await listedExport(other.owner, id)).export_url)
    expect(await Promise.all(addresses.map(opens))).toEqual([404, 404, 200])
    // Closing another administrator's account changes nothing.
    expectSuccess(await other.owner.api.delete(`/users/${demoted.id}`))
    expect(await opens(addresses[2]!)).toBe(200)
  })
})

describe('an id of another organization', () => {
  const { realm: theirs } = useRealm()

  it('is unknown here: of an export, field, emoji, bot, linkifier, channel or group', async () => {
    // The organization gives ids that nothing has here.
    await inRealm(theirs, (_object, { storage: { sql } }) => {
      const tables = sql.exec<{ name: string }>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`,
      )
      for (const { name } of tables.toArray()) {
        sql.exec(`DELETE FROM sqlite_sequence WHERE name = ?`, name)
        sql.exec(`INSERT INTO sqlite_sequence (name, seq) VALUES (?, 700000)`, name)
      }
    })
    const { owner } = theirs
    const make = async (path: string, params: Record<string, ParameterValue>) =>
      expectSuccess(await owner.api.post(path, params))
    const account = { full_name: 'Theirs', short_name: 'theirs' }
    const bot: number = (await make('/bots', account)).user_id
    const field: number = (await make('/realm/profile_fields', { name: 'Theirs', field_type: 1 })).id
    const pattern = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' }
    const linkifier: number = (await make('/realm/filters', pattern)).id
    const channel: number = (await make('/channels/create', { name: 'theirs', subscribers: [owner.id] })).id
    const group: number = (
      await make('/user_groups/create', { name: 'theirs', description: '', members: [] })
    ).group_id
    const exported: number = (await make('/export/realm', {})).id
    expectSuccess(await postFiles(owner, '/realm/emoji/theirs', [PNG]))
    const { emoji } = expectSuccess(await owner.api.get('/realm/emoji'))
    const code = Object.keys(emoji)[0]!
    for (const id of [bot, field, linkifier, channel, group, exported, Number(code)]) {
      expect(id).toBeGreaterThan(700_000)
    }
    const looks = [
      '/bots',
      '/realm/profile_fields',
      '/realm/linkifiers',
      '/realm/emoji',
      '/user_groups',
      '/streams',
    ]
    const state = () => Promise.all(looks.map(async (path) => expectSuccess(await owner.api.get(path))))
    const before = await state()

    const { api } = realm.owner
    const message = await sendDirect(realm.owner, [member], 'hello')
    const reaction = { emoji_name: 'theirs', emoji_code: code, reaction_type: 'realm_emoji' }
    const asked: [string, string, Record<string, ParameterValue>?][] = [
      ['DELETE', `/export/realm/${exported}`],
      ['PATCH', `/realm/profile_fields/${field}`, { name: 'Mine' }],
      ['DELETE', `/realm/profile_fields/${field}`],
      ['PATCH', '/users/me/profile_data', { data: [{ id: field, value: 'x' }] }],
      ['PATCH', `/realm/filters/${linkifier}`, pattern],
      ['DELETE', `/realm/filters/${linkifier}`],
      ['DELETE', '/realm/emoji/theirs'],
      ['POST', `/messages/${message}/reactions`, reaction],
      ['PATCH', `/bots/${bot}`, { full_name: 'Mine' }],
      ['DELETE', `/bots/${bot}`],
      ['POST', `/bots/${bot}/api_key/regenerate`],
      ['GET', `/users/${bot}`],
      ['DELETE', `/users/${bot}`],
      ['PATCH', `/streams/${channel}`, { description: 'mine' }],
      ['DELETE', `/streams/${channel}`],
      ['PATCH', `/user_groups/${group}`, { name: 'mine' }],
      ['POST', `/user_groups/${group}/members`, { add: [realm.owner.id] }],
    ]
    for (const [method, path, params = {}] of asked) {
      const theirsToo = await api.request(method, path, params)
      // An id that does not exist gives the same answer.
      const absent = await api.request(
        method,
        path.replace(/70\d{4}/, '799999'),
        fromJson(JSON.stringify(params).replaceAll(/70\d{4}/g, '799999')),
      )
      const answer = ({ status, body }: ApiResponse) =>
        JSON.stringify([status, body]).replaceAll(/7\d{5}/g, 'ID')
      expect([path, theirsToo.status >= 400]).toEqual([path, true])
      expect([path, answer(theirsToo)]).toEqual([path, answer(absent)])
    }
    expect(await state()).toEqual(before)
    expect(await listedExport(owner, exported)).toMatchObject({ deleted_timestamp: null })
  })
})

describe('a request that began before', () => {
  /** Runs a function while the organization's object waits for D1. */
  function whileLoading(act: () => Promise<unknown>): void {
    let isDone = false
    const { d1 } = world
    world.d1 = async (call, kind) => {
      if (kind === 'read' && !isDone) {
        isDone = true
        await act()
      }
      return d1(call, kind)
    }
  }

  /** Sends a message whose text only D1 has. */
  async function sentBy(author: TestUser): Promise<number> {
    // An object that wakes up reads from its log what D1 may not have.
    world.evictable = false
    const id = await sendDirect(author, [realm.owner], 'as it was')
    await untilProjected(realm, [id])
    // The object reads the text from its log until it knows that D1 has it.
    const isKnown = () =>
      inRealm(realm, ({ parts }) => {
        parts.projector.passEvents()
        return (
          parts.projector.projected === parts.sql.first<{ id: number }>('SELECT MAX(id) AS id FROM log')!.id
        )
      })
    await expect.poll(isKnown).toBe(true)
    return id
  }

  const textOf = async (id: number) =>
    expectSuccess(await realm.owner.api.get(`/messages/${id}`, { apply_markdown: false })).message.content

  it.each([
    ['the account was closed', (user: TestUser) => realm.owner.api.delete(`/users/${user.id}`)],
    ['it had a new key', (user: TestUser) => user.api.post('/users/me/api_key/regenerate')],
  ])('%s changes nothing after it', async (_what, act) => {
    const attempt = async () => {
      const user = await buildUser(realm)
      const id = await sentBy(user)
      let done: ApiResponse | undefined
      whileLoading(async () => {
        done = await act(user)
      })
      const edited = await user.api.patch(`/messages/${id}`, { content: 'as it should not be' })
      return { id, edited, done }
    }
    let { id, edited, done } = await attempt()
    // The moment may have been another organization's, whose jobs ask D1 too.
    for (let more = 0; more < 9 && !done; more += 1) ({ id, edited, done } = await attempt())
    expect(done?.status).toBe(200)
    expect(edited.status).toBe(401)
    expect(await textOf(id)).toBe('as it was')
  })

  it('its author lost the right changes nothing after it', async () => {
    const user = await buildUser(realm)
    const id = await sentBy(user)
    whileLoading(async () =>
      expectSuccess(await realm.owner.api.patch('/realm', { allow_message_editing: false })),
    )
    const edited = await user.api.patch(`/messages/${id}`, { content: 'as it should not be' })
    expectSuccess(await realm.owner.api.patch('/realm', { allow_message_editing: true }))
    expect(edited.status).toBe(400)
    expect(await textOf(id)).toBe('as it was')
  })

  it('the account was closed stores no file that was still coming', async () => {
    const user = await buildUser(realm)
    let closed: Promise<ApiResponse> | undefined
    const close = () => {
      closed = realm.owner.api.delete(`/users/${user.id}`)
    }
    const form = [
      '--x\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n',
      'Content-Type: text/plain\r\n\r\n',
    ].join('')
    const uploaded = new IdentityTransformStream()
    const writer = uploaded.writable.getWriter()
    const bytes = (text: string) => new TextEncoder().encode(text)
    const answering = postBody(user, '/user_uploads', uploaded.readable, {
      'Content-Type': 'multipart/form-data; boundary=x',
    })
    await writer.write(bytes(form))
    close()
    expectSuccess(await closed!)
    await writer.write(bytes('too late\r\n--x--\r\n'))
    await writer.close()
    expect((await answering).status).toBe(401)
    const kept = await env.UPLOADS.list({ prefix: `${realm.id}/` })
    const late = await Promise.all(kept.objects.map(async ({ key }) => (await env.UPLOADS.get(key))!.text()))
    expect(late).not.toContain('too late')
  })
})
