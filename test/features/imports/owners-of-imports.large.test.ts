import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import {
  archiveOf,
  beginImport,
  countOf,
  headOf,
  importedPerson,
  importWithId,
  type Line,
  messagesOf,
  runImport,
  runUntil,
} from '../../support/imports.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const made = useRealmPerTest()
beforeEach(keepAlarmsAway)

/** More than a job writes before it lets others go first. */
const MANY = 10_000
const HEAD = [headOf('owners'), { type: 'channel', id: 'c', name: 'harbour' }]
const ADA: Line = { type: 'user', id: 'u', full_name: 'Ada', role: 'owner' }
const ROBO: Line = { type: 'user', id: 'b', full_name: 'Robo', is_bot: true, role: 'administrator' }
const messages = Array.from(
  { length: MANY },
  (_, at): Line => ({
    ...{ type: 'message', id: `m${at}`, sender: 'u', time_ms: 1_600_000_000_000 + at },
    ...{ channel: 'c', topic: 't', content: `text ${at}` },
  }),
)
const NO_OWNER = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const

async function runJobs(id: number): Promise<void> {
  for (let run = 0; run < 3; run += 1) {
    world.clockOffset += 2
    await runDurableObjectAlarm(realmStub(id))
  }
}

const demote = async ({ api }: TestUser, { id }: TestUser) =>
  expectSuccess(await api.patch(`/users/${id}`, { role: 400 }))

describe('An import', () => {
  it('gives out no role after its owner has lost the own, until another resumes it', async () => {
    const { realm } = made
    const ann = await buildUser(realm, { role: 100 })
    const id = await beginImport(ann, archiveOf([...HEAD, ADA, ROBO]))
    await runUntil(realm, id, 'waiting')
    expectSuccess(await ann.api.patch(`/imports/${id}`, { action: 'run' }))
    await demote(realm.owner, ann)
    await runJobs(realm.id)
    const paused = { state: 'writing', is_paused: true, acting_user_id: ann.id }
    expect(await importWithId(realm, id)).toMatchObject(paused)
    for (const name of ['Ada', 'Robo']) expect(await importedPerson(realm, name)).toBeUndefined()
    for (const action of ['resume', 'cancel'])
      expectRefusal(await ann.api.patch(`/imports/${id}`, { action }), ...NO_OWNER)
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'resume' }))
    expect((await runUntil(realm, id, 'finished')).acting_user_id).toBe(realm.owner.id)
    expect(await importedPerson(realm, 'Robo')).toMatchObject({ role: 400, bot_owner_id: realm.owner.id })
    expect(await findingsIn(realm)).toEqual([])
  })

  it('pauses amid its messages where its owner’s account is closed, and loses none', {
    timeout: 60_000,
  }, async () => {
    const { realm } = made
    const ann = await buildUser(realm, { role: 100 })
    const id = await beginImport(ann, archiveOf([...HEAD, ADA, ...messages]))
    await runUntil(realm, id, 'waiting')
    expectSuccess(await ann.api.patch(`/imports/${id}`, { action: 'run' }))
    for (let run = 0; ((await importWithId(realm, id)).messages_written ?? 0) === 0; run += 1) {
      expect(run).toBeLessThan(50)
      await runUntil(realm, id, 'writing')
    }
    expectSuccess(await realm.owner.api.delete(`/users/${ann.id}`))
    await runJobs(realm.id)
    const { is_paused, messages_written } = await importWithId(realm, id)
    expect(is_paused).toBe(true)
    expect(messages_written).toBeLessThan(MANY)
    await runJobs(realm.id)
    expect((await importWithId(realm, id)).messages_written).toBe(messages_written)
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'resume' }))
    const { report } = await runUntil(realm, id, 'finished')
    expect(countOf(report.written, 'messages')).toBe(MANY)
    const [last] = (await messagesOf(realm.owner, [{ operator: 'channel', operand: 'harbour' }])).slice(-1)
    expect(last?.content).toBe('text 999')
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is run by another owner where the one who began it is none', async () => {
    const { realm } = made
    const ann = await buildUser(realm, { role: 100 })
    const id = await beginImport(ann, archiveOf([...HEAD, ROBO]))
    await runUntil(realm, id, 'waiting')
    await demote(realm.owner, ann)
    expectRefusal(await ann.api.patch(`/imports/${id}`, { action: 'run' }), ...NO_OWNER)
    await runImport(realm, id)
    await runUntil(realm, id, 'finished')
    expect((await importedPerson(realm, 'Robo')).bot_owner_id).toBe(realm.owner.id)
  })

  it('is one of two that owners begin or run at once', async () => {
    const { realm } = made
    const ann = await buildUser(realm, { role: 100 })
    const owners = [ann, realm.owner]
    const paths = await Promise.all(
      owners.map((owner) => upload(owner, { name: 'a.jsonl', type: 'text/plain', content: archiveOf(HEAD) })),
    )
    const begun = await Promise.all(
      owners.map(({ api }, at) =>
        api.post('/imports', { path_id: paths[at]!.replace('/user_uploads/', '') }),
      ),
    )
    const outcomes = ({ body }: { body: { msg: string } }) => body.msg
    expect(begun.map(outcomes).sort()).toEqual(['', 'Another import is under way'])
    const { id } = begun.find(({ status }) => status === 200)!.body
    await runUntil(realm, id, 'waiting')
    const run = await Promise.all(owners.map(({ api }) => api.patch(`/imports/${id}`, { action: 'run' })))
    expect(run.map(outcomes).sort()).toEqual(['', 'This import does not wait for anybody'])
    const { report } = await runUntil(realm, id, 'finished')
    expect(countOf(report.written, 'public channels')).toBe(1)
  })
})
