import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { runAlarms } from '../../support/alarms.ts'
import { evictRealm } from '../../support/api.ts'
import { finishExport, startExport } from '../../support/exports.ts'
import { expectSuccess, type TestRealm } from '../../support/factories.ts'
import { PNG } from '../../support/images.ts'
import { importUploaded, sendArchive } from '../../support/import-uploads.ts'
import { archiveOf, headOf, runImport, runUntil } from '../../support/imports.ts'
import { sweepRealms } from '../../support/inside-deployment.ts'
import { interceptD1With } from '../../support/intercepted-d1.ts'
import { pngOf } from '../../support/pictures.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { DAY, HOUR } from '../../support/times.ts'
import { MIB } from '../../support/tus.ts'
import { fetchPath, postFiles, readStatus, upload, uploadKey } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const NO_ROOM = "Upload would exceed your organization's upload quota."

beforeEach(async () => {
  world.hasBucket = false
  await clearRoom()
})
const { realm } = useRealmPerTest()

/** Returns bytes of which each short piece is different. */
function bytesOf(size: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(size / 4))
  for (let at = 0; at < words.length; at += 1) words[at] = Math.imul(at + 1, 2_654_435_761)
  return new Uint8Array(words.buffer, 0, size)
}

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetchPath(realm, path, realm.owner, { headers })
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) }
}

/** Returns the numbers of files, pieces and bytes that D1 has of an organization. */
async function inD1({ id }: TestRealm) {
  const row = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM stored_file WHERE realm_id = ?1) AS files,
       (SELECT count(*) FROM stored_piece) AS pieces,
       coalesce((SELECT bytes FROM stored_space WHERE realm_id = ?1), 0) AS bytes`,
  )
    .bind(id)
    .first<{ files: number; pieces: number; bytes: number }>()
  return row!
}

/** Closes an organization, and lets the time pass until it is deleted. */
async function letItBeDeleted(): Promise<void> {
  expectSuccess(await realm.owner.api.post('/realm/deactivate', { deletion_delay_days: 14 }))
  for (const seconds of [14 * DAY, HOUR]) {
    world.clockOffset += seconds
    await runAlarms(realm, 10)
  }
}

/** Leaves room for this many bytes, by a file that somebody else or the organization itself has. */
async function leaveRoom(bytes: number, whose: 'own' | 'all'): Promise<void> {
  const [realmId, limit] = whose === 'own' ? [realm.id, 50 * MIB] : [0, 150 * MIB]
  const space = await env.DB.prepare(`SELECT bytes FROM stored_space WHERE realm_id = ?`)
    .bind(realmId)
    .first()
  await env.DB.prepare(`INSERT INTO stored_file VALUES ('filler', ?, 'filler', ?, 0, NULL, NULL)`)
    .bind(whose === 'own' ? realm.id : 1_000_000, limit - bytes - Number(space?.bytes ?? 0))
    .run()
}

async function clearRoom(): Promise<void> {
  await env.DB.prepare(`DELETE FROM stored_file WHERE id = 'filler'`).run()
}

describe('without a bucket a file', () => {
  it('is read whole and by ranges', async () => {
    const content = bytesOf(2 * MIB)
    const path = await upload(realm.owner, { content })
    for (const [from, to] of [
      [0, 0],
      [749_999, 750_000],
      [750_000, 1_499_999],
      [10, 2 * MIB - 1],
      [2 * MIB - 1, 2 * MIB - 1],
    ] as const) {
      const part = await read(path, { Range: `bytes=${from}-${to}` })
      expect(part).toEqual({ status: 206, bytes: content.subarray(from, to + 1) })
    }
    expect(await read(path)).toEqual({ status: 200, bytes: content })
    expect((await read(path, { Range: `bytes=${2 * MIB}-` })).status).toBe(416)
    expect((await env.UPLOADS.list({ prefix: `user_uploads/${realm.id}/` })).objects).toEqual([])
  })

  it('has at most five megabytes, which clients learn', async () => {
    const { max_file_upload_size_mib, realm_upload_quota_mib } = expectSuccess(
      await realm.owner.api.post('/register'),
    )
    expect([max_file_upload_size_mib, realm_upload_quota_mib]).toEqual([5, 50])
    const content = bytesOf(5 * MIB)
    expect(await read(await upload(realm.owner, { content }))).toEqual({ status: 200, bytes: content })
    expectRefusal(
      await postFiles(realm.owner, '/user_uploads', [{ content: bytesOf(5 * MIB + 1) }]),
      "File is larger than this server's configured maximum upload size (5 MiB).",
    )
  })

  it('leaves nothing behind when it is deleted', async () => {
    const before = await inD1(realm)
    const path = await upload(realm.owner, { content: bytesOf(MIB) })
    expect(await inD1(realm)).toEqual({ files: 1, pieces: before.pieces + 2, bytes: MIB })
    const { attachments } = expectSuccess(await realm.owner.api.get('/attachments'))
    expectSuccess(await realm.owner.api.delete(`/attachments/${attachments[0].id}`))
    await runAlarms(realm, 2, HOUR)
    expect(await inD1(realm)).toEqual({ files: 0, pieces: before.pieces, bytes: 0 })
    expect(await readStatus(realm, path, realm.owner)).toBe(404)
  })

  it('may be a picture of an account, and has thumbnails', async () => {
    expectSuccess(await postFiles(realm.owner, '/users/me/avatar', [PNG]))
    const { avatar_url } = expectSuccess(await realm.owner.api.get('/users/me'))
    expect(await readStatus(realm, avatar_url)).toBe(200)
    const path = await upload(realm.owner, pngOf(900, 600))
    const { files } = await inD1(realm)
    const thumbnail = `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/300x200.webp`
    expect(await readStatus(realm, thumbnail, realm.owner)).toBe(200)
    expect((await inD1(realm)).files).toBe(files + 1)
  })

  it.each(['own', 'all'] as const)('is refused where there is no room: %s', async (whose) => {
    await leaveRoom(MIB, whose)
    const before = await inD1(realm)
    const tooMuch = [{ content: bytesOf(MIB + 1) }]
    expectRefusal(await postFiles(realm.owner, '/user_uploads', tooMuch), NO_ROOM, {
      code: 'REALM_UPLOAD_QUOTA',
    })
    expect(await inD1(realm)).toEqual(before)
    await upload(realm.owner, { content: bytesOf(MIB) })
    await clearRoom()
    expectSuccess(await postFiles(realm.owner, '/user_uploads', tooMuch))
  })

  it('whose upload was cut off is deleted after a week', async () => {
    await env.DB.prepare(`INSERT INTO stored_file VALUES ('cut', ?, 'k', 7, unixepoch(), 'd1-u', 1)`)
      .bind(realm.id)
      .run()
    await sweepRealms(env, Date.now() / 1_000 + 6 * DAY)
    expect((await inD1(realm)).files).toBe(1)
    await sweepRealms(env, Date.now() / 1_000 + 8 * DAY)
    expect(await inD1(realm)).toMatchObject({ files: 0, bytes: 0 })
  })

  it('answers 503 while D1 is away, and goes on afterwards', async () => {
    const path = await upload(realm.owner, { content: 'kept' })
    world.d1 = () => Promise.reject(new Error('D1 is down'))
    expect((await read(path)).status).toBe(503)
    expect((await postFiles(realm.owner, '/user_uploads', [{}])).status).toBe(503)
    world.d1 = (call) => call()
    expect((await read(path)).bytes).toEqual(new TextEncoder().encode('kept'))
  })
})

describe('without a bucket an organization', () => {
  it('is exported and imported', async () => {
    world.clockOffset = 10_000
    const { all } = await finishExport(realm, await startExport(realm.owner))
    expect(all('user').length).toBeGreaterThan(0)
    const archive = archiveOf([
      headOf('test:team'),
      { type: 'channel', id: 'c', name: 'brought' },
      // Larger than one part of the upload.
      `${JSON.stringify({ type: 'note', text: '' })}${' '.repeat(17 * MIB)}`,
    ])
    const url = await sendArchive(realm.owner, new TextEncoder().encode(archive))
    const id = await importUploaded(realm.owner, url)
    await runUntil(realm, id, 'waiting')
    await runImport(realm, id)
    await runUntil(realm, id, 'finished')
    const { streams } = expectSuccess(await realm.owner.api.get('/streams'))
    expect(streams.map(({ name }: { name: string }) => name)).toContain('brought')
  })

  it('leaves no file behind when it is deleted', async () => {
    await upload(realm.owner, { content: bytesOf(MIB) })
    await env.DB.prepare(`INSERT INTO stored_file VALUES ('cut', ?, 'k', 7, 0, 'd1-u', 1)`)
      .bind(realm.id)
      .run()
    await letItBeDeleted()
    expect(await inD1(realm)).toMatchObject({ files: 0, bytes: 0 })
  })
})

describe('files of a deployment that gets a bucket', () => {
  /** Binds a bucket. */
  async function bind(): Promise<void> {
    world.hasBucket = true
    world.settings = { ...world.settings, FILES_IN_D1: 'yes' }
    await evictRealm(realm.id)
  }

  /** Moves files as the Worker does at night. It ends before or after a call. Returns whether it came so far. */
  async function move(endsAt = 0, when: 'before' | 'after' = 'before'): Promise<boolean> {
    let calls = 0
    const end = () => {
      throw new Error('The Worker ended')
    }
    const count = <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
      calls += 1
      if (calls !== endsAt) return call()
      return when === 'after' ? call().then(end) : end()
    }
    const bucket = new Proxy(env.UPLOADS, {
      get:
        (target, name) =>
        (...args: unknown[]) =>
          count(() => Reflect.get(target, name).apply(target, args)),
    })
    const db = interceptD1With(env.DB, count, 'DB')
    const moving = { ...env, DB: db, UPLOADS: bucket, FILES_IN_D1: 'yes' }
    return sweepRealms(moving, Date.now() / 1_000).then(
      () => false,
      () => true,
    )
  }

  it('are read before, while and after they move, wherever the move ends', async () => {
    for (let [call, hasEnded] = [1, true]; hasEnded; call += 1) {
      for (const when of ['before', 'after'] as const) {
        world.hasBucket = false
        world.settings = {}
        const content = bytesOf(MIB + call)
        const path = await upload(realm.owner, { content })
        await bind()
        hasEnded = await move(call, when)
        expect(await read(path), `ended ${when} call ${call}`).toEqual({ status: 200, bytes: content })
        await move()
        expect((await inD1(realm)).files).toBe(0)
        const moved = await env.UPLOADS.get(uploadKey(path))
        expect(new Uint8Array(await moved!.arrayBuffer())).toEqual(content)
      }
    }
  })

  it('may be deleted while they move, and are gone then', async () => {
    const path = await upload(realm.owner, { content: 'doomed' })
    await bind()
    const bucket = new Proxy(env.UPLOADS, {
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          const answer = await Reflect.get(target, name).apply(target, args)
          if (name === 'put') {
            const { attachments } = expectSuccess(await realm.owner.api.get('/attachments'))
            expectSuccess(await realm.owner.api.delete(`/attachments/${attachments[0].id}`))
            await runAlarms(realm, 2, HOUR)
          }
          return answer
        },
    })
    await sweepRealms({ ...env, UPLOADS: bucket, FILES_IN_D1: 'yes' }, Date.now() / 1_000)
    expect(await env.UPLOADS.head(uploadKey(path))).toBeNull()
    expect(await readStatus(realm, path, realm.owner)).toBe(404)
  })

  it('have no limits of D1 any more, and new ones go to the bucket', async () => {
    await upload(realm.owner, { content: 'old' })
    await bind()
    const content = bytesOf(6 * MIB)
    const path = await upload(realm.owner, { content })
    expect(await read(path)).toEqual({ status: 200, bytes: content })
    expect((await env.UPLOADS.head(uploadKey(path)))?.size).toBe(content.length)
    expect((await inD1(realm)).files).toBe(1)
  })

  it('are all deleted with their organization', async () => {
    const moved = await upload(realm.owner, { content: 'moved' })
    await bind()
    await move()
    world.hasBucket = false
    world.settings = {}
    await evictRealm(realm.id)
    await upload(realm.owner, { content: 'left' })
    await bind()
    await letItBeDeleted()
    expect(await env.UPLOADS.head(uploadKey(moved))).toBeNull()
    expect(await inD1(realm)).toMatchObject({ files: 0, bytes: 0 })
  })
})
