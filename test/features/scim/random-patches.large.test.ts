import { expect, it } from 'vitest'
import { fromJson } from '../../../scripts/json.ts'
import { Chances } from '../../leaks/non-interference/chances.ts'
import { expectSuccess } from '../../support/factories.ts'
import type { Json } from '../../support/json.ts'
import { connectProvider, type ScimClient } from '../../support/scim.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })
const ROUNDS = 250

/** Fields of a resource that an attribute may change; every other stays as it is. */
const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  username: ['userName', 'emails'],
  displayname: ['displayName', 'name'],
  name: ['displayName', 'name'],
  externalid: ['externalId'],
  active: ['active'],
  role: ['role', 'roles'],
  roles: ['role', 'roles'],
  members: ['members'],
}

const ATTRIBUTES = [
  'userName',
  'DISPLAYNAME',
  'name',
  'name.familyName',
  'name.formatted',
  'externalId',
  'active',
  'role',
  'roles',
  'roles[primary eq "True"].value',
  'roles[value eq "guest"]',
  'emails[type eq "work"].value',
  'members',
  'members[value eq "1"]',
  'urn:ietf:params:scim:schemas:core:2.0:User:displayName',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:displayName',
  'title',
  'id',
  'meta.version',
  'schemas',
  '__proto__.polluted',
  '__proto__',
  'constructor.prototype.polluted',
  'name.__proto__.polluted',
  'roles[__proto__ eq "x"].value',
  'members[value eq "1" or',
  'emails[',
  '.',
  '',
  'x'.repeat(3_000),
]

const valuesOf = (ids: readonly number[]): readonly unknown[] => [
  'text',
  '',
  ' padded ',
  'x'.repeat(600),
  'someone@example.com',
  true,
  false,
  'True',
  'false',
  null,
  7,
  -1.5,
  [],
  {},
  [[]],
  [null],
  [{ value: 'moderator', primary: true }],
  'guest',
  { value: 'member' },
  { familyName: 'Random', givenName: null },
  { familyName: 7 },
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  fromJson('{"__proto__":{"polluted":true}}'),
  { active: 'False', 'name.familyName': 'Dotted', nothing: [1] },
  { displayName: 'Whole Object', id: '1', members: [] },
  [{ value: String(ids[0]) }],
  { value: String(ids[1]) },
  [{ value: '999999' }],
  [String(ids[0]), ids[1]],
  '\u0000',
  '\ud800',
]

function operationOf(chances: Chances, values: readonly unknown[]): Record<string, unknown> {
  const operation: Record<string, unknown> = {
    op: chances.pick(['add', 'Add', 'REPLACE', 'replace', 'remove', 'Remove', 'move', 7]),
  }
  if (!chances.onceIn(4)) operation.path = chances.pick<unknown>([...ATTRIBUTES, 7])
  if (!chances.onceIn(5)) operation.value = chances.pick(values)
  return operation
}

/** Returns the fields that operations may change, by their paths, and by the names in their values where there is no path. */
function named(operations: readonly Record<string, unknown>[]): Set<string> {
  const paths = operations.flatMap(({ path, value }): string[] => {
    if (typeof path === 'string' && path.trim() !== '') return [path]
    return typeof value === 'object' && value !== null ? Object.keys(value) : []
  })
  const attributes = paths.map((path) =>
    path
      .toLowerCase()
      .replace('urn:ietf:params:scim:schemas:core:2.0:user:', '')
      .replace(/[.[].*$/s, ''),
  )
  return new Set(
    attributes.flatMap((attribute) => (Object.hasOwn(FIELDS_OF, attribute) ? FIELDS_OF[attribute]! : [])),
  )
}

async function tryAll(scim: ScimClient, path: string, seed: number): Promise<Record<string, number>> {
  const chances = new Chances(seed)
  const values = valuesOf([ann.id, ben.id])
  const statuses: Record<string, number> = {}
  let before = (await scim.get(path)).body as Record<string, Json>
  for (let round = 0; round < ROUNDS; round += 1) {
    const operations = Array.from({ length: 1 + chances.below(3) }, () => operationOf(chances, values))
    const { status, body } = await scim.patch(path, ...operations)
    const after = (await scim.get(path)).body as Record<string, Json>
    const what = JSON.stringify({ round, operations, body })
    statuses[status] = (statuses[status] ?? 0) + 1
    expect([200, 204, 400, 403, 409], what).toContain(status)
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (field) => field !== 'meta' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    )
    const may = status < 300 ? named(operations) : new Set<string>()
    expect(
      changed.filter((field) => !may.has(field)),
      what,
    ).toEqual([])
    expect((after.meta as Json).version === (before.meta as Json).version, what).toBe(changed.length === 0)
    before = after
  }
  expect('polluted' in {}).toBe(false)
  return statuses
}

it('random changes of a user are refused, or change what they name', async () => {
  const scim = await connectProvider(realm)
  const { id } = await scim.makeUser('random@example.com', { name: { givenName: 'R', familyName: 'X' } })
  const statuses = await tryAll(scim, `/Users/${id}`, 1)
  expect(statuses[200]).toBeGreaterThan(20)
  expect(statuses[400]).toBeGreaterThan(20)
})

it('random changes of a group are refused, or change what they name', async () => {
  const scim = await connectProvider(realm)
  const members = [{ value: String(ann.id) }]
  const { body } = await scim.request('POST', '/Groups', { displayName: 'Random', members })
  const statuses = await tryAll(scim, `/Groups/${body.id}`, 2)
  expect(statuses[204]).toBeGreaterThan(20)
  expect(statuses[400]).toBeGreaterThan(20)
  expectSuccess(await ann.api.get('/users/me'))
})
