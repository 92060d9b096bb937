import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { finishExport, keepAlarmsAway, listedExport, startExport, textOf } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { sendTo } from '../../support/messages.ts'
import { upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

beforeEach(() => {
  keepAlarmsAway()
  // The server logs an error for each crash.
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

interface Standing {
  readonly stage: string
  readonly source: number | null
  readonly parts: number | null
}

const standing = (of: TestRealm) =>
  inRealm(of, ({ parts: { sql } }) =>
    sql.first<Standing & Record<string, string | number | null>>(
      `SELECT progress->>'stage' AS stage, progress->>'source' AS source,
              json_array_length(progress->'etags') AS parts FROM realm_export`,
    ),
  )

/** Runs the export until `isThere` returns true for its state, and stops it there. */
async function advanceTo(of: TestRealm, isThere: (at: Standing) => boolean): Promise<void> {
  for (let run = 0; run < 40 && !isThere((await standing(of))!); run += 1) {
    world.crashAt = 'exporting'
    // The job keeps the lease of the run that crashed.
    world.clockOffset += 700
    await runDurableObjectAlarm(realmStub(of.id)).catch(() => {})
  }
  world.crashAt = undefined
  expect(isThere((await standing(of))!)).toBe(true)
}

const collected = ({ stage }: Standing) => stage === 'assemble'

/**
 * Sends a message with earlier versions, reactions and a file, all of which contain the mark. Returns its id and the file's
 * name.
 */
async function sayMarked(of: TestRealm, mark: string): Promise<number> {
  const path = await upload(of.owner, { name: `${mark}.txt`, content: `bytes of ${mark}` })
  const id = await sendTo(of.owner, 'sandbox', 'plans', `${mark} at first`)
  expectSuccess(await of.owner.api.patch(`/messages/${id}`, { content: `${mark} [file](${path})` }))
  expectSuccess(await of.owner.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }))
  return id
}

const erase = async (of: TestRealm, id: number) => expectSuccess(await of.owner.api.delete(`/messages/${id}`))

describe('a message deleted while an archive is being made', () => {
  const { realm: of } = useRealmPerTest()

  it('is not in it with text, history or files, at any stage', async () => {
    const marks = ['zqx-read', 'zqx-collected', 'zqx-late']
    const marked: number[] = []
    for (const mark of marks) marked.push(await sayMarked(of, mark))
    const kept = await sayMarked(of, 'kept')
    const id = await startExport(of.owner)
    await advanceTo(of, ({ stage, source }) => stage === 'collect' && source! >= 5)
    await erase(of, marked[0]!)
    await advanceTo(of, collected)
    await erase(of, marked[1]!)
    // This message is deleted during a run, when the whole archive is stored and not yet announced.
    world.evictable = false
    world.store = async (call, method) => {
      const answer = await call()
      if (method === 'put' && (await standing(of))!.stage === 'assemble' && marked[2] !== undefined) {
        const [late] = marked.splice(2)
        await erase(of, late!)
      }
      return answer
    }
    const { bytes, all, files } = await finishExport(of, id)
    expect(marked).toHaveLength(2)
    expect(textOf(bytes)).not.toContain('zqx')
    const messages = all('message')
    const found = messages.map((message) => message.id)
    expect(found).toEqual([...new Set(found)])
    expect(messages.find((message) => message.id === String(kept))).toMatchObject({
      edits: [{ content: 'kept at first' }],
    })
    expect(all('file').map(({ name }) => name)).toEqual(['kept.txt'])
    expect([...files.keys()].filter((name) => name.startsWith('export/uploads/'))).toHaveLength(1)
    const left = await inRealm(of, ({ parts: { sql } }) => sql.all(`SELECT * FROM realm_export_gone`))
    expect(left).toEqual([])
  })

  it('is removed from finished parts of an unfinished archive', async () => {
    const large = new Uint8Array(9 * 1024 * 1024).fill(65)
    const path = await upload(of.owner, { name: 'large.bin', content: large })
    await sendTo(of.owner, 'sandbox', 'files', `[a](${path})`)
    const gone = await sendTo(of.owner, 'sandbox', 'plans', 'zqx')
    const id = await startExport(of.owner)
    await advanceTo(of, collected)
    world.evictable = false
    let partsWhenItWent: number | null = null
    const eraseOnce = async <Answer>(call: () => Promise<Answer>) => {
      const { parts } = (await standing(of))!
      if (parts === 1 && partsWhenItWent === null) {
        partsWhenItWent = parts
        await erase(of, gone)
      }
      return call()
    }
    world.store = (call, method) => (method === 'get' ? eraseOnce(call) : call())
    const { bytes, files } = await finishExport(of, id)
    expect(textOf(bytes)).not.toContain('zqx')
    expect(partsWhenItWent).toBe(1)
    expect([...files.values()].some((file) => file.bytes.length === large.length)).toBe(true)
  })

  it('is not in it either when it is a small file', async () => {
    const path = await upload(of.owner, { name: 'small.txt', content: 'zqx bytes' })
    await sendTo(of.owner, 'sandbox', 'files', `[a](${path})`)
    const id = await startExport(of.owner)
    await advanceTo(of, collected)
    const { attachments } = expectSuccess(await of.owner.api.get('/attachments'))
    expectSuccess(await of.owner.api.delete(`/attachments/${attachments[0].id}`))
    expect(textOf((await finishExport(of, id)).bytes)).not.toContain('zqx')
    expect(await listedExport(of.owner, id)).toMatchObject({ pending: false, failed_timestamp: null })
  })
})
