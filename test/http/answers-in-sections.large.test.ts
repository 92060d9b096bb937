import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ANSWERS_IN_SECTIONS } from '../../src/core/budgets.ts'
import { answerOf, INTERFACE_VERSION, type RealmAnswer, type RealmCall } from '../../src/core/call.ts'
import { BadRequestError } from '../../src/core/errors.ts'
import type { JsonText } from '../../src/core/json.ts'
import type { AnswerInSections } from '../../src/core/sections.ts'
import {
  askInSections,
  FewAtOnce,
  type WholeAnswer,
  wholeOf,
} from '../../src/http/snapshot/ask-in-sections.ts'
import { SectionCache, sectionsSent } from '../../src/http/snapshot/section-cache.ts'
import { streamAnswer } from '../../src/http/snapshot/stream-answer.ts'
import { evictRealm, type ParameterValue, realmStub } from '../support/api.ts'
import {
  buildChannel,
  buildUser,
  expectSuccess,
  reopen,
  type TestRealm,
  type TestUser,
} from '../support/factories.ts'
import { addChannels, buildBot, changeRealm, insertUsers } from '../support/inside.ts'
import { fromJson } from '../support/json.ts'
import { buildRealm, useRealm } from '../support/use-realm.ts'

const CAPABILITIES = {
  notification_settings_null: true,
  user_settings_object: true,
  archived_channels: true,
  include_deactivated_groups: true,
  user_list_incomplete: true,
}
const PARAMETERS = { client_capabilities: CAPABILITIES, include_subscribers: true, slim_presence: true }

function registration(realm: TestRealm, user: TestUser): RealmCall {
  return {
    operation: 'register-queue',
    credentials: { kind: 'basic', email: user.email, apiKey: user.api.apiKey! },
    parameters: { ok: true, value: PARAMETERS },
    source: { origin: `https://${realm.host}`, userAgent: 'Test/1', ip: '192.0.2.1' },
    host: realm.host,
  }
}

async function run(realm: TestRealm, call: RealmCall): Promise<RealmAnswer> {
  return answerOf(
    (await realmStub(realm.id).run(INTERFACE_VERSION, call)) as JsonText<RealmAnswer> | RealmAnswer,
  )
}

interface Registered {
  readonly state: Record<string, unknown>
  readonly text: string
  readonly whole: WholeAnswer
  /** The last answer of the object. */
  readonly inSections: AnswerInSections
  /** Keys of the sections that came with it. */
  readonly sent: string[]
  readonly calls: number
  readonly rowsRead: number
}

/** Registers as a Worker with this cache does. */
async function register(realm: TestRealm, user: TestUser, cache: SectionCache): Promise<Registered> {
  const sent: string[] = []
  let calls = 0
  let rowsRead = 0
  let inSections: AnswerInSections | undefined
  const ask = async (held: Float64Array) => {
    const answer = await run(realm, { ...registration(realm, user), held })
    calls += 1
    rowsRead += answer.rows.read
    inSections = answer.inSections!
    sent.push(...inSections.sent.keys)
    return answer
  }
  const { whole } = await askInSections(realm.id, ask, cache)
  const text = await textOf(whole!)
  return {
    state: comparable(fromJson(text)),
    text,
    whole: whole!,
    inSections: inSections!,
    sent: sent.filter((key) => !key.startsWith('facts ') && !key.startsWith('list ')),
    calls,
    rowsRead,
  }
}

function textOf(whole: WholeAnswer): Promise<string> {
  return new Response(streamAnswer(whole, '"result":"success"')).text()
}

/** Registers as a Worker that holds nothing. */
async function registerInFull(realm: TestRealm, user: TestUser): Promise<Record<string, unknown>> {
  const { inSections } = await run(realm, registration(realm, user))
  const sent = new Map(Array.from(sectionsSent(inSections!.sent), ({ version, bytes }) => [version, bytes]))
  const whole = await wholeOf(inSections!, (version) => sent.get(version))
  return comparable(fromJson(await textOf({ ...whole!, end: () => {} })))
}

/** Returns the state without what differs from one registration to the next. */
function comparable(state: Record<string, unknown>): Record<string, unknown> {
  const { queue_id, server_timestamp, ...rest } = state
  expect(queue_id).toBeTypeOf('string')
  return rest
}

describe('an answer in sections', () => {
  const { realm, member, guest, channel, secret } = useRealm(
    { member: 'member', guest: 'guest' },
    {
      channels: {
        channel: ['owner', 'member', 'guest'],
        secret: { subscribers: ['owner'], invite_only: true },
      },
    },
  )
  let people: TestUser[]
  let crew: number
  const caches = {
    cold: () => new SectionCache(),
    'warm, or stale': undefined,
    'that keeps hardly anything': () => new SectionCache(2_000),
  }
  const warm = new SectionCache()

  beforeAll(async () => {
    people = await insertUsers(realm, 140, channel.id)
  })

  const ok = async (asked: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await asked)
  const own = (api: TestUser['api'], settings: Record<string, ParameterValue>) =>
    ok(api.patch('/settings', settings))
  const CHANGES: Record<string, () => Promise<unknown>> = {
    'nothing at all': async () => {},
    'a name': () => own(people[3]!.api, { full_name: 'Ὀδυσσεύς 港 🚢' }),
    'who may see an address': () => own(member.api, { email_address_visibility: 3 }),
    'a role': () => ok(realm.owner.api.patch(`/users/${people[4]!.id}`, { role: 300 })),
    'a closed account': () => ok(realm.owner.api.delete(`/users/${people[130]!.id}`)),
    'an opened account': () => reopen(realm, people[130]!),
    'a status': () => ok(people[5]!.api.post('/users/me/status', { status_text: ',{"user_id":1, 🚢' })),
    'no status': () => ok(people[5]!.api.post('/users/me/status', { status_text: '' })),
    'a new account': () => buildUser(realm),
    'the name of a channel': () =>
      ok(realm.owner.api.patch(`/streams/${channel.id}`, { new_name: 'harbour' })),
    'who is in a channel': () =>
      ok(people[6]!.api.delete('/users/me/subscriptions', { subscriptions: ['harbour'] })),
    'a new channel': () => buildChannel([people[7]!, member]),
    'an archived channel': () => ok(realm.owner.api.delete(`/streams/${secret.id}`)),
    'how long it takes to become a full member': () =>
      ok(realm.owner.api.patch('/realm', { waiting_period_threshold: 3 })),
    'the name of the organization': () => ok(realm.owner.api.patch('/realm', { name: 'Harbour' })),
    'who may do something': () =>
      ok(
        realm.owner.api.patch('/realm', {
          can_create_groups: { new: { direct_members: [member.id], direct_subgroups: [] } },
        }),
      ),
    'a new group': async () => {
      const { group_id } = await ok(
        member.api.post('/user_groups/create', {
          name: 'crew',
          description: 'Sailors',
          members: [people[8]!.id, people[9]!.id],
          subgroups: [5],
          can_mention_group: { direct_members: [people[10]!.id], direct_subgroups: [] },
        }),
      )
      crew = group_id
    },
    'a group': () => ok(member.api.patch(`/user_groups/${crew}`, { name: 'crew of, "the" ship' })),
    'who is in a group': () =>
      ok(member.api.post(`/user_groups/${crew}/members`, { add: [people[11]!.id], delete: [people[8]!.id] })),
    'what a group contains': () => ok(member.api.post(`/user_groups/${crew}/subgroups`, { add: [4] })),
    'a closed account in a group': () => ok(realm.owner.api.delete(`/users/${people[9]!.id}`)),
    'a closed account in a permission of a group': () =>
      ok(realm.owner.api.delete(`/users/${people[10]!.id}`)),
    'a closed account that has made a group': () => ok(realm.owner.api.delete(`/users/${member.id}`)),
    'an opened account that has made a group': async () => {
      await reopen(realm, member)
      await reopen(realm, people[9]!)
    },
    'a deactivated group': () => ok(realm.owner.api.post(`/user_groups/${crew}/deactivate`)),
    'a domain': () =>
      ok(realm.owner.api.post('/realm/domains', { domain: 'quay.example', allow_subdomains: true })),
    'a playground': () =>
      ok(
        realm.owner.api.post('/realm/playgrounds', {
          name: 'Try',
          pygments_language: 'Python',
          url_template: 'https://try.example/{code}',
        }),
      ),
    'a folder': () =>
      ok(realm.owner.api.post('/channel_folders/create', { name: 'Docks', description: 'Ships' })),
    'what new accounts start with': () =>
      ok(realm.owner.api.patch('/realm/user_settings_defaults', { twenty_four_hour_time: true })),
  }

  it.each(Object.keys(CHANGES))(
    'equals the full one after a change of %s, whatever Worker and object have cached',
    async (what) => {
      await CHANGES[what]!()
      const users =
        what === 'a closed account that has made a group'
          ? [realm.owner, guest]
          : [realm.owner, member, guest]
      const states: Record<string, unknown>[][] = []
      for (const user of users) {
        const registered = [await registerInFull(realm, user)]
        for (const make of Object.values(caches)) {
          registered.push((await register(realm, user, make?.() ?? warm)).state)
        }
        states.push(registered)
      }
      await evictRealm(realm.id)
      for (const [at, user] of users.entries()) {
        const full = await registerInFull(realm, user)
        for (const state of states[at]!) expect(state).toEqual(full)
      }
    },
    60_000,
  )
})

describe('sections', () => {
  const { realm, member, channel } = useRealm(
    { member: 'member' },
    { channels: { channel: ['owner', 'member'] } },
  )
  let people: TestUser[]
  const cache = new SectionCache()

  beforeAll(async () => {
    people = await insertUsers(realm, 400, channel.id)
    await register(realm, member, cache)
  })

  it('that are held are not sent again, nor read while the object is awake', async () => {
    const awake = await register(realm, member, cache)
    await evictRealm(realm.id)
    const woken = await register(realm, member, cache)
    for (const { sent, calls } of [awake, woken]) expect({ sent, calls }).toEqual({ sent: [], calls: 1 })
    expect(awake.rowsRead).toBeLessThan(250)
  })

  it('that change between the turns that make them come as they have become', async () => {
    const CHANGED = 'Renamed Between'
    const { realm, owner } = await buildRealm()
    await insertUsers(realm, 400)
    const other = await buildUser(realm)
    const cache = new SectionCache()
    let isOver = false
    const registration = register(realm, owner, cache).finally(() => {
      isOver = true
    })
    for (let at = 0; !isOver; at += 1) {
      expectSuccess(await other.api.patch('/settings', { full_name: `${CHANGED} ${at}` }))
      // Test, Worker and object share a thread, whose timers fire only when nothing else is ready.
      await scheduler.wait(0)
    }
    await registration
    const after = await register(realm, owner, cache)
    const fresh = await register(realm, owner, new SectionCache())
    expect(after.state).toEqual(fresh.state)
    expect(after.text).toContain(CHANGED)
  })

  it('too large for one answer come with several', async () => {
    const { realm: long, member: reader, people: many } = await longProfiles()
    const full = await registerInFull(long, reader)
    expect(JSON.stringify(full.realm_users).length).toBeGreaterThan(7_500_000)
    const { state, calls } = await register(long, reader, new SectionCache())
    expect(state).toEqual(full)
    expect(calls).toBeGreaterThan(1)
    const { realm_users } = expectSuccess(await many[0]!.api.post('/register', { slim_presence: true }))
    expect(realm_users).toHaveLength((full.realm_users as unknown[]).length)
  })

  it('of other users remain when one user changes', async () => {
    const id = people[150]!.id
    // An object that nobody asked for ten seconds has been evicted, and reads everything again.
    await register(realm, member, cache)
    expectSuccess(await people[150]!.api.patch('/settings', { full_name: `Another Name ${Date.now()}` }))
    const { sent, rowsRead } = await register(realm, member, cache)
    const number = Math.floor(id / 128)
    expect(sent).toEqual([`users ${number} member true`])
    expect(rowsRead).toBeLessThan(250 + 3 * 128 + 20)
  })

  it('of other groups remain when one group changes', async () => {
    const build = async (name: string, members: number[]) => {
      const group = { name, description: '', members }
      return expectSuccess(await member.api.post('/user_groups/create', group)).group_id as number
    }
    const ids = people.slice(0, 300).map(({ id }) => id)
    const [all, some] = [await build('all', ids), await build('some', ids.slice(0, 9))]
    expect((await register(realm, member, cache)).sent).toEqual([`group ${all}`, `group ${some}`])
    expectSuccess(await member.api.post(`/user_groups/${some}/members`, { delete: [ids[3]!] }))
    const { sent, rowsRead } = await register(realm, member, cache)
    expect(sent).toEqual([`group ${some}`])
    expect(rowsRead).toBeLessThan(250 + 2 * 8 + 20)
  })

  it('of other channels remain when a user joins one', async () => {
    const other = await buildChannel([realm.owner])
    await register(realm, member, cache)
    const subscriptions = [{ name: other.name }]
    expectSuccess(await people[0]!.api.post('/users/me/subscriptions', { subscriptions }))
    expect((await register(realm, member, cache)).sent).toEqual([`channel ${other.id}`])
  })

  it('of channels remain when an account is closed that they do not show', async () => {
    const [maker, named, bystander] = people.slice(160, 163) as [TestUser, TestUser, TestUser]
    const bot = await buildBot(realm, maker)
    const made = await buildChannel([maker])
    const naming = await buildChannel([realm.owner])
    const settings = {
      can_send_message_group: {
        new: { direct_members: [named.id, bot.id, member.id], direct_subgroups: [] },
      },
    }
    expectSuccess(await realm.owner.api.patch(`/streams/${naming.id}`, settings))
    await changeRealm(realm, ({ sql }) => sql.run(`UPDATE channel SET settings = '{}' WHERE id = ?`, made.id))
    await register(realm, member, cache)
    const channelsSent = async () => {
      const { sent, state } = await register(realm, member, cache)
      expect(state).toEqual(await registerInFull(realm, member))
      // Whoever is closed or opened was in this one.
      return sent.filter((key) => key.startsWith('channel ') && key !== `channel ${channel.id}`)
    }
    const close = async ({ id }: TestUser) => expectSuccess(await realm.owner.api.delete(`/users/${id}`))
    const open = (user: TestUser) => reopen(realm, user)
    const [ofMade, ofNaming] = [`channel ${made.id}`, `channel ${naming.id}`]
    // A group of the same number is in the permissions of a channel.
    const { group_id } = expectSuccess(
      await realm.owner.api.post('/user_groups/create', {
        name: 'Of a number',
        description: '',
        members: [],
      }),
    )
    const numbered = people.find(({ id }) => id === group_id)!
    const ofGroup = await buildChannel([realm.owner])
    const byGroup = { can_send_message_group: { new: group_id } }
    expectSuccess(await realm.owner.api.patch(`/streams/${ofGroup.id}`, byGroup))
    await register(realm, member, cache)
    const changes: [() => Promise<unknown>, string[]][] = [
      [() => close(bystander), []],
      [() => open(bystander), []],
      [() => close(numbered), []],
      [() => open(numbered), []],
      [() => close(named), [ofNaming]],
      [() => open(named), [ofNaming]],
      // With the bot.
      [() => close(maker), [ofMade, ofNaming]],
      [() => open(maker), [ofMade]],
      [() => open(bot), [ofNaming]],
    ]
    for (const [change, sent] of changes) {
      await change()
      expect(await channelsSent()).toEqual(sent)
    }
  })

  it('contain no messages, flags, presence, settings or keys', async () => {
    const message = { type: 'stream', to: channel.id, topic: 'blocks', content: 'x' }
    // A channel's first message changes the channel.
    expectSuccess(await member.api.post('/messages', message))
    await register(realm, member, cache)
    const [person] = people
    expectSuccess(await person!.api.post('/messages', message))
    expectSuccess(await person!.api.post('/mark_all_as_read'))
    expectSuccess(await person!.api.post('/users/me/presence', { status: 'active' }))
    expectSuccess(await person!.api.patch('/settings', { twenty_four_hour_time: true }))
    const muted = [{ stream_id: channel.id, property: 'is_muted', value: true }]
    expectSuccess(await person!.api.post('/users/me/subscriptions/properties', { subscription_data: muted }))
    expectSuccess(await person!.api.post('/users/me/api_key/regenerate'))
    expect((await register(realm, member, cache)).sent).toEqual([])
  })

  it('are in all of many concurrent registrations', async () => {
    const herd = people.slice(1, 61)
    const states = await Promise.all(herd.map((user) => user.api.post('/register', { slim_presence: true })))
    const users = states.map((state) => expectSuccess(state).realm_users.length)
    const { members } = expectSuccess(await realm.owner.api.get('/users'))
    const active = members.filter(({ is_active }: { is_active: boolean }) => is_active)
    expect(new Set(users)).toEqual(new Set([active.length]))
  })
})

/** An organization of some 8 MB of users. */
async function longProfiles() {
  const { realm, member } = await buildRealm({ member: 'member' })
  const people = await insertUsers(realm, 250)
  // The contents of 64 fields of the longest kind, within the quota of all profiles.
  const value = 'x'.repeat(480)
  const profile = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [at + 1, { value }]))
  await changeRealm(realm, (tx) =>
    tx.sql.run(`UPDATE user SET profile_data = ? WHERE bot_type IS NULL`, JSON.stringify(profile)),
  )
  return { realm, member, people }
}

it('an answer in sections has channels joined, left and never joined beside each other', async () => {
  const { realm, member } = await buildRealm({ member: 'member' })
  const names = Array.from({ length: 12 }, (_, at) => `channel ${String(at).padStart(2, '0')}`)
  const ids = await addChannels(realm, names)
  const joined = [0, 1, 3, 4, 5, 8, 9, 11]
  const subscriptions = joined.map((at) => ({ name: names[at]!, color: at < 5 ? '#aa0000' : '#00aa00' }))
  expectSuccess(await member.api.post('/users/me/subscriptions', { subscriptions }))
  expectSuccess(await member.api.delete('/users/me/subscriptions', { subscriptions: [names[4]!, names[9]!] }))
  const settings = [
    { stream_id: ids[1]!, property: 'is_muted', value: true },
    { stream_id: ids[3]!, property: 'push_notifications', value: true },
    { stream_id: ids[8]!, property: 'pin_to_top', value: true },
  ]
  expectSuccess(await member.api.post('/users/me/subscriptions/properties', { subscription_data: settings }))
  const full = await registerInFull(realm, member)
  const listed = (key: string) => (full[key] as { name: string }[]).filter(({ name }) => names.includes(name))
  expect(listed('subscriptions')).toMatchObject(
    [0, 1, 3, 5, 8, 11].map((at) => ({
      name: names[at],
      color: at < 5 ? '#aa0000' : '#00aa00',
      is_muted: at === 1,
      in_home_view: at !== 1,
      push_notifications: at === 3 ? true : null,
      pin_to_top: at === 8,
    })),
  )
  expect(listed('unsubscribed')).toMatchObject([4, 9].map((at) => ({ name: names[at] })))
  const cache = new SectionCache()
  expect((await register(realm, member, cache)).state).toEqual(full)
  expect((await register(realm, member, cache)).state).toEqual(full)
})

describe('nobody gets a section that is not for them', () => {
  it('a guest gets nothing that only members see from a cache members filled', async () => {
    const { realm, member, shy, guest, secret } = await buildRealm(
      { member: 'member', shy: { email: 'shy-one@elsewhere.example' }, guest: 'guest' },
      { channels: { secret: { subscribers: ['owner'], name: 'the hidden cove', invite_only: true } } },
    )
    await shy.api.patch('/settings', { email_address_visibility: 2 })
    const cache = new SectionCache()
    const ofOwner = await register(realm, realm.owner, cache)
    const ofMember = await register(realm, member, cache)
    const ofGuest = await register(realm, guest, cache)
    expect(ofOwner.text).toContain('the hidden cove')
    expect(ofMember.text).toContain('shy-one')
    expect(ofMember.text).not.toContain('the hidden cove')
    for (const word of ['the hidden cove', 'shy-one']) expect(ofGuest.text).not.toContain(word)
    const channelOf = `channel ${secret.id}`
    expect(ofOwner.sent).toContain(channelOf)
    for (const { sent } of [ofMember, ofGuest]) expect(sent).not.toContain(channelOf)
    const versions = new Set(ofOwner.inSections.versions)
    const ofMembers = new Set(ofMember.inSections.versions)
    const common = [...ofGuest.inSections.versions].filter((version) => versions.has(version))
    expect(common.every((version) => ofMembers.has(version))).toBe(true)
  })

  it('a user who loses a right gets other sections at the next registration', async () => {
    const { realm, member, shy } = await buildRealm({
      member: 'member',
      shy: { email: 'shy-two@elsewhere.example' },
    })
    await shy.api.patch('/settings', { email_address_visibility: 2 })
    const cache = new SectionCache()
    expect((await register(realm, member, cache)).text).toContain('shy-two')
    expectSuccess(await realm.owner.api.patch(`/users/${member.id}`, { role: 600 }))
    expect((await register(realm, member, cache)).text).not.toContain('shy-two')
  })

  it('classes of viewers who see the same share bytes; other addresses are kept apart', async () => {
    const { realm, member, moderator, shy } = await buildRealm({
      member: 'member',
      moderator: 'moderator',
      shy: { email: 'shy-three@elsewhere.example' },
    })
    const cache = new SectionCache()
    const usersOf = ({ whole }: Registered) =>
      whole.sections.find((bytes) => new TextDecoder().decode(bytes).startsWith(',{"user_id":'))!
    const seen = async () => [
      usersOf(await register(realm, member, cache)),
      usersOf(await register(realm, moderator, cache)),
    ]
    const [common, same] = await seen()
    expect(same).toBe(common)
    await shy.api.patch('/settings', { email_address_visibility: 5 })
    const [ofMember, ofModerator] = await seen()
    expect(ofModerator).not.toBe(ofMember)
    const texts = [ofMember!, ofModerator!].map((bytes) => new TextDecoder().decode(bytes))
    expect(texts.map((text) => text.includes('shy-three'))).toEqual([false, true])
  })

  it('another organization gets none, nor learns what the Worker has cached', async () => {
    const [{ realm: one }, { realm: other }] = [await buildRealm(), await buildRealm()]
    const cache = new SectionCache()
    await register(one, one.owner, cache)
    expect(cache.held(other.id)).toHaveLength(0)
    const { text, sent } = await register(other, other.owner, cache)
    expect(text).not.toContain(one.host)
    expect(sent.length).toBeGreaterThan(0)
  })
})

describe('sections that a Worker holds', () => {
  const { realm, owner } = useRealm(
    {},
    { channels: { general: ['owner'], random: ['owner'], quiet: ['owner'] } },
  )

  /** Asks with changed versions of what a Worker holds. Returns the versions that are sent. */
  async function sentTo(change: (held: number[]) => number[]): Promise<readonly number[]> {
    const cache = new SectionCache()
    await register(realm, owner, cache)
    const held = Float64Array.from(change([...cache.held(realm.id)]))
    return (await run(realm, { ...registration(realm, owner), held })).inSections!.sent.versions
  }

  it('are not sent, in whatever order it holds them', async () => {
    expect(await sentTo((held) => held)).toEqual([])
    expect(await sentTo((held) => [...held.toReversed(), 1])).toEqual([])
  })

  it('are sent in another version', async () => {
    let second = 0
    const sent = await sentTo((held) => {
      second = held[1]!
      return held.with(1, second + 1)
    })
    expect(sent).toEqual([second])
  })
})

describe('a few concurrent registrations', () => {
  const limits = {
    atOnce: 2,
    waiting: 3,
    ofOne: 3,
    milliseconds: 5_000,
    turn: 60_000,
    answered: 9,
    answer: 60_000,
  }

  it('run, and the others wait for their turn', async () => {
    const few = new FewAtOnce(limits)
    let [working, maxWorking] = [0, 0]
    const work = async () => {
      const { leave } = await few.enter('ann')
      working += 1
      maxWorking = Math.max(maxWorking, working)
      await scheduler.wait(2)
      working -= 1
      leave()
    }
    await Promise.all(Array.from({ length: 5 }, work))
    expect({ maxWorking, isEmpty: few.isEmpty }).toEqual({ maxWorking: 2, isEmpty: true })
  })

  it('and those that find too many waiting get a 429 with Retry-After', async () => {
    const few = new FewAtOnce(limits)
    const leaves = await Promise.all([few.enter('ann'), few.enter('ann')])
    const waiting = [few.enter('ann'), few.enter('ann'), few.enter('ann')]
    await expect(few.enter('ann')).rejects.toMatchObject({ status: 503 })
    for (const { leave } of leaves) leave()
    for (const next of waiting) (await next).leave()
    expect(few.isEmpty).toBe(true)
  })

  it('one that never ends delays the others only up to the limit', async () => {
    const few = new FewAtOnce({ ...limits, milliseconds: 10 })
    await Promise.all([few.enter('ann'), few.enter('ann')])
    await expect(few.enter('ann')).rejects.toMatchObject({ status: 503 })
    const patient = new FewAtOnce({ ...limits, turn: 10 })
    await Promise.all([patient.enter('ann'), patient.enter('ann')])
    await expect(patient.enter('ann')).resolves.toBeDefined()
  })

  it('are asked for only when those before them have been sent', async () => {
    const { realm, owner } = await buildRealm()
    const cache = new SectionCache()
    await register(realm, owner, cache)
    // However slow the machine is, no answer is older than those that still count.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
    let asked = 0
    const ask = async (held: Float64Array) => {
      asked += 1
      return run(realm, { ...registration(realm, owner), held })
    }
    const answered: WholeAnswer[] = []
    const all = Array.from({ length: ANSWERS_IN_SECTIONS.answered + 2 }, async () => {
      answered.push((await askInSections(realm.id, ask, cache)).whole!)
    })
    while (answered.length < ANSWERS_IN_SECTIONS.answered) await scheduler.wait(5)
    await scheduler.wait(50)
    expect(asked).toBe(ANSWERS_IN_SECTIONS.answered)
    // One is read to its end, and the reader of another has gone.
    await new Response(streamAnswer(answered[0]!, '"result":"success"')).text()
    await streamAnswer(answered[1]!, '"result":"success"').cancel()
    await Promise.all(all)
    expect(asked).toBe(all.length)
    for (const { end } of answered) end()
    clock.mockRestore()
  })

  it('that lack a section after all leave nothing unread for the object to hold', async () => {
    let hasLetGo = false
    const stream = new ReadableStream({
      cancel() {
        hasLetGo = true
      },
    })
    const inSections: AnswerInSections = {
      isIncomplete: false,
      text: { length: 1, stream },
      parts: new Uint32Array(),
      versions: Float64Array.of(1),
      sent: { keys: [], versions: [], lengths: [], bytes: new Uint8Array() },
    }
    const refused: RealmAnswer = {
      outcome: { ok: false, error: new BadRequestError('No').toWire() },
      rows: { read: 0, written: 0 },
      farTrips: 0,
      nearTrips: 0,
    }
    const answers: RealmAnswer[] = [{ ...refused, inSections }, refused]
    expect(await askInSections(99, async () => answers.shift()!, new SectionCache())).toEqual({
      answer: refused,
    })
    expect(hasLetGo).toBe(true)
  })
})

describe('the cache of sections', () => {
  const bytes = (byte = 0) => new Uint8Array(1_000).fill(byte)

  it('keeps what was used most recently, within its limit of bytes', () => {
    const cache = new SectionCache(4_000)
    for (const version of [1, 2, 3]) cache.put(1, `x ${version}`, version, bytes())
    cache.noteUse(1, new Set([1]))
    cache.put(1, 'x 4', 4, bytes())
    expect(cache.size).toBeLessThanOrEqual(4_000)
    expect([1, 2, 3, 4].map((version) => cache.find(1, version) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it('evicts an organization’s own sections when that organization fills it', () => {
    const cache = new SectionCache(4_000)
    cache.put(2, 'quiet', 1, bytes())
    for (let version = 1; version <= 20; version += 1) cache.put(1, `x ${version}`, version, bytes())
    expect(cache.find(2, 1)).toBeDefined()
    expect(cache.find(1, 20)).toBeDefined()
    expect(cache.size).toBeLessThanOrEqual(4_000)
  })

  it('has one version of each section', () => {
    const cache = new SectionCache()
    cache.put(1, 'x', 1, bytes())
    const { size } = cache
    cache.put(1, 'x', 2, bytes())
    expect(cache.size).toBe(size)
    expect([...cache.held(1)]).toEqual([2])
  })

  it('holds equal sections once, until the last of them is dropped', () => {
    const cache = new SectionCache(10_000)
    cache.put(1, 'members', 1, bytes(7))
    const first = cache.find(1, 1)
    const { size } = cache
    cache.put(1, 'guests', 1, bytes(7))
    expect(cache.find(1, 1)).toBe(first)
    expect(cache.size - size).toBeLessThan(500)
    cache.put(1, 'members', 3, bytes(8))
    expect(cache.find(1, 1)).toBe(first)
    cache.put(1, 'guests', 3, bytes(8))
    expect([...cache.held(1)]).toEqual([3])
    expect(cache.size - size).toBeLessThan(500)
  })

  it('stays within its bytes while equal sections come and go', () => {
    const cache = new SectionCache(4_000)
    for (let at = 0; at < 300; at += 1) {
      cache.put(
        1 + (at % 2),
        `class ${(at * 7) % 5} ${(at * 3) % 4}`,
        Math.floor(at / 30) + (at % 3),
        bytes(),
      )
      expect(cache.size).toBeLessThanOrEqual(4_000)
    }
    for (let at = 10; at < 20; at += 1) cache.put(1, `last ${at}`, at + 1_000, bytes())
    const count = cache.held(1).length + cache.held(2).length
    expect(cache.size).toBe(count * 1_300)
  })

  it('stores nothing larger than itself, and forgets organizations without sections', () => {
    const cache = new SectionCache(1_400)
    cache.put(1, 'x', 1, new Uint8Array(5_000))
    expect(cache.held(1)).toHaveLength(0)
    cache.put(1, 'x', 1, bytes())
    cache.put(2, 'x', 1, bytes())
    expect([cache.held(1).length, cache.held(2).length]).toEqual([0, 1])
  })
})
