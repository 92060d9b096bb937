import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { realmStub } from '../support/api.ts'
import { buildChannel, buildUser, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { holdPolls } from '../support/held-polls.ts'
import { joinByLink } from '../support/joining.ts'
import { sendDirect } from '../support/messages.ts'
import { mailedLink, postForm, visit } from '../support/pages.ts'
import { openQueue, type TestEvent } from '../support/queues.ts'
import { expectRefusal } from '../support/refusals.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

/** Ways in which servers of this API have given more by invitations and bots than their owners could give. */

const { realm, member } = useRealm({ member: 'member' })

let visitors = 0
/** Returns a new address, whose limits of mail are unused. */
function newIp(): string {
  visitors += 1
  return `203.0.113.${visitors}`
}

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
    expect(page.status === 200 || page.text.includes('This invitation has expired or was revoked.')).toBe(
      true,
    )
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
