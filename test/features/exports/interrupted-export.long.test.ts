import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askWorker, evictRealm, realmStub } from '../../support/api.ts'
import {
  digestOf,
  finishExport,
  keepAlarmsAway,
  listedExport,
  messageIds,
  startExport,
} from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { rewindSchema } from '../../support/inside-schema.ts'
import { exportOrganization } from '../../support/inside-work.ts'
import { readJson } from '../../support/json.ts'
import { sendTo } from '../../support/messages.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { fetchPath, readStatus, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  // The crashes make the server log errors.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Many messages in one request of local development. */
async function sendMany(of: TestRealm, count: number): Promise<number[]> {
  const calls = Array.from({ length: count }, (_, n) => ({
    operation: 'send-message',
    user_id: of.owner.id,
    params: { type: 'channel', to: 'sandbox', topic: `topic ${n % 7}`, content: `number ${n}` },
    now: Date.now() / 1_000,
  }))
  const body = JSON.stringify({ calls })
  const response = await askWorker(new Request(`http://${of.host}/dev/run`, { method: 'POST', body }))
  const { answers } = await readJson<{ answers: { value: { id: number } }[] }>(response)
  return answers.map(({ value }) => value.id)
}

describe('an export that is interrupted', () => {
  const { realm: of } = useRealmPerTest()

  it('resumes wherever the object dies, and contains everything once', async () => {
    const sent: number[] = []
    // These fill more than one page of the export.
    sent.push(...(await sendMany(of, 600)))
    const path = await upload(of.owner, { content: 'bytes' })
    sent.push(await sendTo(of.owner, 'sandbox', 't', `[file](${path})`))
    const id = await startExport(of.owner)
    let deaths = 0
    for (let run = 0; run < 20 && (await listedExport(of.owner, id)).pending; run += 1) {
      world.crashAt = 'exporting'
      // The job keeps the lease of the run that crashed.
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
      if (world.crashAt === undefined) deaths += 1
    }
    world.crashAt = undefined
    expect(deaths).toBeGreaterThanOrEqual(3)
    const { all, files } = await finishExport(of, id)
    const found = messageIds(all('message'))
    expect(found).toEqual(expect.arrayContaining(sent))
    expect(new Set(found).size).toBe(found.length)
    expect(all('file')).toHaveLength(1)
    expect(files.has(`export/uploads/${path.replace('/user_uploads/', '')}`)).toBe(true)
    // The data that the archive was made from is removed.
    const { objects } = await env.UPLOADS.list({ prefix: `exports/${of.id}/` })
    expect(objects.map(({ key }) => key.split('/').at(-1))).toEqual(['archive'])
  })

  it('begins again if an earlier build has begun it, whose archives had another form', async () => {
    const sent = await sendTo(of.owner, 'sandbox', 't', 'kept')
    const id = await startExport(of.owner)
    // What that build had stored, in its chunks and in the schema.
    await inRealm(of, ({ parts: { sql } }) => {
      sql.run(
        `INSERT INTO realm_export_chunk (export_id, position, start, length, key, size) VALUES (?, 0, 0, 512, 'of before', 512)`,
        id,
      )
      sql.run(
        `UPDATE realm_export SET progress = '{"stage":"assemble","length":512,"uploadsFrom":{"source":10,"chunks":1,"length":0},"uploadId":null,"etags":[]}'`,
      )
    })
    await inRealm(of, (_, { storage }) => rewindSchema(storage.sql, 'neutral-exports'))
    await evictRealm(of.id)
    const { all } = await finishExport(of, id)
    expect(messageIds(all('message'))).toContain(sent)
  })

  it('is written by one run at a time', async () => {
    const id = await startExport(of.owner)
    const [first, second] = await inRealm(of, ({ parts }) =>
      Promise.all([exportOrganization(parts), exportOrganization(parts)]),
    )
    expect([first, second]).toEqual([undefined, expect.any(Number)])
    expect((await finishExport(of, id)).all('user')).not.toEqual([])
  })

  it('fails when it cannot continue, and leaves nothing behind', async () => {
    await sendTo(of.owner, 'sandbox', 't')
    const id = await startExport(of.owner)
    const tryOnce = async () => {
      world.clockOffset += 700
      const queue = await openQueue(of.owner)
      await inRealm(of, ({ parts }) => Object.assign(parts, { uploads: takingNothing(parts.uploads) }))
      await runDurableObjectAlarm(realmStub(of.id))
      return queue.eventsOf('realm_export')
    }
    // For three days the export waits for stores that fail.
    for (let run = 0; run < 10; run += 1) expect(await tryOnce()).toEqual([])
    world.clockOffset += 3 * 86_400
    for (let run = 0; run < 8; run += 1) expect(await tryOnce()).toEqual([])
    const [event] = await tryOnce()
    const failed = await listedExport(of.owner, id)
    expect(event!.exports).toEqual([failed])
    expect(failed).toMatchObject({ pending: false, export_url: null, failed_timestamp: expect.any(Number) })
    expectRefusal(await of.owner.api.delete(`/export/realm/${id}`), 'Export failed, nothing to delete')
    expect((await env.UPLOADS.list({ prefix: `exports/${of.id}/` })).objects).toEqual([])
  })
})

describe('an export with large uploads', () => {
  const { realm: of } = useRealm()

  it('is assembled from parts, without an upload that is deleted meanwhile', async () => {
    const large = new Uint8Array(9 * 1024 * 1024).fill(65)
    const [kept, dropped] = [
      await upload(of.owner, { name: 'kept.bin', content: large }),
      await upload(of.owner, { name: 'dropped.bin', content: large }),
    ]
    await sendTo(of.owner, 'sandbox', 'files', `[a](${kept}) [b](${dropped})`)
    const id = await startExport(of.owner)
    // The object crashes when all chunks exist, but not the archive.
    const stage = () =>
      inRealm(of, ({ parts: { sql } }) =>
        sql.first<{ stage: string }>(`SELECT progress->>'stage' AS stage FROM realm_export`),
      )
    while ((await stage())?.stage === 'collect') {
      world.crashAt = 'exporting'
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
    }
    world.crashAt = undefined
    expect(await stage()).toEqual({ stage: 'assemble' })
    const { attachments } = expectSuccess(await of.owner.api.get('/attachments'))
    const { id: droppedId } = attachments.find(({ name }: { name: string }) => name === 'dropped.bin')
    expectSuccess(await of.owner.api.delete(`/attachments/${droppedId}`))
    await env.UPLOADS.delete(`user_uploads/${dropped.split('/').slice(2, 5).join('/')}`)
    const { all, files, url } = await finishExport(of, id)
    expect(all('file').map(({ name }) => name)).toEqual(['kept.bin'])
    const file = files.get(`export/uploads/${kept.replace('/user_uploads/', '')}`)!
    expect(await digestOf(file.bytes)).toBe(await digestOf(large))
    expect([...files.keys()].some((name) => name.includes('dropped'))).toBe(false)
    // A client that lost the connection asks for the rest.
    const { pathname } = new URL(url)
    const part = await fetchPath(of, pathname, undefined, { headers: { Range: 'bytes=0-9' } })
    expect([part.status, await part.text()]).toEqual([206, 'export/par'])
    expect(await readStatus(of, pathname.replace(/[0-9a-f]{48}/, '0'.repeat(48)))).toBe(404)
    const { realm: other } = await buildRealm()
    expect(await readStatus(other, pathname)).toBe(404)
  })
})

/** Returns a store that has no room left. */
function takingNothing<Bucket extends object>(bucket: Bucket): Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      if (name === 'put') return () => Promise.reject(new Error('R2 is full'))
      const method = target[name as keyof Bucket] as (...args: unknown[]) => unknown
      return method.bind(target)
    },
  })
}
