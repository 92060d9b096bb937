import { describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { leftAfterFirstCommit } from '../../support/commits.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, createBot, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { openQueue } from '../../support/queues.ts'
import { connectProvider, type ScimClient, type ScimResponse } from '../../support/scim.ts'
import { systemGroupId } from '../../support/system-groups.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, cat } = useRealm({ ann: 'member', ben: 'member', cat: 'guest' })

let known: Promise<ScimClient> | undefined
const provider = () => (known ??= connectProvider(realm))
const newName = () => `Group ${crypto.randomUUID()}`

function expectError({ status, body }: ScimResponse, expected: number, scimType?: string): void {
  expect({ status, type: body?.scimType, kind: body?.status }).toEqual({
    status: expected,
    type: scimType,
    kind: String(expected),
  })
}

const member = ({ id }: Pick<TestUser, 'id'>) => ({ value: String(id), type: 'User' })
const idsOf = (...users: readonly TestUser[]) => users.map(({ id }) => id).sort((a, b) => a - b)

async function makeGroup(members: readonly TestUser[], more: object = {}) {
  const scim = await provider()
  const body = { displayName: newName(), members: members.map(member), ...more }
  const made = await scim.request('POST', '/Groups', body)
  expect(made.status).toBe(201)
  return made.body
}

/** Returns the ids of a group's members, as the API has them. */
async function membersOf(id: string): Promise<number[]> {
  const { members } = expectSuccess(
    await realm.owner.api.get(`/user_groups/${id}/members`, { direct_member_only: true }),
  )
  return (members as number[]).sort((a, b) => a - b)
}

describe('making a group', () => {
  it('answers 201, and gives everybody the group', async () => {
    const queue = await openQueue(cat)
    const group = await makeGroup([ann, cat], { externalId: 'g-1' })
    expect(group).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: expect.stringMatching(/^\d+$/),
      externalId: 'g-1',
      displayName: group.displayName,
      members: idsOf(ann, cat).map((id) => member({ id })),
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `http://${realm.host}/scim/v2/Groups/${group.id}`,
        version: expect.any(String),
      },
    })
    const [added] = await queue.eventsOf('user_group', 'add')
    expect(added!.group).toMatchObject({
      id: Number(group.id),
      name: group.displayName,
      description: 'Provisioned by the identity provider (SCIM)',
      members: idsOf(ann, cat),
      creator_id: null,
      can_join_group: systemGroupId('role:nobody'),
      can_leave_group: systemGroupId('role:nobody'),
    })
    expect((await (await provider()).get(`/Groups/${group.id}`)).body).toEqual(group)
  })

  it('is refused with the name of another group, whoever created that', async () => {
    const scim = await provider()
    const { displayName } = await makeGroup([])
    const own = newName()
    expectSuccess(
      await realm.owner.api.post('/user_groups/create', { name: own, description: '', members: [] }),
    )
    for (const name of [displayName, own, own.toUpperCase(), 'role:owners']) {
      expectError(await scim.request('POST', '/Groups', { displayName: name }), 409, 'uniqueness')
    }
  })

  it.each([
    ['no name', {}],
    ['an empty name', { displayName: ' ' }],
    ['a name like that of a role', { displayName: 'role:kings' }],
    ['somebody unknown', { displayName: 'never', members: [{ value: '999999' }] }],
    ['a group in it', { displayName: 'never', members: [{ value: '9', type: 'Group' }] }],
    ['a member that is no id', { displayName: 'never', members: [{ value: 'ann' }] }],
  ])('is refused with %s, and makes nothing', async (_, body) => {
    const scim = await provider()
    expectError(await scim.request('POST', '/Groups', body), 400, 'invalidValue')
    expect((await scim.get('/Groups?filter=displayName eq "never"')).body.totalResults).toBe(0)
  })

  it('has no bots as members, which look like unknown users', async () => {
    const bot = await createBot(ann, `Bot ${crypto.randomUUID()}`)
    const scim = await provider()
    const body = { displayName: newName(), members: [{ value: String(bot.id) }] }
    expectError(await scim.request('POST', '/Groups', body), 400, 'invalidValue')
  })
})

describe('changing members', () => {
  const changes: [string, (id: number) => object, boolean][] = [
    ['add a list', (id) => ({ op: 'Add', path: 'members', value: [{ value: String(id) }] }), true],
    ['add one', (id) => ({ op: 'add', path: 'members', value: { value: String(id) } }), true],
    ['add without a path', (id) => ({ op: 'add', value: { members: [{ value: String(id) }] } }), true],
    ['remove by a filter', (id) => ({ op: 'remove', path: `members[value eq "${id}"]` }), false],
    [
      'remove by a longer filter',
      (id) => ({ op: 'remove', path: `members[value eq "0" or value eq "${id}"]` }),
      false,
    ],
    ['remove by values', (id) => ({ op: 'Remove', path: 'members', value: [{ value: String(id) }] }), false],
  ]
  it.each(changes)('%s changes that one member, and writes no message', async (_, operation, isAdded) => {
    const scim = await provider()
    const group = await makeGroup(isAdded ? [ann] : [ann, ben])
    const queue = await openQueue(ben)
    const changed = await scim.patch(`/Groups/${group.id}`, operation(ben.id))
    expect([changed.status, changed.body]).toEqual([204, undefined])
    expect(await membersOf(group.id)).toEqual(isAdded ? idsOf(ann, ben) : [ann.id])
    const events = await queue.events()
    const op = isAdded ? 'add_members' : 'remove_members'
    expect(events).toMatchObject([{ type: 'user_group', op, group_id: Number(group.id), user_ids: [ben.id] }])
    // Once more it changes nothing.
    expect((await scim.patch(`/Groups/${group.id}`, operation(ben.id))).status).toBe(204)
    expect(await membersOf(group.id)).toEqual(isAdded ? idsOf(ann, ben) : [ann.id])
  })

  it('replaces all, or removes all', async () => {
    const scim = await provider()
    const group = await makeGroup([ann, ben])
    const path = `/Groups/${group.id}`
    await scim.patch(path, { op: 'replace', path: 'members', value: [member(cat)] })
    expect(await membersOf(group.id)).toEqual([cat.id])
    await scim.request('PUT', path, { displayName: group.displayName, members: [member(ann)] })
    expect(await membersOf(group.id)).toEqual([ann.id])
    await scim.request('PUT', path, { displayName: group.displayName })
    expect(await membersOf(group.id)).toEqual([ann.id])
    await scim.patch(path, { op: 'remove', path: 'members' })
    expect(await membersOf(group.id)).toEqual([])
  })

  it('does operations in their order', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    const one = (op: string, user: TestUser) => ({ op, path: 'members', value: [member(user)] })
    await scim.patch(
      `/Groups/${group.id}`,
      one('add', ben),
      one('remove', ann),
      one('remove', ben),
      one('add', cat),
      one('add', ann),
    )
    expect(await membersOf(group.id)).toEqual(idsOf(ann, cat))
  })

  it('leaves bots and subgroups alone, and takes closed accounts', async () => {
    const scim = await provider()
    const [bot, closed] = [await createBot(ann, `Bot ${crypto.randomUUID()}`), await buildUser(realm)]
    const group = await makeGroup([ann])
    expectSuccess(await realm.owner.api.post(`/user_groups/${group.id}/members`, { add: [bot.id] }))
    expectSuccess(await realm.owner.api.delete(`/users/${closed.id}`))
    const members = [member(ben), member(closed)]
    expect(
      (await scim.patch(`/Groups/${group.id}`, { op: 'replace', path: 'members', value: members })).status,
    ).toBe(204)
    expect(await membersOf(group.id)).toEqual(idsOf(ben, bot))
    expect((await scim.get(`/Groups/${group.id}`)).body.members).toEqual(
      idsOf(ben, closed).map((id) => member({ id })),
    )
  })

  it('removes those whom the identity provider has deleted, who return without the group', async () => {
    const scim = await provider()
    const userName = `left-${crypto.randomUUID()}@${realm.host}`
    const { id } = await scim.makeUser(userName)
    const group = await makeGroup([ann])
    const path = `/Groups/${group.id}`
    const changes = [
      { op: 'replace', path: 'members', value: [member(ann)] },
      { op: 'remove', path: `members[value eq "${id}"]` },
    ]
    for (const change of changes) {
      await scim.patch(path, { op: 'add', path: 'members', value: [{ value: id }] })
      await scim.request('DELETE', `/Users/${id}`)
      expect((await scim.patch(path, change)).status).toBe(204)
      await scim.makeUser(userName)
      expect(await membersOf(group.id)).toEqual([ann.id])
    }
  })

  it('names at most so many members and operations in a request', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    const many = Array.from({ length: 10_001 }, () => member(ben))
    expectError(
      await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: many }),
      400,
      'tooMany',
    )
    const operations = Array.from({ length: 1_001 }, () => ({
      op: 'add',
      path: 'members',
      value: member(ben),
    }))
    expectError(await scim.patch(`/Groups/${group.id}`, ...operations), 400, 'tooMany')
    expect(await membersOf(group.id)).toEqual([ann.id])
  })

  it('takes 10,000 characters of filters in its paths, not counting those of one member', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    const remove = (filter: string) => ({ op: 'remove', path: `members[${filter}]` })
    const ofSeveral = Array.from({ length: 10 }, () => remove(`value eq "0"${' or value eq "0"'.repeat(19)}`))
    const many = Array.from({ length: 30 }, () => ofSeveral).flat()
    expectError(await scim.patch(`/Groups/${group.id}`, ...many, remove('value eq')), 400, 'tooMany')
    const ofOne = Array.from({ length: 900 }, () => remove('value eq "999999"'))
    expect((await scim.patch(`/Groups/${group.id}`, ...ofOne, ...ofSeveral)).status).toBe(204)
    expectError(await scim.patch(`/Users/${ann.id}`, ...many), 400, 'tooMany')
  })

  it('takes thousands of members at once, those beyond one commit too', async () => {
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own)
    const people = await insertUsers(own, 1_300)
    const members = people.map(member)
    const made = await scim.request('POST', '/Groups', { displayName: 'first', members })
    expect(made.body.members).toHaveLength(1_300)
    const other = await scim.request('POST', '/Groups', { displayName: 'second' })
    await scim.patch(`/Groups/${other.body.id}`, { op: 'add', path: 'members', value: members })
    for (const { id } of [made.body, other.body]) {
      const { members: found } = expectSuccess(await own.owner.api.get(`/user_groups/${id}/members`))
      expect(found).toHaveLength(1_300)
    }
    await scim.patch(`/Groups/${other.body.id}`, { op: 'remove', path: 'members' })
    expect((await scim.get(`/Groups/${other.body.id}`)).body.members).toEqual([])
  })

  it('waits for an addition that takes several commits, so that no removal is lost', async () => {
    keepAlarmsAway()
    const { realm: own } = await buildRealm()
    const scim = await connectProvider(own)
    const members = (await insertUsers(own, 1_010)).map(member)
    const { body: group } = await scim.request('POST', '/Groups', { displayName: 'crowd' })
    const path = `/Groups/${group.id}`
    const add = { op: 'add', path: 'members', value: members }
    const remove = { op: 'remove', path: `members[value eq "${members.at(-1)!.value}"]` }
    expect(await leftAfterFirstCommit(() => scim.patch(path, add))).toBe(true)
    const refused = await scim.patch(path, remove)
    expectError(refused, 503)
    expect(refused.headers.get('Retry-After')).toBe('1')
    await runAlarms(own, 1, 61)
    expect((await scim.patch(path, remove)).status).toBe(204)
    expect((await scim.get(path)).body.members).toEqual(members.slice(0, -1))
  })

  it.each([
    [
      'a path to a member’s value',
      { op: 'replace', path: 'members[value eq "1"].value', value: '2' },
      'mutability',
    ],
    ['a filter by something else', { op: 'remove', path: 'members[type eq "User"]' }, 'invalidFilter'],
    ['an id', { op: 'replace', path: 'id', value: '7' }, 'mutability'],
    ['a name that is removed', { op: 'remove', path: 'displayName' }, 'mutability'],
    ['another verb', { op: 'move', path: 'members' }, 'invalidSyntax'],
    ['a path that is none', { op: 'add', path: 'members[', value: [] }, 'invalidPath'],
    ['nothing to remove', { op: 'remove' }, 'noTarget'],
  ])('is refused with %s', async (_, operation, scimType) => {
    const scim = await provider()
    const group = await makeGroup([ann])
    expectError(await scim.patch(`/Groups/${group.id}`, operation), 400, scimType)
    expect((await scim.get(`/Groups/${group.id}`)).body).toEqual(group)
  })
})

describe('renaming and deleting a group', () => {
  it('notifies everybody, and is in the audit log', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    const [queue, displayName] = [await openQueue(cat), newName()]
    const renamed = await scim.patch(`/Groups/${group.id}`, {
      op: 'replace',
      value: { id: group.id, displayName },
    })
    expect(renamed.status).toBe(204)
    expect((await scim.request('DELETE', `/Groups/${group.id}`)).status).toBe(204)
    expect(await queue.eventsOf('user_group')).toMatchObject([
      { op: 'update', group_id: Number(group.id), data: { name: displayName } },
      { op: 'update', group_id: Number(group.id), data: { deactivated: true } },
    ])
    expectError(await scim.get(`/Groups/${group.id}`), 404)
    expectError(await scim.request('DELETE', `/Groups/${group.id}`), 404)
    const { entries } = expectSuccess(await realm.owner.api.get('/audit_log', { limit: 3 }))
    expect(entries).toMatchObject([
      { action: 'group_changed', actor_id: null, details: { deactivated: true, scim: true } },
      { action: 'group_changed', details: { name: 'changed', scim: true } },
      { action: 'group_created', details: { user_group_id: Number(group.id), add: [ann.id], scim: true } },
    ])
    expect(JSON.stringify(entries)).not.toContain(displayName)
  })

  it('lets the identity provider make it again, with the members that it says', async () => {
    const scim = await provider()
    const group = await makeGroup([ann, ben])
    await scim.request('DELETE', `/Groups/${group.id}`)
    const again = await makeGroup([cat], { displayName: group.displayName, externalId: 'again' })
    expect(again).toMatchObject({ id: group.id, externalId: 'again', members: [member(cat)] })
    expect(await membersOf(group.id)).toEqual([cat.id])
  })

  it('lets the identity provider make again only what it has deleted itself', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    const again = () =>
      scim.request('POST', '/Groups', { displayName: group.displayName, members: [member(cat)] })
    const path = `/user_groups/${group.id}`
    expectSuccess(await realm.owner.api.post(`${path}/deactivate`))
    expectError(await again(), 409, 'uniqueness')
    expectSuccess(await realm.owner.api.patch(path, { deactivated: false }))
    await scim.request('DELETE', `/Groups/${group.id}`)
    expectSuccess(await realm.owner.api.patch(path, { deactivated: false }))
    expectSuccess(await realm.owner.api.post(`${path}/deactivate`))
    expectError(await again(), 409, 'uniqueness')
    expect(await membersOf(group.id)).toEqual([ann.id])
  })

  it('is refused for a name that another has', async () => {
    const scim = await provider()
    const [one, other] = [await makeGroup([]), await makeGroup([])]
    const operation = { op: 'replace', path: 'displayName', value: other.displayName }
    expectError(await scim.patch(`/Groups/${one.id}`, operation), 409, 'uniqueness')
  })

  it('is refused for a group that a permission names', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    expectSuccess(await realm.owner.api.patch('/realm', { can_create_groups: { new: Number(group.id) } }))
    expectError(await scim.request('DELETE', `/Groups/${group.id}`), 409)
    expect((await scim.get(`/Groups/${group.id}`)).status).toBe(200)
    const administrators = systemGroupId('role:administrators')
    expectSuccess(await realm.owner.api.patch('/realm', { can_create_groups: { new: administrators } }))
    expect((await scim.request('DELETE', `/Groups/${group.id}`)).status).toBe(204)
  })

  it('is recorded as the last change only where something changes', async () => {
    const scim = await provider()
    const group = await makeGroup([ann], { externalId: 'same' })
    const { displayName } = group
    const path = `/Groups/${group.id}`
    const lastChange = async () => (await scim.get(path)).body.meta.lastModified
    world.clockOffset += 5
    const members = [member(ann)]
    await scim.request('PUT', path, { displayName, externalId: 'same', members })
    await scim.patch(path, { op: 'add', path: 'members', value: members })
    expect(await lastChange()).toBe(group.meta.lastModified)
    await scim.patch(path, { op: 'add', path: 'members', value: [member(ben)] })
    expect(await lastChange()).not.toBe(group.meta.lastModified)
  })

  it('leaves a group that the provider has never changed as it is', async () => {
    const scim = await provider()
    const name = newName()
    const made = { name, description: '', members: [ann.id] }
    const { group_id } = expectSuccess(await realm.owner.api.post('/user_groups/create', made))
    const path = `/Groups/${group_id}`
    const before = (await scim.get(path)).body
    await scim.patch(path, { op: 'replace', path: 'displayName', value: name })
    await scim.patch(path, { op: 'add', path: 'members', value: [member(ann)] })
    await scim.request('PUT', path, { displayName: name, members: [member(ann)] })
    expect((await scim.get(path)).body).toEqual(before)
    expect(before.meta).not.toHaveProperty('lastModified')
  })

  it('is refused if it has changed since it was read, also its members', async () => {
    const scim = await provider()
    const group = await makeGroup([ann])
    await scim.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value: [member(ben)] })
    const headers = { 'If-Match': group.meta.version }
    expectError(await scim.request('DELETE', `/Groups/${group.id}`, undefined, headers), 412)
    const { headers: now } = await scim.get(`/Groups/${group.id}?excludedAttributes=members`)
    const known = { 'If-None-Match': now.get('ETag')! }
    expect((await scim.get(`/Groups/${group.id}`, known)).status).toBe(304)
  })
})

describe('finding groups', () => {
  it('lists active groups that people or the provider have made, and none of roles', async () => {
    const scim = await provider()
    const group = await makeGroup([])
    const own = expectSuccess(
      await realm.owner.api.post('/user_groups/create', {
        name: newName(),
        description: '',
        members: [ann.id],
      }),
    ).group_id
    const { body } = await scim.get('/Groups?count=500')
    const ids = body.Resources.map(({ id }: { id: string }) => Number(id))
    expect(ids).toEqual(expect.arrayContaining([Number(group.id), own]))
    expect(ids.filter((id: number) => id <= 8)).toEqual([])
    for (const id of [systemGroupId('role:owners'), 999_999, 'x']) {
      expectError(await scim.get(`/Groups/${id}`), 404)
    }
    expectError(await scim.request('DELETE', `/Groups/${systemGroupId('role:members')}`), 404)
  })

  it('by filters, with or without members', async () => {
    const scim = await provider()
    const group = await makeGroup([ann, ben], { externalId: 'gXy' })
    const found = async (filter: string, more = '') => {
      const { body } = await scim.get(`/Groups?filter=${encodeURIComponent(filter)}${more}`)
      return body.Resources.filter((one: { id: string }) => one.id === group.id)
    }
    const finding = [
      `displayName eq "${group.displayName.toUpperCase()}"`,
      'externalId eq "gXy"',
      `id eq "${group.id}" and members eq "${ann.id}"`,
      `members[value eq "${ben.id}"] and displayName sw "group"`,
    ]
    for (const filter of finding) expect(await found(filter)).toHaveLength(1)
    expect(await found(`id eq "${group.id}" and members.value eq "${cat.id}"`)).toEqual([])
    const named = `displayName eq "${group.displayName}"`
    for (const isFound of [`ne "${ann.id}"`, `eq ${ben.id}`, 'pr', 'ne "0"']) {
      expect([isFound, await found(`${named} and members ${isFound}`)]).toEqual([isFound, [group]])
    }
    const [both, other] = [`members[value ne "${ann.id}" and value ne "${ben.id}"]`, 'members eq "0"']
    for (const none of [both, other]) expect(await found(`${named} and ${none}`)).toEqual([])
    expect(await found(`members eq "${ann.id}" and not (members eq "${cat.id}")`)).toEqual([group])
    expect(await found(`${named} and meta.lastModified eq "${group.meta.lastModified}"`)).toEqual([group])
    expectError(await scim.get('/Groups?filter=members sw "1"'), 400, 'invalidFilter')
    const [without] = await found(`externalId eq "gXy"`, '&excludedAttributes=members')
    expect(without).toEqual({ ...group, members: undefined })
    expectError(await scim.get('/Groups?filter=userName eq "x"'), 400, 'invalidFilter')
  })
})
