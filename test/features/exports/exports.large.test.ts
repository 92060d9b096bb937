import { beforeEach, describe, expect, it } from 'vitest'
import { finishExport, keepAlarmsAway, messageIds, startExport } from '../../support/exports.ts'
import { buildChannel } from '../../support/factories.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { inRealm } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { upload } from '../../support/uploads.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(keepAlarmsAway)

describe('an export of very long messages', () => {
  const { realm: of } = useRealm()

  it('contains each of them once', async () => {
    const room = await buildChannel([of.owner])
    const long = { channelId: room.id, topic: 'long', count: 300, length: 10_000 }
    const entered = await insertMessages(of, of.owner, long)
    const { all } = await finishExport(of, await startExport(of.owner))
    const found = all('message').filter(({ channel }) => channel === String(room.id))
    expect(messageIds(found)).toEqual(expect.arrayContaining(entered))
    expect(new Set(messageIds(found)).size).toBe(found.length)
    for (const { id, content } of found.slice(-300)) expect(content).toBe(id.padEnd(10_000))
  })
})

describe('an export of many files', () => {
  const { realm: of } = useRealm()

  it('stores them before it holds all of a page', async () => {
    const content = 'x'.repeat(900_000)
    const paths: string[] = []
    for (let file = 0; file < 12; file += 1) {
      const path = await upload(of.owner, { content })
      await sendTo(of.owner, 'sandbox', 'files', `See [it](${path})`)
      paths.push(path.replace('/user_uploads/', ''))
    }
    const sizes: number[] = []
    const noteChunks = async () => {
      const chunks = await inRealm(of, ({ parts }) =>
        parts.sql.all<{ size: number }>(`SELECT size FROM realm_export_chunk WHERE name IS NULL`),
      )
      sizes.push(...chunks.map(({ size }) => size))
    }
    world.store = async (call) => {
      await noteChunks()
      return call()
    }
    const { files } = await finishExport(of, await startExport(of.owner))
    for (const path of paths) expect(files.get(`export/uploads/${path}`)?.bytes.length).toBe(900_000)
    expect(sizes.length).toBeGreaterThan(0)
    expect(Math.max(...sizes)).toBeLessThan(6_000_000)
  })
})
