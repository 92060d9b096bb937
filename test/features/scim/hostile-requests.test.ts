import { expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { connectProvider, type ScimClient, type ScimResponse } from '../../support/scim.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

let known: Promise<ScimClient> | undefined
const provider = () => (known ??= connectProvider(realm))
const newAddress = () => `new-${crypto.randomUUID()}@${realm.host}`

function expectError({ status, body }: ScimResponse, expected: number, scimType?: string): void {
  expect({ status, type: body?.scimType, detail: typeof body?.detail }).toEqual({
    status: expected,
    type: scimType,
    detail: 'string',
  })
}

/** JSON of an object of which no text can be made. */
const NO_TEXT = '{"toString":1,"valueOf":1}'

it('objects in place of texts are refused, and cause no server error', async () => {
  const scim = await provider()
  const { id } = await scim.makeUser(newAddress())
  const { body: group } = await scim.request('POST', '/Groups', { displayName: `Odd ${crypto.randomUUID()}` })
  const patch = (operation: string) => `{"Operations":[${operation}]}`
  const requests: [string, string, string][] = [
    ['PATCH', `/Users/${id}`, patch(`{"op":${NO_TEXT},"path":"active","value":true}`)],
    ['PATCH', `/Users/${id}`, patch(`{"op":"add","path":${NO_TEXT},"value":true}`)],
    ['PATCH', `/Users/${id}`, patch(`{"op":"add","path":"active","value":${NO_TEXT}}`)],
    ['PATCH', `/Users/${id}`, patch(`{"op":"add","path":"roles","value":[{"primary":${NO_TEXT}}]}`)],
    ['PATCH', `/Users/${id}`, patch(`{"op":"add","path":"roles","value":[{"value":${NO_TEXT}}]}`)],
    ['PATCH', `/Users/${id}`, patch(`{"op":"add","path":"name.givenName","value":${NO_TEXT}}`)],
    ['PATCH', `/Groups/${group.id}`, patch(`{"op":"add","path":"members","value":[{"type":${NO_TEXT}}]}`)],
    ['PATCH', `/Groups/${group.id}`, patch(`{"op":"add","path":"members","value":[{"value":${NO_TEXT}}]}`)],
    ['POST', '/Users', `{"userName":${NO_TEXT}}`],
    ['POST', '/Groups', `{"displayName":${NO_TEXT}}`],
    ['POST', '/Groups', `{"displayName":"Odd members","members":${NO_TEXT}}`],
  ]
  for (const [method, path, body] of requests) {
    const answer = await scim.request(method, path, body)
    expect([body, answer.status]).toEqual([body, 400])
  }
})

it.each(['\u0000', 'a\u0000b@example.com', '\ud800@example.com', '\ud800', '\u202e', '\ufffe'])(
  'the text %j is taken or refused wherever texts belong',
  async (text) => {
    const scim = await provider()
    const { id } = await scim.makeUser(newAddress())
    const { body: group } = await scim.request('POST', '/Groups', {
      displayName: `Odd ${crypto.randomUUID()}`,
    })
    const answers = await Promise.all([
      ...['userName', 'displayName', 'externalId', 'name.givenName'].map((path) =>
        scim.patch(`/Users/${id}`, { op: 'replace', path, value: text }),
      ),
      ...['displayName', 'externalId'].map((path) =>
        scim.patch(`/Groups/${group.id}`, { op: 'replace', path, value: text }),
      ),
      scim.get(`/Users?filter=${encodeURIComponent(`userName eq ${JSON.stringify(text)}`)}`),
      scim.get(`/Users?filter=${encodeURIComponent(`displayName co ${JSON.stringify(text)}`)}`),
      scim.get(`/Groups?filter=${encodeURIComponent(`externalId eq ${JSON.stringify(text)}`)}`),
      scim.get(`/Users?attributes=${encodeURIComponent(text.toWellFormed())}`),
      scim.get(`/Users/${encodeURIComponent(text.toWellFormed())}`),
    ])
    for (const { status } of answers) expect([200, 204, 400, 404]).toContain(status)
    expect((await scim.get(`/Users/${id}`)).status).toBe(200)
  },
)

it('every operator of a filter is answered or refused for every attribute and value', async () => {
  const scim = await provider()
  await scim.makeUser(newAddress(), { externalId: 'x', name: { givenName: 'N', familyName: 'M' } })
  const attributes: Readonly<Record<string, readonly string[]>> = {
    '/Users': [
      'id',
      'active',
      'userName',
      'name.givenName',
      'emails',
      'roles.primary',
      'meta.created',
      'name',
    ],
    '/Groups': ['id', 'displayName', 'members', 'members.type', 'meta.lastModified'],
  }
  const values = ['"x"', 'true', 'null', '-1.5e300', '"2026-01-01"', '{}', '"\\u0000"']
  const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'pr']
  for (const [path, names] of Object.entries(attributes)) {
    for (const [at, name] of names.entries()) {
      const filters = operators.map((op, nth) =>
        op === 'pr' ? `${name} pr` : `${name} ${op} ${values[(at + nth) % values.length]}`,
      )
      const answers = await Promise.all(
        filters.map((filter) => scim.get(`${path}?count=1&filter=${encodeURIComponent(filter)}`)),
      )
      for (const answer of answers) if (answer.status !== 200) expectError(answer, 400, 'invalidFilter')
    }
  }
})

it.each([
  'userName.value',
  'active[value eq "x"]',
  'displayName.first',
  'externalId[type eq "x"].value',
  'role.value',
])('the path %s names no part of a plain attribute', async (path) => {
  const scim = await provider()
  const { id, meta } = await scim.makeUser(newAddress(), { externalId: 'kept' })
  for (const op of ['add', 'replace', 'remove']) {
    expectError(await scim.patch(`/Users/${id}`, { op, path, value: 'guest' }), 400, 'invalidPath')
  }
  expect((await scim.get(`/Users/${id}`)).body.meta.version).toBe(meta.version)
})

it('a part of a member, or of a role, that is removed takes nobody away', async () => {
  const scim = await provider()
  const members = [ann, ben].map(({ id }) => ({ value: String(id) }))
  const made = await scim.request('POST', '/Groups', { displayName: `Kept ${crypto.randomUUID()}`, members })
  for (const path of ['members.value', `members[value eq "${ann.id}"].display`]) {
    expectError(await scim.patch(`/Groups/${made.body.id}`, { op: 'remove', path }), 400, 'mutability')
  }
  expect((await scim.get(`/Groups/${made.body.id}`)).body.members).toHaveLength(2)
  const { id } = await scim.makeUser(newAddress(), { role: 'moderator' })
  const changed = await scim.patch(`/Users/${id}`, {
    op: 'remove',
    path: 'roles[value eq "moderator"].display',
  })
  expect(changed.body.role).toBe('moderator')
})

it('a patch of a mebibyte is read or refused', async () => {
  const scim = await provider()
  const { id } = await scim.makeUser(newAddress())
  const wide = Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`a${n}`, n]))
  expectError(await scim.patch(`/Users/${id}`, { op: 'add', value: wide }), 400, 'tooMany')
  const paths = Array.from({ length: 900 }, (_, n) => ({
    op: 'add',
    path: `x${'y'.repeat(90)}${n}`,
    value: n,
  }))
  expect((await scim.patch(`/Users/${id}`, ...paths)).status).toBe(200)
  expect((await scim.request('PUT', `/Users/${id}`, wide)).status).toBe(200)
})

it('a deleted account is found again when it is made closed', async () => {
  const scim = await provider()
  const userName = newAddress()
  const { id } = await scim.makeUser(userName)
  await scim.request('DELETE', `/Users/${id}`)
  const again = await scim.request('POST', '/Users', { userName, active: false })
  expect([again.status, again.body.id, again.body.active]).toEqual([201, id, false])
  expect((await scim.get(`/Users/${id}`)).status).toBe(200)
})

it('a token without the right opens no account of an owner', async () => {
  const { realm: own } = await buildRealm()
  const second = await buildUser(own, { role: 100 })
  const scim = await connectProvider(own)
  const path = `/Users/${second.id}`
  expect((await scim.patch(path, { op: 'replace', path: 'active', value: false })).body.active).toBe(false)
  const { body: closed } = await scim.get(path)
  const open = { op: 'replace', path: 'active', value: 'True' }
  const member = { op: 'replace', path: 'role', value: 'member' }
  expectError(await scim.patch(path, open), 403)
  expectError(await scim.patch(path, member, open), 403)
  expectError(await scim.request('PUT', path, { active: true }), 403)
  expect((await scim.get(path)).body).toEqual(closed)
  expect((await scim.request('DELETE', path)).status).toBe(204)
  const { userName } = closed
  expectError(await scim.request('POST', '/Users', { userName }), 403)
  expectError(await scim.request('POST', '/Users', { userName, role: 'member' }), 403)
  const { user } = expectSuccess(await own.owner.api.get(`/users/${second.id}`))
  expect(user).toMatchObject({ is_active: false, role: 100 })
  expectSuccess(await own.owner.api.patch('/scim_token', { manages_owners: true }))
  const opened = await scim.request('POST', '/Users', { userName })
  expect(opened.body).toMatchObject({ id: String(second.id), active: true, role: 'owner' })
})
