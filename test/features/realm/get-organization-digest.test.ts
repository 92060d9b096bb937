import { describe, expect, it } from 'vitest'
import { evictRealm } from '../../support/api.ts'
import { bodyDatabase } from '../../support/body-database.ts'
import { buildChannel, buildUser, expectSuccess } from '../../support/factories.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { insertInIndex } from '../../support/inserted-messages.ts'
import { sendTo, untilProjected } from '../../support/messages.ts'
import { differingParts, organizationDigest } from '../../support/organization-digest.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PATH = '/realm/digest/organization'

function star(id: number) {
  return { messages: [id], op: 'add', flag: 'starred' }
}

describe('the digest of an organization', () => {
  const { realm, owner, ann, admin, guest, boats } = useRealm(
    { ann: 'member', admin: 'administrator', guest: 'guest' },
    { channels: { boats: ['owner', 'ann', 'guest'] } },
  )

  it('stays the same while nothing changes, and has all that people have made', async () => {
    const { realm: of } = await buildRealm()
    await furnish(of)
    const digest = await organizationDigest(of.owner)
    expect(differingParts(digest, await organizationDigest(of.owner))).toEqual([])
    const sections = new Set(Object.keys(digest).map((name) => name.split(' ')[0]))
    for (const section of ['user', 'channel', 'subscription', 'message_index', 'attachment', 'texts'])
      expect(sections).toContain(section)
  })

  it('shows by its parts what has changed', async () => {
    const id = await sendTo(ann, boats.id, 'keel', 'ahoy')
    await untilProjected(realm, [id])
    const first = await organizationDigest(owner)
    expectSuccess(await ann.api.patch(`/messages/${id}`, { content: 'ahoi' }))
    await untilProjected(realm, [id])
    const edited = await organizationDigest(owner)
    const changed = differingParts(first, edited)
    expect(changed).toContain('texts []')
    expect(changed).toContain('message_index []')
    expect(changed).not.toContain('user []')
    expectSuccess(await ann.api.patch('/settings', { full_name: 'Ann Other' }))
    expect(differingParts(edited, await organizationDigest(owner))).toContain('user []')
  })

  it('finds a message among thousands in its own part', async () => {
    const { realm: of } = await buildRealm()
    const channel = await buildChannel([of.owner])
    const first = await insertInIndex(of, of.owner, { channelId: channel.id, topic: 'keel', count: 9_000 })
    const before = await organizationDigest(of.owner)
    const partsOf = (section: string) => Object.keys(before).filter((name) => name.startsWith(`${section} `))
    expect(partsOf('message_index').length).toBeGreaterThan(3)
    expect(partsOf('texts').length).toBeGreaterThan(15)
    expectSuccess(await of.owner.api.post('/messages/flags', star(first + 5_000)))
    expect(differingParts(before, await organizationDigest(of.owner))).not.toEqual([])
    expectSuccess(await of.owner.api.delete(`/messages/${first + 5_000}`))
    const changed = differingParts(before, await organizationDigest(of.owner))
    expect(changed.filter((name) => name.startsWith('message_index '))).toHaveLength(1)
    expect(changed.filter((name) => name.startsWith('texts '))).toHaveLength(1)
  })

  it('finds a text that D1 has otherwise', async () => {
    const id = await sendTo(ann, boats.id, 'keel', 'a text')
    await untilProjected(realm, [id])
    const before = await organizationDigest(owner)
    const statement = `UPDATE message_body SET content = ? WHERE realm_id = ? AND message_id = ?`
    await bodyDatabase.prepare(statement).bind('another', realm.id, id).run()
    expect(differingParts(before, await organizationDigest(owner))).toEqual(['texts []'])
  })

  it('is for owners', async () => {
    const gone = await buildUser(realm)
    expectSuccess(await owner.api.delete(`/users/${gone.id}`))
    for (const { api } of [admin, ann, guest])
      expectRefusal(await api.get(PATH), 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
    expectUnauthorized(await realm.anonymous.get(PATH))
    expect((await gone.api.get(PATH)).status).toBe(401)
  })

  it('refuses positions that no page has named', async () => {
    for (const of of ['nothing', 'meta', 'queue', 'sqlite_master'])
      expectRefusal(await owner.api.get(PATH, { of }), 'Invalid of')
    for (const after of [
      ['x', 1],
      [1, 2, 3],
    ])
      expectRefusal(await owner.api.get(PATH, { of: 'user', after }), 'Invalid after')
    expectRefusal(await owner.api.get(PATH, { of: 'texts', after: ['x'] }), 'Invalid after')
    expectSuccess(await owner.api.get(PATH, { of: 'user', after: ['x'] }))
  })

  it('needs the key of the deployment, and is another with another key', async () => {
    const before = await organizationDigest(owner)
    const withKey = async (key: string) => {
      world.settings = { ...world.settings, SECRETS_KEY: key }
      await evictRealm(realm.id)
    }
    await withKey(btoa('another key of thirty-two bytes.'))
    expect(differingParts(before, await organizationDigest(owner))).toContain('texts []')
    await withKey('')
    expectRefusal(
      await owner.api.get(PATH),
      'This server cannot keep secrets yet. Ask its operator to set SECRETS_KEY.',
    )
  })
})
