import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildChannel, expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import type { Json } from '../../support/json.ts'
import { makeBackup, restore } from '../../support/listed-backups.ts'
import { sendTo } from '../../support/messages.ts'
import { readStatus, upload } from '../../support/uploads.ts'
import { buildRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe('a restore of a backup from before', () => {
  it.each([
    ['whole', undefined, true],
    ['cut at each step', 'restoring', true],
    ['before the store has the list', undefined, false],
  ] as const)('erases again who was erased since: %s', async (_, crashAt, isListed) => {
    const { realm: of, ben: reader, zoe } = await buildRealm({ ben: 'member', zoe: 'member' })
    const channel = await buildChannel([reader, zoe])
    const file = await upload(zoe, { name: 'a.txt', content: 'bytes' })
    const id = await sendTo(zoe, channel.id, 'plans', `[a](${file})`)
    expectSuccess(await zoe.api.post('/saved_snippets', { title: 'one', content: 'two' }))
    const backup = await makeBackup(of)
    expectSuccess(await of.owner.api.post(`/users/${zoe.id}/erase`, { messages: 'remove' }))
    await runAlarms(of, 8, 2)
    expect((await certificates(of))[0]).toMatchObject({ listed_at: expect.any(Number) })
    if (!isListed) {
      const { objects } = await env.BACKUPS!.list({ prefix: `erasures/${of.id}/` })
      expect(objects).toHaveLength(1)
      await env.BACKUPS!.delete(objects.map(({ key }) => key))
    }
    const restored = await restore(of, backup.id, async () => {
      world.crashAt = crashAt
    })
    expect(restored.outcome).toBe('restored')
    const nameNow = expectSuccess(await reader.api.get(`/users/${zoe.id}`)).user.full_name
    expect(nameNow).toBe(`Deleted user ${zoe.id}`)
    expect((await zoe.api.get('/users/me')).status).toBe(401)
    await runAlarms(of, 10, 2)
    expect((await reader.api.get(`/messages/${id}`)).status).toBe(400)
    expect(await readStatus(of, file, reader)).toBe(404)
    // The certificate of the first time stays.
    expect(await certificates(of)).toMatchObject([
      { user_id: zoe.id, acting_user_id: null, messages: 'remove', object: { saved_snippet: 1 } },
      { user_id: zoe.id, acting_user_id: of.owner.id },
    ])
    expect((await certificates(of)).every(({ finished_at }: Json) => finished_at !== null)).toBe(true)
    expect(await findingsIn(of)).toEqual([])
  })
})

async function certificates({ owner }: Pick<TestRealm, 'owner'>): Promise<Json[]> {
  return expectSuccess(await owner.api.get('/realm/erasures')).erasures
}
