import { beforeEach, describe, expect, it } from 'vitest'
import { ApiClient, type ParameterValue } from '../../support/api.ts'
import { countRows } from '../../support/counted-rows.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { insertUsers } from '../../support/inside.ts'
import { fromJson } from '../../support/json.ts'
import { openQueue, type TestQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, admin, ann, guest } = useRealm({ admin: 'administrator', ann: 'member', guest: 'guest' })

type Params = Record<string, ParameterValue | undefined>

const SHORT = 1
const LONG = 2
const SELECT = 3
const DATE = 4
const URL_TYPE = 5
const USER = 6
const EXTERNAL = 7
const PRONOUNS = 8

let fields = 0

function create(field_type: number, params: Params = {}) {
  fields += 1
  return admin.api.post('/realm/profile_fields', { name: `Field ${fields}`, field_type, ...params })
}

async function createField(field_type: number, params: Params = {}): Promise<number> {
  return expectSuccess(await create(field_type, params)).id
}

async function list(user = guest): Promise<(Params & { id: number })[]> {
  return expectSuccess(await user.api.get('/realm/profile_fields')).custom_fields
}

function say(user: TestUser, id: number, value: ParameterValue) {
  return user.api.patch('/users/me/profile_data', { data: [{ id, value }] })
}

async function profileOf(user: TestUser, viewer = admin) {
  const view = { include_custom_profile_fields: true }
  return expectSuccess(await viewer.api.get(`/users/${user.id}`, view)).user.profile_data
}

async function fieldsIn(queue: TestQueue) {
  return (await queue.eventsOf('realm_user', 'update')).map(({ person }) => person)
}

beforeEach(async () => {
  for (const { id } of await list()) expectSuccess(await admin.api.delete(`/realm/profile_fields/${id}`))
})

describe('profile fields', () => {
  it('can be created, are sent to everybody, and listed in order', async () => {
    const queue = await openQueue(guest)
    const id = await createField(SHORT, { name: ' Phone ', hint: ' with country code ' })
    const second = await createField(PRONOUNS, {
      name: 'Pronouns',
      display_in_profile_summary: true,
      required: true,
      editable_by_user: false,
      use_for_user_matching: true,
    })
    const expected = [
      {
        id,
        name: 'Phone',
        type: SHORT,
        hint: 'with country code',
        field_data: '',
        order: 1,
        required: false,
        editable_by_user: true,
        use_for_user_matching: false,
      },
      {
        id: second,
        name: 'Pronouns',
        type: PRONOUNS,
        hint: '',
        field_data: '',
        order: 2,
        required: true,
        editable_by_user: false,
        use_for_user_matching: true,
        display_in_profile_summary: true,
      },
    ]
    expect(await list()).toEqual(expected)
    expect((await queue.eventsOf('custom_profile_fields'))[1]!.fields).toEqual(expected)
    const { snapshot } = await openQueue(ann)
    expect(snapshot.custom_profile_fields).toEqual(expected)
    expect(snapshot.custom_profile_field_types.SELECT).toEqual({ id: SELECT, name: 'List of options' })
  })

  it('can be changed and reordered', async () => {
    const first = await createField(SHORT)
    const second = await createField(LONG)
    const queue = await openQueue(ann)
    const changes = { name: 'Motto', hint: 'short', required: true, use_for_user_matching: true }
    expectSuccess(await admin.api.patch(`/realm/profile_fields/${first}`, changes))
    expect((await queue.eventsOf('custom_profile_fields'))[0]!.fields[0]).toMatchObject(changes)
    expectSuccess(await admin.api.patch('/realm/profile_fields', { order: [second, first] }))
    expect((await queue.eventsOf('custom_profile_fields'))[0]!.fields).toMatchObject([
      { id: second, order: 1 },
      { id: first, order: 2 },
    ])
    for (const order of [[first], [first, first], [first, second, 0]]) {
      expectRefusal(await admin.api.patch('/realm/profile_fields', { order }), 'Invalid order mapping.')
    }
    expectRefusal(await admin.api.patch('/realm/profile_fields/999', changes), 'Field id 999 not found.')
    expectRefusal(await admin.api.delete('/realm/profile_fields/999'), 'Field id 999 not found.')
  })

  it('for pronouns are short texts to mobile clients that are older than them', async () => {
    const id = await createField(PRONOUNS)
    for (const [userAgent, type] of [
      ['ZulipMobile/27.191 (Android 12)', SHORT],
      ['ZulipMobile/27.192 (Android 12)', PRONOUNS],
      ['ZulipMobile/9.3', SHORT],
      ['ZulipMobile/200.1', PRONOUNS],
      ['ZulipElectron/5.0', PRONOUNS],
    ] as const) {
      const queue = await openQueue(await buildUser(realm, { userAgent }))
      expect(queue.snapshot.custom_profile_fields).toContainEqual(expect.objectContaining({ id, type }))
      expectSuccess(await admin.api.patch(`/realm/profile_fields/${id}`, { hint: userAgent }))
      const [event] = await queue.eventsOf('custom_profile_fields')
      expect(event?.fields).toContainEqual(expect.objectContaining({ id, type, hint: userAgent }))
    }
    expectSuccess(await admin.api.delete(`/realm/profile_fields/${id}`))
  })

  it('need unique names', async () => {
    await createField(SHORT, { name: 'Phone' })
    expectRefusal(await create(SHORT, { name: ' ' }), 'Label cannot be blank.')
    expectRefusal(await create(LONG, { name: 'Phone' }), 'A field with that label already exists.')
    expectRefusal(await create(SHORT, { name: 'x'.repeat(41) }), 'name is too long (limit: 40 characters)')
    expectRefusal(await create(SHORT, { hint: 'x'.repeat(81) }), 'hint is too long (limit: 80 characters)')
    const other = await createField(SHORT)
    expectRefusal(
      await admin.api.patch(`/realm/profile_fields/${other}`, { name: 'Phone' }),
      'A field with that label already exists.',
    )
  })

  it('need a known type, and at most two are in the summary', async () => {
    for (const type of [0, 9]) expectRefusal(await create(type), 'Invalid field type.')
    expectRefusal(
      await create(USER, { display_in_profile_summary: true }),
      'Field type not supported for display in profile summary.',
    )
    await createField(LONG, { display_in_profile_summary: true })
    const second = await createField(DATE, { display_in_profile_summary: true })
    expectRefusal(
      await create(SHORT, { display_in_profile_summary: true }),
      'Only 2 custom profile fields can be displayed in the profile summary.',
    )
    expectSuccess(
      await admin.api.patch(`/realm/profile_fields/${second}`, { display_in_profile_summary: true }),
    )
  })

  it('with choices need at least one, all different', async () => {
    expectRefusal(await create(SELECT), 'Field must have at least one choice.')
    expectRefusal(await create(SELECT, { field_data: {} }), 'Field must have at least one choice.')
    const two = (first: string, second: string) => ({
      a: { text: first, order: '1' },
      b: { text: second, order: '2' },
    })
    expectRefusal(
      await create(SELECT, { field_data: two('Vim', 'Vim') }),
      'Field must not have duplicate choices.',
    )
    await createField(SELECT, { field_data: two('Vim', 'Emacs') })
    expect(fromJson(String((await list())[0]!.field_data))).toEqual(two('Vim', 'Emacs'))
  })

  it('for external accounts name a known site or a URL pattern', async () => {
    const id = await createField(EXTERNAL, { name: '', field_data: { subtype: 'github' } })
    expect((await list())[0]).toMatchObject({ name: 'GitHub username', field_data: '{"subtype":"github"}' })
    expectRefusal(
      await admin.api.patch(`/realm/profile_fields/${id}`, { name: 'Hub' }),
      'Default custom field cannot be updated.',
    )
    expectSuccess(await admin.api.patch(`/realm/profile_fields/${id}`, { required: true }))
    const custom = (url_pattern?: string) =>
      create(EXTERNAL, { field_data: { subtype: 'custom', ...(url_pattern ? { url_pattern } : {}) } })
    expectRefusal(await custom(), 'Custom external account must define URL pattern')
    expectRefusal(await custom('https://example.com/'), "URL pattern must contain '%(username)s'.")
    expectRefusal(await custom('javascript:%(username)s'), 'url_pattern is not a URL')
    expectRefusal(
      await create(EXTERNAL, { field_data: { subtype: 'myspace' } }),
      'Invalid external account type',
    )
    expectSuccess(await custom('https://example.com/%(username)s'))
  })

  it('can be changed by administrators alone', async () => {
    const id = await createField(SHORT)
    const role = { code: 'UNAUTHORIZED_PRINCIPAL' }
    const text = 'Must be an organization administrator'
    for (const user of [ann, guest]) {
      const path = '/realm/profile_fields'
      expectRefusal(await user.api.post(path, { name: 'Mine', field_type: SHORT }), text, role)
      expectRefusal(await user.api.patch(`${path}/${id}`, { name: 'Mine' }), text, role)
      expectRefusal(await user.api.delete(`${path}/${id}`), text, role)
      expectRefusal(await user.api.patch(path, { order: [id] }), text, role)
    }
    expectUnauthorized(await realm.anonymous.get('/realm/profile_fields'))
  })
})

describe('a value in a profile', () => {
  it('is sent to everybody, with HTML where it is Markdown, and can be removed', async () => {
    const short = await createField(SHORT)
    const date = await createField(DATE)
    const queue = await openQueue(guest)
    const data = [
      { id: short, value: '*me*' },
      { id: date, value: '1999-12-31' },
    ]
    expectSuccess(await ann.api.patch('/users/me/profile_data', { data }))
    const rendered = '<p><em>me</em></p>'
    expect(await fieldsIn(queue)).toEqual([
      { user_id: ann.id, custom_profile_field: { id: short, value: '*me*', rendered_value: rendered } },
      { user_id: ann.id, custom_profile_field: { id: date, value: '1999-12-31' } },
    ])
    const expected = {
      [short]: { value: '*me*', rendered_value: rendered },
      [date]: { value: '1999-12-31' },
    }
    expect(await profileOf(ann, guest)).toEqual(expected)
    const { snapshot } = await openQueue(guest)
    const listed = snapshot.realm_users.find(({ user_id }: { user_id: number }) => user_id === ann.id)
    expect(listed.profile_data).toEqual(expected)
    expectSuccess(await ann.api.patch('/users/me/profile_data', { data }))
    expect(await fieldsIn(queue)).toEqual([])
    expectSuccess(await ann.api.delete('/users/me/profile_data', { data: [short] }))
    expectSuccess(await say(ann, date, ''))
    expect(await fieldsIn(queue)).toEqual([
      { user_id: ann.id, custom_profile_field: { id: short, value: null } },
      { user_id: ann.id, custom_profile_field: { id: date, value: null } },
    ])
    expect(await profileOf(ann)).toEqual({})
  })

  it('that comes several times in a request is the last, and sent once', async () => {
    const short = await createField(SHORT, { name: 'Of several' })
    const queue = await openQueue(guest)
    const data = ['*first*', 'second', '*third*'].map((value) => ({ id: short, value }))
    expectSuccess(await ann.api.patch('/users/me/profile_data', { data }))
    expect(await fieldsIn(queue)).toMatchObject([{ custom_profile_field: { id: short, value: '*third*' } }])
    const tooLong = [{ id: short, value: 'x'.repeat(51) }, ...data]
    const refused = await ann.api.patch('/users/me/profile_data', { data: tooLong })
    expect(refused.status).toBe(400)
    expectSuccess(await ann.api.delete('/users/me/profile_data', { data: [short] }))
  })

  it('is refused where a request has more to render than one commit may', async () => {
    const fields: number[] = []
    for (let at = 0; at < 9; at += 1) fields.push(await createField(LONG, { name: `About formulas ${at}` }))
    const change = (value: string) =>
      ann.api.patch('/users/me/profile_data', { data: fields.map((id) => ({ id, value })) })
    const refused = await change(`$$x${'+x'.repeat(247)}$$`)
    expect([refused.status, refused.body.msg]).toEqual([413, 'That is more than can be stored at once'])
    expect(await profileOf(ann)).toEqual({})
    expectSuccess(await change('x'.repeat(500)))
    expectSuccess(await ann.api.delete('/users/me/profile_data', { data: fields }))
  })

  it('must fit the field’s type, or nothing is changed', async () => {
    const choices = { v: { text: 'Vim', order: '1' } }
    const named = async (type: number, params: Params = {}) =>
      createField(type, { name: `T${type}`, ...params })
    const ids = {
      short: await named(SHORT),
      long: await named(LONG),
      select: await named(SELECT, { field_data: choices }),
      date: await named(DATE),
      url: await named(URL_TYPE),
      user: await named(USER),
      pronouns: await named(PRONOUNS),
    }
    const refusals: [number, ParameterValue, string][] = [
      [ids.short, 'x'.repeat(51), 'T1 is too long (limit: 50 characters)'],
      [ids.short, [1], 'T1 is not a string'],
      [ids.pronouns, 'x'.repeat(51), 'T8 is too long (limit: 50 characters)'],
      [ids.long, 'x'.repeat(501), 'T2 is too long (limit: 500 characters)'],
      [ids.select, 'e', "'e' is not a valid choice for 'T3'."],
      [ids.select, 'constructor', "'constructor' is not a valid choice for 'T3'."],
      [ids.date, '31.12.1999', 'T4 is not a date'],
      [ids.date, '1999-02-30', 'T4 is not a date'],
      [ids.url, 'javascript:alert(1)', 'T5 is not a URL'],
      [ids.user, 'Ann', 'T6 is not a list'],
      [ids.user, [ann.id, 98_765, 98_766], 'Invalid user IDs: 98765, 98766'],
      [999, 'x', 'Field id 999 not found.'],
    ]
    for (const [id, value, msg] of refusals) {
      const data = [
        { id: ids.long, value: 'should not be kept' },
        { id, value },
      ]
      expectRefusal(await ann.api.patch('/users/me/profile_data', { data }), msg)
    }
    expect(await profileOf(ann)).toEqual({})
    const fits: [number, ParameterValue][] = [
      [ids.short, 'x'.repeat(50)],
      [ids.select, 'v'],
      [ids.date, '2000-02-29'],
      [ids.url, 'https://example.com/ann'],
      [ids.user, [admin.id]],
    ]
    for (const [id, value] of fits) expectSuccess(await say(ann, id, value))
    expect((await profileOf(ann))[ids.user].value).toBe(`[${admin.id}]`)
  })

  it('may name active users, and no bots', async () => {
    const id = await createField(USER)
    const gone = await buildUser(realm)
    expectSuccess(await realm.owner.api.delete(`/users/${gone.id}`))
    expectRefusal(await say(ann, id, [gone.id]), `User with ID ${gone.id} is deactivated`)
    const bot = expectSuccess(await ann.api.post('/bots', { full_name: 'Robot', short_name: 'robot' }))
    expectRefusal(await say(ann, id, [bot.user_id]), `User with ID ${bot.user_id} is a bot`)
    const api = new ApiClient({
      host: realm.host,
      realmId: realm.id,
      email: `robot-bot@${realm.host}`,
      apiKey: bot.api_key,
    })
    const data = { profile_data: [{ id, value: [ann.id] }] }
    expectSuccess(await ann.api.patch(`/users/${bot.user_id}`, data))
    expect(await profileOf({ ...ann, id: bot.user_id })).toBeUndefined()
    expectRefusal(
      await api.patch('/users/me/profile_data', { data: [] }),
      'This endpoint does not accept bot requests.',
    )
  })

  it('can be changed by administrators for others, and in fields users cannot edit', async () => {
    const id = await createField(SHORT, { editable_by_user: false })
    const text = 'You are not allowed to change this field. Contact an administrator to update it.'
    expectRefusal(await say(ann, id, 'mine'), text)
    expectRefusal(await ann.api.delete('/users/me/profile_data', { data: [id] }), text)
    const data = { profile_data: [{ id, value: 'from above' }] }
    const queue = await openQueue(guest)
    expectSuccess(await admin.api.patch(`/users/${ann.id}`, data))
    expect(await fieldsIn(queue)).toMatchObject([{ custom_profile_field: { id, value: 'from above' } }])
    expect((await profileOf(ann))[id].value).toBe('from above')
    expectSuccess(await admin.api.patch(`/users/${ann.id}`, { profile_data: [{ id, value: null }] }))
    expect(await profileOf(ann)).toEqual({})
    expectRefusal(await guest.api.patch(`/users/${ann.id}`, data), 'Insufficient permission')
    expectUnauthorized(await realm.anonymous.patch('/users/me/profile_data', { data: [] }))
  })

  it('costs nothing for others when its field changes and the choices stay', async () => {
    const people = await insertUsers(realm, 60)
    const choices = { v: { text: 'Vim', order: '1' } }
    const id = await createField(SELECT, { field_data: choices })
    const more = { ...choices, e: { text: 'Emacs', order: '2' } }
    for (const change of [{ hint: 'yours' }, { field_data: more }]) {
      const path = `/realm/profile_fields/${id}`
      const { object } = await countRows(admin.api, 'PATCH', path, change)
      expect(object.read).toBeLessThan(people.length)
    }
  })

  it('is removed with its field or its choice', async () => {
    const choices = { v: { text: 'Vim', order: '1' }, e: { text: 'Emacs', order: '2' } }
    const select = await createField(SELECT, { field_data: choices })
    expectSuccess(await say(ann, select, 'v'))
    expectSuccess(await say(guest, select, 'e'))
    const queue = await openQueue(admin)
    expectSuccess(await admin.api.patch(`/realm/profile_fields/${select}`, { field_data: { e: choices.e } }))
    expect(await fieldsIn(queue)).toEqual([
      { user_id: ann.id, custom_profile_field: { id: select, value: null } },
    ])
    expect(await profileOf(ann)).toEqual({})
    expectSuccess(await admin.api.delete(`/realm/profile_fields/${select}`))
    expect(await profileOf(guest)).toEqual({})
    expect(await list()).toEqual([])
  })
})
