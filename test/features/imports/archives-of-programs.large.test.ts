import { runDurableObjectAlarm } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { archivesOfPrograms, type ProgramsArchive } from '../../support/archives-of-programs.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { importWithId, runImport, runUntil } from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { upload } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealmPerTest()
beforeEach(keepAlarmsAway)

const MESSAGES = 180

async function begin(of: TestRealm, { name, bytes }: ProgramsArchive): Promise<number> {
  const path = await upload(of.owner, { name, type: 'application/octet-stream', content: bytes })
  const asked = { path_id: path.replace('/user_uploads/', '') }
  return expectSuccess(await of.owner.api.post('/imports', asked)).id
}

/** Makes the owner one of the people, where channels are private. */
function mappingFor({ ownerAs }: ProgramsArchive): Record<string, unknown> {
  return ownerAs === undefined ? {} : { users: { [ownerAs]: realm.owner.id } }
}

/** Returns the number of messages by channel and topic, as somebody reads them who joins. */
async function countedIn(of: TestRealm, counted: ProgramsArchive['counted']): Promise<Json> {
  const names = new Set(Object.keys(counted).map((place) => place.split(' > ')[0]!))
  const counts: Record<string, number> = {}
  const subscriptions = Array.from(names, (name) => ({ name }))
  const principals = [of.owner.id]
  for (const { name } of subscriptions)
    expectSuccess(
      await of.owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], principals }),
    )
  for (const name of names) {
    const narrow = [{ operator: 'channel', operand: name }]
    const asked = { anchor: 'newest', num_before: 1_000, num_after: 0, narrow, apply_markdown: false }
    const { messages } = expectSuccess(await of.owner.api.get('/messages', asked))
    for (const { subject, sender_full_name } of messages as Json[]) {
      if (sender_full_name.endsWith('Bot')) continue
      counts[`${name} > ${subject}`] = (counts[`${name} > ${subject}`] ?? 0) + 1
    }
  }
  return counts
}

describe.each(archivesOfPrograms(MESSAGES))('An archive of $format', (archive) => {
  it('has as many messages in each topic here as in its source', async () => {
    const id = await begin(realm, archive)
    await runUntil(realm, id, 'waiting')
    expect((await importWithId(realm, id)).format).toBe(archive.format)
    await runImport(realm, id, mappingFor(archive))
    const { report } = await runUntil(realm, id, 'finished')
    expect(report.problems).toEqual([])
    expect(await countedIn(realm, archive.counted)).toEqual(archive.counted)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is imported once wherever the object dies', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const id = await begin(realm, archive)
    let deaths = 0
    for (let run = 0; run < 60; run += 1) {
      const { state } = await importWithId(realm, id)
      if (state === 'finished') break
      if (state === 'waiting') await runImport(realm, id, mappingFor(archive))
      world.crashAt = 'importing'
      // The job keeps the lease of the run that crashed.
      world.clockOffset += 700
      await runDurableObjectAlarm(realmStub(realm.id)).catch(() => {})
      if (world.crashAt === undefined) deaths += 1
    }
    world.crashAt = undefined
    await runUntil(realm, id, 'finished')
    expect(deaths).toBeGreaterThanOrEqual(6)
    expect(await countedIn(realm, archive.counted)).toEqual(archive.counted)
  })
})
