import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import {
  announceArchive,
  archiveIdOf,
  beginArchive,
  IMPORT_UPLOADS,
  importUploaded,
  sendArchive,
  sendPart,
  UPLOAD_GONE,
} from '../../support/import-uploads.ts'
import { archiveOf, headOf, runUntil } from '../../support/imports.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { askTus, bytes, CHUNK, MIB, offsetOf } from '../../support/tus.ts'
import { useRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const WEEK = 7 * 86_400
const SHORT = new TextEncoder().encode(archiveOf([headOf('test:short')]))

async function storedFiles(realm: TestRealm): Promise<number> {
  return (await env.UPLOADS.list({ prefix: `user_uploads/${realm.id}/` })).objects.length
}

describe('an archive', () => {
  const { realm } = useRealmPerTest()
  beforeEach(keepAlarmsAway)

  it('goes on after the store was away', async () => {
    const { owner } = realm
    const url = await beginArchive(owner, SHORT.length)
    world.storeIsDown = true
    expect((await sendPart(owner, url, 0, SHORT)).status).toBe(503)
    world.storeIsDown = false
    expect((await sendPart(owner, url, 0, SHORT)).status).toBe(204)
    await runUntil(realm, await importUploaded(owner, url), 'waiting')
  })

  it('is there for another try, and is deleted a week later', async () => {
    const { owner } = realm
    const url = await sendArchive(owner, SHORT)
    const first = await importUploaded(owner, url)
    await runUntil(realm, first, 'waiting')
    expectRefusal(await askTus(owner, 'DELETE', url), 'This archive is being imported')
    expectSuccess(await owner.api.patch(`/imports/${first}`, { action: 'cancel' }))
    await runUntil(realm, first, 'cancelled')
    world.clockOffset += WEEK - 3_600
    const second = await importUploaded(owner, url)
    await runUntil(realm, second, 'waiting')
    world.clockOffset += WEEK + 3_600
    await runAlarms(realm, 2)
    // An import that waits still reads it.
    expect(await storedFiles(realm)).toBe(1)
    expectSuccess(await owner.api.patch(`/imports/${second}`, { action: 'cancel' }))
    await runUntil(realm, second, 'cancelled')
    world.clockOffset += 86_400
    await runAlarms(realm, 3)
    expect([await offsetOf(owner, url), await storedFiles(realm)]).toEqual(['status 404', 0])
  })

  it('is deleted when an owner says so', async () => {
    const url = await sendArchive(realm.owner, SHORT)
    await runUntil(realm, await importUploaded(realm.owner, url), 'waiting')
    const [{ id }] = expectSuccess(await realm.owner.api.get('/imports')).imports
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'cancel' }))
    await runUntil(realm, id, 'cancelled')
    expect(await storedFiles(realm)).toBe(1)
    expect((await askTus(realm.owner, 'DELETE', url)).status).toBe(204)
    expectRefusal(await realm.owner.api.post('/imports', { upload_id: archiveIdOf(url) }), UPLOAD_GONE, {
      status: 404,
    })
    await runAlarms(realm, 2)
    expect(await storedFiles(realm)).toBe(0)
  })

  it('takes the place of one that is complete, and of no other', async () => {
    const { owner } = realm
    const first = await beginArchive(owner, SHORT.length)
    expectRefusal(await announceArchive(owner, 9), 'Another archive is being uploaded')
    expectRefusal(
      await owner.api.post('/imports', { upload_id: archiveIdOf(first) }),
      'The archive is not completely uploaded',
    )
    await sendPart(owner, first, 0, SHORT)
    const second = await beginArchive(owner, 9)
    expect([await offsetOf(owner, first), await offsetOf(owner, second)]).toEqual(['status 404', 0])
    expect((await askTus(owner, 'DELETE', second)).status).toBe(204)
    const third = await sendArchive(owner, SHORT)
    await importUploaded(owner, third)
    expectRefusal(await announceArchive(owner, 9), 'This archive is being imported')
  })
})

describe('an upload of an archive', () => {
  const { realm, ann } = useRealm({ ann: 'member' })
  const { realm: other } = useRealm()

  it('is for owners alone', async () => {
    const url = await beginArchive(realm.owner, 5)
    const requests = [
      (user: TestUser | TestRealm) => announceArchive(user, 5),
      (user: TestUser | TestRealm) => askTus(user, 'GET', url),
      (user: TestUser | TestRealm) => askTus(user, 'DELETE', url),
      (user: TestUser | TestRealm) =>
        askTus(user, 'PATCH', url, { headers: { ...CHUNK, 'Upload-Offset': '0' }, body: bytes(5) }),
    ]
    const [administrator, guest] = await Promise.all([
      buildUser(realm, { role: 200 }),
      buildUser(realm, { role: 600 }),
    ])
    for (const ask of requests) {
      for (const user of [administrator, ann, guest]) {
        expectRefusal(await ask(user), 'Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
      }
      expect((await ask(realm)).status).toBe(401)
    }
    expect(await offsetOf(realm.owner, url)).toBe(0)
    await askTus(realm.owner, 'DELETE', url)
  })

  it('is not there for owners of other organizations', async () => {
    const { owner: stranger } = other
    const url = await beginArchive(realm.owner, 5)
    expectRefusal(await sendPart(stranger, url, 0, bytes(5)), UPLOAD_GONE, { status: 404 })
    expect(await offsetOf(stranger, url)).toBe('status 404')
    expectRefusal(await askTus(stranger, 'DELETE', url), UPLOAD_GONE, { status: 404 })
    expectRefusal(await stranger.api.post('/imports', { upload_id: archiveIdOf(url) }), UPLOAD_GONE, {
      status: 404,
    })
    expect(expectSuccess(await stranger.api.get('/imports')).upload).toBeNull()
    await askTus(realm.owner, 'DELETE', url)
  })

  it('refuses what is empty, or larger than archives may be', async () => {
    world.settings = { IMPORT_ARCHIVE_MIB: '1' }
    const msg = "File is larger than this server's maximum size of an archive (1 MiB)."
    expectRefusal(await announceArchive(realm.owner, MIB + 1), msg, { status: 413 })
    expectRefusal(await announceArchive(realm.owner, 0), 'The archive is empty')
    world.settings = {}
    const max = (await askTus(realm.owner, 'OPTIONS', IMPORT_UPLOADS)).headers.get('tus-max-size')
    expect(max).toBe(String(102_400 * MIB))
    const ofDeployment = "File is larger than this server's maximum size of an archive (102400 MiB)."
    expectRefusal(await announceArchive(realm.owner, 102_400 * MIB + 1), ofDeployment, { status: 413 })
  })
})
