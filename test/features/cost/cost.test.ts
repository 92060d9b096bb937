import { beforeEach, describe, expect, it } from 'vitest'
import { ROWS_HEADER, rowsOf } from '../../support/counted-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { saveUsage } from '../../support/inside-work.ts'
import { sendDirect } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { pngOf } from '../../support/pictures.ts'
import { openQueue, whileListening } from '../../support/queues.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { fetchPath, postFiles, upload as storeFile } from '../../support/uploads.ts'
import { buildRealm, useRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { standInForTheWeb, work } from '../../support/web.ts'
import { world } from '../../support/world.ts'

neverEvict()
useReliableD1()

const { realm, ann } = useRealm({ ann: 'member' })
const save = () => inRealm(realm, ({ parts }) => saveUsage(parts))

describe('GET /cost', () => {
  it('has the month, prices with their day, and the dearest first', async () => {
    await sendDirect(ann, [ann], 'hello')
    expectSuccess(await ann.api.get('/users/me'))
    await save()
    const cost = expectSuccess(await realm.owner.api.get('/cost'))
    expect(cost).toMatchObject({
      month: new Date().toISOString().slice(0, 7),
      plan_dollars: 5,
      prices_of: '2026-11-30',
      cap_dollars: null,
      deployment_cap_dollars: null,
      common_cap_dollars: null,
      used_of_cap: 0,
      shed: [],
    })
    const { lines } = cost as { lines: { kind: string; used: number; dollars: number }[] }
    const dollars = lines.map((line) => line.dollars)
    expect(dollars).toEqual(dollars.toSorted((a, b) => b - a))
    expect(cost.dollars).toBeCloseTo(
      dollars.reduce((sum, each) => sum + each, 0),
      9,
    )
    expect(cost.forecast_dollars).toBeGreaterThanOrEqual(cost.dollars)
    const used = Object.fromEntries(lines.map((line) => [line.kind, line.used]))
    expect(used.workerRequests).toBeGreaterThan(0)
    expect(used.gbSeconds).toBeGreaterThanOrEqual(1.28)
    expect(used.rowsWritten).toBeGreaterThan(3)
    expect(used.objectMegabytes).toBeGreaterThan(0)
  })

  it('counts what was used since', async () => {
    const written = async () => {
      await save()
      const { lines } = expectSuccess(await realm.owner.api.get('/cost')) as {
        lines: { kind: string; used: number }[]
      }
      return lines.find(({ kind }) => kind === 'rowsWritten')!.used
    }
    const before = await written()
    for (let n = 0; n < 5; n += 1) await sendDirect(ann, [ann], 'hello')
    expect(await written()).toBeGreaterThanOrEqual(before + 15)
  })
})

describe('PATCH /cost', () => {
  it('sets the owners’ cap, refuses less than a dollar, and is in the audit log', async () => {
    const { owner } = await buildRealm()
    expectSuccess(await owner.api.patch('/cost', { cap_dollars: 20 }))
    expect(expectSuccess(await owner.api.get('/cost')).cap_dollars).toBe(20)
    for (const wrong of [0, -1, 0.5, 2_000_000, '"x"'])
      expect((await owner.api.patch('/cost', { cap_dollars: wrong })).status).toBe(400)
    const { entries } = expectSuccess(await owner.api.get('/audit_log'))
    expect(entries[0]).toMatchObject({ action: 'organization_changed', details: { cost_cap: 20 } })
    expectSuccess(await owner.api.patch('/cost', { cap_dollars: 'null' }))
    expect(expectSuccess(await owner.api.get('/cost')).cap_dollars).toBeNull()
  })
})

describe('an organization near its cap', () => {
  const small = useRealmPerTest(
    { ann: 'member', ben: 'member' },
    { settings: { inline_url_embed_preview: true } },
  )
  const web = standInForTheWeb()

  /** Has the organization used a part of its cap. */
  async function use(part: number): Promise<void> {
    expectSuccess(await small.owner.api.get('/users/me'))
    await inRealm(small.realm, async ({ parts }) => {
      await saveUsage(parts)
      const cap = 1
      parts.usage.count('object_rows_total{rows="written"}', part * cap * 1e6)
      await saveUsage(parts)
    })
  }

  beforeEach(async () => {
    expectSuccess(await small.owner.api.patch('/cost', { cap_dollars: 1 }))
  })

  const ping = { status: 'active', slim_presence: true }
  const typing = () => ({ type: 'direct', op: 'start', to: [small.ben.id] })
  const upload = () => postFiles(small.ann, '/user_uploads', [{}])

  it('goes without presence and typing from 80 % on, which succeed and do nothing', async () => {
    const queue = await openQueue(small.ben)
    expect(await whileListening([queue], () => small.ann.api.post('/typing', typing()))).not.toEqual([[]])
    await use(0.85)
    expect(expectSuccess(await small.owner.api.get('/cost')).shed).toEqual(['presence'])
    const presence = expectSuccess(await small.ann.api.post('/users/me/presence', ping))
    expect(presence).toMatchObject({ presences: {}, presence_last_update_id: -1 })
    expectSuccess(await small.ann.api.post('/typing', typing()))
    expect((await queue.eventsOf('typing')).length).toBeLessThanOrEqual(1)
    expect((await upload()).status).toBe(200)
  })

  it('refuses uploads from 100 % on, in words, and sends and reads messages as ever', async () => {
    await use(1.1)
    expect(expectSuccess(await small.owner.api.get('/cost')).shed).toEqual([
      'presence',
      'holds',
      'previews',
      'uploads',
    ])
    const refused = await upload()
    expect([refused.status, refused.body.code]).toEqual([402, 'COST_CAP_REACHED'])
    const id = await sendDirect(small.ann, [small.ben], 'still here')
    const read = expectSuccess(await small.ben.api.get(`/messages/${id}`))
    expect(read.message.content).toContain('still here')
    expect((await openQueue(small.ben)).id).toBeTruthy()
  })

  it('makes no previews, no new thumbnails and no held polls from 95 % on', async () => {
    const path = await storeFile(small.ann, pngOf(2_000, 1_000))
    const smaller = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`
    const thumbnail = async () =>
      (await fetchPath(small.realm, smaller, small.ann)).headers.get('content-type')
    await use(0.96)
    expect(expectSuccess(await small.owner.api.get('/cost')).shed).toEqual(['presence', 'holds', 'previews'])
    expect(await thumbnail()).toBe('image/png')
    await sendDirect(small.ann, [small.ben], web.site)
    await work(small.realm)
    expect(web.asked).toEqual([])
    expect(await inRealm(small.realm, ({ parts }) => parts.busyQueueMs())).toBe(0)
    expectSuccess(await small.owner.api.patch('/cost', { cap_dollars: 100 }))
    expect(await inRealm(small.realm, ({ parts }) => parts.busyQueueMs())).toBeGreaterThan(0)
    expect(await thumbnail()).toBe('image/webp')
    await sendDirect(small.ann, [small.ben], web.site)
    await work(small.realm)
    expect(web.asked).toEqual([web.site])
  })

  it('tells its owners at 80 % and at 100 %, once each', async () => {
    const notices = async () => {
      const { messages } = expectSuccess(
        await small.owner.api.get('/messages', {
          anchor: 'newest',
          num_before: 50,
          num_after: 0,
          narrow: [],
        }),
      ) as { messages: { content: string }[] }
      return messages.filter(({ content }) => content.includes('cost cap')).length
    }
    await use(0.5)
    expect(await notices()).toBe(0)
    await use(0.35)
    await use(0.01)
    expect(await notices()).toBe(1)
    await use(0.5)
    await use(0.5)
    expect(await notices()).toBe(2)
  })

  it('is whole again when the cap is raised, or taken away', async () => {
    await use(1.1)
    expect((await upload()).status).toBe(402)
    expectSuccess(await small.owner.api.patch('/cost', { cap_dollars: 100 }))
    expect((await upload()).status).toBe(200)
  })

  it('keeps to the deployment’s cap for its host, and to that for all together', async () => {
    expectSuccess(await small.owner.api.patch('/cost', { cap_dollars: 'null' }))
    world.settings = { COST_CAPS: `${small.realm.host}=1` }
    await use(1.1)
    expect(expectSuccess(await small.owner.api.get('/cost')).deployment_cap_dollars).toBe(1)
    expect((await upload()).status).toBe(402)
    world.settings = {}
    expect((await upload()).status).toBe(200)
    world.settings = { COST_CAPS: '*=1' }
    await use(0.1)
    expect((await upload()).status).toBe(402)
    expect(expectSuccess(await small.owner.api.get('/cost'))).toMatchObject({
      deployment_cap_dollars: null,
      common_cap_dollars: 1,
      used_of_cap: expect.toSatisfy((part: number) => part >= 1),
    })
  })

  it('remembers after it has left memory', async () => {
    await use(1.1)
    await inRealm(small.realm, (object) => object.stop()).catch(() => {})
    expect((await upload()).status).toBe(402)
  })
})

it('a request that is refused for its rate reads at most four rows', async () => {
  world.limited = true
  world.settings = { RATE_LIMIT_API_BY_USER: '1/60' }
  await ann.api.get('/users/me')
  const refused = await ann.api.request('GET', '/users/me', {}, { headers: { [ROWS_HEADER]: 'count' } })
  expect(refused.status).toBe(429)
  expect(rowsOf(refused).object.read).toBeLessThanOrEqual(4)
})
