import { describe, expect, it } from 'vitest'
import { buildUser, expectSuccess } from '../../support/factories.ts'
import { buildBot } from '../../support/inside.ts'
import { askTus, beginUpload, bytes, CHUNK, MIB, offsetOf, sendChunk } from '../../support/tus.ts'
import { authorization, postFiles, readStatus } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben } = useRealm({ ann: 'member', ben: 'member' })

describe('a chunk is refused', () => {
  it('when its offset is missing or not the upload’s', async () => {
    const begun = await beginUpload(ann, 10)
    await sendChunk(ann, begun, 0, 'abc')
    for (const offset of [0, 2, 4, 10]) {
      const { status, body } = await sendChunk(ann, begun, offset, 'x')
      expect([status, body.result, body.code]).toEqual([409, 'error', 'BAD_REQUEST'])
      // Clients of the protocol read the refusal's text here.
      expect(body.message).toBe(body.msg)
    }
    for (const offset of ['-1', 'x', '1.5', '']) {
      const headers = { ...CHUNK, 'Upload-Offset': offset }
      expect((await askTus(ann, 'PATCH', begun, { headers, body: 'x' })).status).toBe(400)
    }
    expect((await askTus(ann, 'PATCH', begun, { headers: CHUNK, body: 'x' })).status).toBe(400)
    expect(await offsetOf(ann, begun)).toBe(3)
  })

  it('when it is of another type', async () => {
    const begun = await beginUpload(ann, 10)
    const headers = { 'Content-Type': 'text/plain', 'Upload-Offset': '0' }
    const { status, body } = await askTus(ann, 'PATCH', begun, { headers, body: 'abc' })
    expect([status, body.code]).toEqual([415, 'BAD_REQUEST'])
    expect(await offsetOf(ann, begun)).toBe(0)
  })

  it('when it is longer than announced, declared or not', async () => {
    const begun = await beginUpload(ann, 4)
    const announced = { ...CHUNK, 'Upload-Offset': '0', 'Content-Length': '5' }
    const { status } = await askTus(ann, 'PATCH', begun, { headers: announced, body: 'abcde' })
    expect(status).toBe(413)
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of ['abcd', 'e']) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    })
    expect((await sendChunk(ann, begun, 0, chunks)).status).toBe(413)
    expect(await offsetOf(ann, begun)).toBe(0)
  })
})

describe('an upload is refused', () => {
  const begin = (headers: Record<string, string>) => askTus(ann, 'POST', '/api/v1/tus/', { headers })

  it('without a length, or with an invalid one', async () => {
    expect((await begin({})).status).toBe(411)
    expect((await begin({ 'Upload-Defer-Length': '1' })).status).toBe(411)
    for (const length of ['-1', 'x', '1e3', '']) {
      expect((await begin({ 'Upload-Length': length })).status).toBe(400)
    }
  })

  it('when it is larger than uploads may be', async () => {
    world.settings = { MAX_FILE_UPLOAD_MIB: '1' }
    expect((await begin({ 'Upload-Length': String(MIB) })).status).toBe(201)
    const { status, body } = await begin({ 'Upload-Length': String(MIB + 1) })
    expect([status, body.msg]).toEqual([
      413,
      "File is larger than this server's configured maximum upload size (1 MiB).",
    ])
    expect((await askTus(realm, 'OPTIONS', '/api/v1/tus/')).headers.get('tus-max-size')).toBe(String(MIB))
  })

  it('when the organization’s space is used up, unfinished uploads included', async () => {
    const { user } = await buildRealm({ user: 'member' })
    world.settings = { UPLOAD_QUOTA_MIB: '1' }
    const [first, second] = [await beginUpload(user, MIB - 100), await beginUpload(user, 200)]
    expect((await sendChunk(user, first, 0, bytes(MIB - 200))).status).toBe(204)
    for (const answer of [
      await askTus(user, 'POST', '/api/v1/tus/', { headers: { 'Upload-Length': '201' } }),
      await sendChunk(user, first, MIB - 200, bytes(100)).then(() => sendChunk(user, second, 0, bytes(101))),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([413, 'REALM_UPLOAD_QUOTA'])
      expect(answer.body.msg).toBe("Upload would exceed your organization's upload quota.")
    }
    expect((await sendChunk(user, second, 0, bytes(100))).status).toBe(204)
    // Nor is there room for a file that is uploaded in one request.
    const { status, body } = await postFiles(user, '/user_uploads', [{ content: 'x' }])
    expect([status, body.code]).toEqual([400, 'REALM_UPLOAD_QUOTA'])
  })

  it('when its metadata cannot be decoded', async () => {
    for (const said of ['filename ***', 'a YQ==,a YQ==', 'a b c', 'a,,b', `a ${'A'.repeat(9_000)}`]) {
      const { status } = await begin({ 'Upload-Length': '1', 'Upload-Metadata': said })
      expect([said.slice(0, 20), status]).toEqual([said.slice(0, 20), 400])
    }
    for (const said of ['', 'filename', 'filename ', ' a YQ== , b']) {
      expect((await begin({ 'Upload-Length': '1', 'Upload-Metadata': said })).status).toBe(201)
    }
  })
})

describe('the protocol', () => {
  it('is described to anybody, at every route, whatever the version', async () => {
    const begun = await beginUpload(ann, 1)
    for (const path of ['/api/v1/tus', '/api/v1/tus/', begun]) {
      const { status, headers } = await askTus(realm, 'OPTIONS', path, {
        headers: { 'Tus-Resumable': '0.2.2' },
      })
      expect([status, headers.get('tus-version'), headers.get('tus-extension')]).toEqual([
        204,
        '1.0.0',
        'creation,creation-with-upload,termination,expiration',
      ])
      expect(headers.get('tus-max-size')).toBe(String(100 * MIB))
    }
  })

  it('has one version; any other is refused', async () => {
    const begun = await beginUpload(ann, 3)
    for (const version of ['0.2.2', '']) {
      for (const [method, path] of [
        ['POST', '/api/v1/tus/'],
        ['HEAD', begun],
        ['PATCH', begun],
        ['DELETE', begun],
      ] as const) {
        const headers = { ...CHUNK, 'Upload-Length': '3', 'Upload-Offset': '0', 'Tus-Resumable': version }
        const body = method === 'HEAD' ? null : 'abc'
        const answer = await askTus(ann, method, path, { headers, body })
        expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0'])
        expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
      }
    }
    expect(await offsetOf(ann, begun)).toBe(0)
  })

  it('accepts the method in a header', async () => {
    const begun = await beginUpload(ann, 3)
    const headers = { ...CHUNK, 'Upload-Offset': '0', 'X-HTTP-Method-Override': 'PATCH' }
    const { status, body } = await askTus(ann, 'POST', begun, { headers, body: 'abc' })
    expect([status, body.result]).toEqual([200, 'success'])
    expect((await askTus(ann, 'POST', begun)).status).toBe(405)
    expect((await askTus(ann, 'PUT', '/api/v1/tus/')).headers.get('allow')).toBe('OPTIONS, POST')
  })
})

describe('the method in a header', () => {
  it('counts for POST alone: what another site may ask for changes nothing', async () => {
    const begun = await beginUpload(ann, 3)
    for (const method of ['GET', 'HEAD', 'PATCH']) {
      const headers = { ...CHUNK, 'X-HTTP-Method-Override': 'DELETE', 'Sec-Fetch-Site': 'cross-site' }
      await askTus(ann, method, begun, { headers })
      expect(await offsetOf(ann, begun)).toBe(0)
    }
    const headers = { 'X-HTTP-Method-Override': 'DELETE' }
    const crossSite = { ...headers, 'Sec-Fetch-Site': 'cross-site' }
    expect((await askTus(ann, 'POST', begun, { headers: crossSite })).body.code).toBe('CSRF_FAILED')
    expect((await askTus(ann, 'POST', begun, { headers })).status).toBe(204)
  })
})

describe('an unfinished upload', () => {
  it('is accessible to its owner alone, and missing for everybody else', async () => {
    const begun = await beginUpload(ann, 10)
    const { stranger } = await buildRealm({ stranger: 'member' })
    const nowhere = begun.replace(/\w{4}$/, '0000')
    for (const [who, path] of [
      [ben, begun],
      [realm.owner, begun],
      [stranger, begun],
      [ann, nowhere],
    ] as const) {
      const answers = [
        await askTus(who, 'HEAD', path),
        await askTus(who, 'GET', path),
        await sendChunk(who, path, 0, 'abc'),
        await askTus(who, 'DELETE', path),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
      expect(answers[1]!.body).toEqual(answers[2]!.body)
      expect(answers[0]!.headers.has('upload-offset')).toBe(false)
    }
    for (const [method, path] of [
      ['POST', '/api/v1/tus/'],
      ['HEAD', begun],
      ['PATCH', begun],
      ['DELETE', begun],
    ] as const) {
      expect((await askTus(realm, method, path)).status).toBe(401)
      // The key of another organization does not help.
      const headers = authorization(stranger)
      expect((await askTus(realm, method, path, { headers })).status).toBe(401)
    }
    expect(await offsetOf(ann, begun)).toBe(0)
  })

  it('is removed when its owner is deactivated', async () => {
    const leaver = await buildUser(realm)
    const begun = await beginUpload(leaver, 10)
    await sendChunk(leaver, begun, 0, 'abc')
    expectSuccess(await realm.owner.api.delete(`/users/${leaver.id}`))
    expect((await sendChunk(leaver, begun, 3, 'def')).status).toBe(401)
    expect(await offsetOf(leaver, begun)).toBe('status 401')
  })

  it('may belong to a guest or a bot', async () => {
    for (const user of [await buildUser(realm, { role: 600 }), await buildBot(realm, ann)]) {
      const begun = await beginUpload(user, 3)
      const { body } = await sendChunk(user, begun, 0, 'abc')
      expect(await readStatus(realm, body.url, user)).toBe(200)
    }
  })
})
