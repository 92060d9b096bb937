import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import {
  archiveIdOf,
  beginArchive,
  importUploaded,
  PART,
  sendArchive,
  sendPart,
  UPLOAD_GONE,
} from '../../support/import-uploads.ts'
import { archiveOf, countOf, headOf, runUntil } from '../../support/imports.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { bytes, MIB, offsetOf } from '../../support/tus.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const WEEK = 7 * 86_400

/** An archive of a part and a bit. */
const LONG = new TextEncoder().encode(
  archiveOf([
    headOf('test:long'),
    { type: 'user', id: '1', full_name: 'Ada Amsel', padding: 'x'.repeat(9 * MIB) },
    { type: 'user', id: '2', full_name: 'Ben Brandt', padding: 'y'.repeat(8 * MIB) },
  ]),
)

/** Returns a body that breaks off after this chunk. */
function breakingOff(chunk: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new Error('The connection was lost'))
      else controller.enqueue(chunk)
      isSent = true
    },
  })
}

describe('an archive', () => {
  const { realm } = useRealmPerTest()
  beforeEach(keepAlarmsAway)

  it('comes in parts, and is imported', async () => {
    const { owner } = realm
    const url = await sendArchive(owner, LONG)
    const id = await importUploaded(owner, url)
    const { report, name, size } = await runUntil(realm, id, 'waiting')
    expect([name, size, countOf(report.records, 'user')]).toEqual(['team.jsonl', LONG.length, 2])
  })

  it('is continued by another owner, in another place', async () => {
    const other = await buildUser(realm, { role: 100 })
    const url = await beginArchive(realm.owner, LONG.length)
    await sendPart(realm.owner, url, 0, LONG.subarray(0, PART))
    const { upload } = expectSuccess(await other.api.get('/imports'))
    expect(upload).toMatchObject({
      id: archiveIdOf(url),
      user_id: realm.owner.id,
      name: 'team.jsonl',
      size: LONG.length,
      received: PART,
      part_size: PART,
    })
    expect(await offsetOf(other, url)).toBe(PART)
    const { status, headers } = await sendPart(other, url, PART, LONG.subarray(PART))
    expect([status, headers.get('upload-offset')]).toEqual([204, String(LONG.length)])
    await runUntil(realm, await importUploaded(other, url), 'waiting')
  })

  it('keeps nothing of a part that breaks off, and goes on', async () => {
    const { owner } = realm
    const url = await beginArchive(owner, LONG.length)
    const broken = await sendPart(owner, url, 0, breakingOff(LONG.subarray(0, MIB)))
    expect(broken.status).toBe(499)
    expect(await offsetOf(owner, url)).toBe(0)
    await sendPart(owner, url, 0, LONG.subarray(0, PART))
    expect((await sendPart(owner, url, PART, breakingOff(LONG.subarray(PART, PART + 9)))).status).toBe(499)
    expect(await offsetOf(owner, url)).toBe(PART)
    await sendPart(owner, url, PART, LONG.subarray(PART))
    await runUntil(realm, await importUploaded(owner, url), 'waiting')
  })

  it('takes one of two parts that are sent at once', async () => {
    const { owner } = realm
    const url = await beginArchive(owner, LONG.length)
    const both = await Promise.all([1, 2].map(() => sendPart(owner, url, 0, LONG.subarray(0, PART))))
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
    await sendPart(owner, url, PART, LONG.subarray(PART))
    await runUntil(realm, await importUploaded(owner, url), 'waiting')
  })

  it('that is not imported within a week is deleted', async () => {
    const url = await beginArchive(realm.owner, LONG.length)
    await sendPart(realm.owner, url, 0, LONG.subarray(0, PART))
    world.clockOffset += WEEK + 1
    expectRefusal(await sendPart(realm.owner, url, PART, LONG.subarray(PART)), UPLOAD_GONE, { status: 404 })
    expect(expectSuccess(await realm.owner.api.get('/imports')).upload).toBeNull()
    await runAlarms(realm, 2)
    world.clockOffset -= WEEK + 1
    expect(await offsetOf(realm.owner, url)).toBe('status 404')
  })

  it('takes no parts of another size, and at another place', async () => {
    const url = await beginArchive(realm.owner, PART + 5)
    const size = `The next part has to have ${PART} bytes`
    expectRefusal(await sendPart(realm.owner, url, 0, bytes(5)), size)
    expectRefusal(await sendPart(realm.owner, url, 0, bytes(PART + 5)), size)
    expectRefusal(
      await sendPart(realm.owner, url, 5, bytes(5)),
      'The upload does not continue at this offset',
      {
        status: 409,
        upload_offset: 0,
      },
    )
    await sendPart(realm.owner, url, 0, bytes(PART))
    expectRefusal(await sendPart(realm.owner, url, PART, bytes(6)), 'The next part has to have 5 bytes')
    expect((await sendPart(realm.owner, url, PART, bytes(5))).status).toBe(204)
    // What is complete stays as it is.
    const again = await sendPart(realm.owner, url, PART + 5, new Uint8Array(0))
    expect([again.status, again.headers.get('upload-offset')]).toEqual([204, String(PART + 5)])
  })
})
