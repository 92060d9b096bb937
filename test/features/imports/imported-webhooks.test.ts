import { runDurableObjectAlarm } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { countOf, headOf, importArchive, importedPerson, type Line, runUntil } from '../../support/imports.ts'
import { inRealm } from '../../support/inside.ts'
import { fromJson, type Json } from '../../support/json.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const made = useRealmPerTest()
const HOOK = 'https://imported.hooks.example.com/in'
const HOME: Line = { url: HOOK, format: 'json', token: 'of the old place' }
let posted: Json[]

beforeEach(() => {
  keepAlarmsAway()
  posted = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    if (String(url) === HOOK) posted.push(fromJson(String(init?.body)))
    return new Response('{}')
  })
})
afterEach(() => vi.restoreAllMocks())

const bot = (id: string, more: Line): Line => ({ type: 'user', id, full_name: id, is_bot: true, ...more })
const outgoing = (id: string, more: Line): Line => bot(id, { bot_kind: 'outgoing_webhook', ...more })

async function askHook(realm: TestRealm, hookId: number, content: string): Promise<void> {
  await realm.owner.api.post('/messages', { type: 'direct', to: [hookId], content })
  world.clockOffset += 1
  await runDurableObjectAlarm(realmStub(realm.id))
  await inRealm(realm, async ({ parts }) => {
    while (!parts.lanes.isIdle) await scheduler.wait(1)
  })
}

async function servicesOf({ owner }: TestRealm, botId: number): Promise<Json> {
  const { snapshot } = await openQueue(owner, { fetch_event_types: ['realm_bot'] })
  return snapshot.realm_bots.find(({ user_id }: Json) => user_id === botId)?.services
}

describe('An outgoing webhook of an import', () => {
  it('is called with its token from when an administrator reactivates it', async () => {
    const { realm } = made
    const { report } = await importArchive(realm, [headOf('hooks'), outgoing('Hook', { webhook: HOME })])
    expect(countOf(report.written, 'outgoing webhooks, switched off')).toBe(1)
    const hook = await importedPerson(realm, 'Hook')
    expect(hook).toMatchObject({ bot_type: 3, is_active: false })
    await askHook(realm, hook.user_id, 'too early')
    expect(posted).toEqual([])
    expectSuccess(await realm.owner.api.post(`/users/${hook.user_id}/reactivate`))
    await askHook(realm, hook.user_id, 'Listen')
    expect(posted).toMatchObject([{ data: 'Listen', token: 'of the old place', trigger: 'direct_message' }])
    expect(await servicesOf(realm, hook.user_id)).toEqual([
      { base_url: HOOK, interface: 1, token: 'of the old place' },
    ])
  })

  it('has neither address nor another’s token if it cannot be called', async () => {
    const { realm } = made
    const { report } = await importArchive(realm, [
      headOf('hooks'),
      outgoing('None', {}),
      outgoing('Odd', { webhook: { ...HOME, url: 'file:///etc/passwd' } }),
      outgoing('Known', { webhook: { ...HOME, url: 'https://ann:secret@ci.example/' } }),
      outgoing('Long', { webhook: { ...HOME, format: 'form', token: 'x'.repeat(1_000) } }),
      bot('Posts', { bot_kind: 'incoming_webhook', webhook: HOME }),
      bot('Plain', { bot_kind: 'embedded' }),
    ])
    expect(countOf(report.problems, 'address of an outgoing webhook')).toBe(2)
    expect(countOf(report.written, 'outgoing webhooks, without an address')).toBe(3)
    for (const name of ['None', 'Odd', 'Known']) {
      const { user_id, is_active } = await importedPerson(realm, name)
      expect(is_active).toBe(true)
      expect(await servicesOf(realm, user_id)).toEqual([
        { base_url: '', interface: 1, token: expect.stringMatching(/^\w{32}$/) },
      ])
    }
    const long = await importedPerson(realm, 'Long')
    const [service] = await servicesOf(realm, long.user_id)
    expect(service).toMatchObject({ base_url: HOOK, interface: 2 })
    expect(service.token).toMatch(/^\w{32}$/)
    expect(await importedPerson(realm, 'Posts')).toMatchObject({ bot_type: 2, is_active: true })
    expect(await importedPerson(realm, 'Plain')).toMatchObject({ bot_type: 1, is_active: true })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is gone when its import is undone', async () => {
    const { realm } = made
    const { id } = await importArchive(realm, [headOf('hooks'), outgoing('Hook', { webhook: HOME })])
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'undo' }))
    await runUntil(realm, id, 'undone')
    expect(await importedPerson(realm, 'Hook')).toBeUndefined()
    expect(await findingsIn(realm)).toEqual([])
  })
})
