import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { loseAnswer } from '../../support/lost-answers.ts'
import { openQueue } from '../../support/queues.ts'
import { expectRefusal, expectUnauthorized } from '../../support/refusals.ts'
import { bodyAfter, fetchPath, postBody, postFiles, upload } from '../../support/uploads.ts'
import { buildRealm, useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm, ann, ben, guest } = useRealm({ ann: 'member', ben: 'member', guest: 'guest' })

function contentOf(path: string, user: TestUser): Promise<string> {
  return fetchPath(realm, path, user).then((response) => response.text())
}

describe('when it is unknown whether the upload was recorded', () => {
  const { realm: other } = useRealm()

  it('its file is kept: a recorded upload can be read', async () => {
    const content = [
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      '',
      'abc',
      '--b--',
      '',
    ]
    const body = bodyAfter(loseAnswer, content.join('\r\n'))
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' }
    expect((await postBody(other.owner, '/user_uploads', body, headers)).status).toBe(503)
    const { attachments } = expectSuccess(await other.owner.api.get('/attachments'))
    expect(attachments).toHaveLength(1)
    const path = `/user_uploads/${attachments[0].path_id}`
    expect(await (await fetchPath(other, path, other.owner)).text()).toBe('abc')
  })
})

describe('uploading a file', () => {
  it('returns its URL under both names, and notifies the uploader alone', async () => {
    const [anns, bens] = [await openQueue(ann), await openQueue(ben)]
    const { body } = await postFiles(ann, '/user_uploads', [
      { name: 'Plan für 2027.pdf', type: 'application/pdf', content: 'plan' },
    ])
    expect(body).toMatchObject({ result: 'success', filename: 'Plan für 2027.pdf' })
    expect(body.uri).toBe(body.url)
    expect(body.url).toMatch(
      new RegExp(`^/user_uploads/${realm.id}/[0-9a-f]{2}/[0-9a-f]{32}/Plan-für-2027\\.pdf$`),
    )
    const [event] = await anns.eventsOf('attachment')
    expect(event).toMatchObject({
      op: 'add',
      attachment: {
        name: 'Plan für 2027.pdf',
        path_id: body.url.replace('/user_uploads/', ''),
        size: 4,
        messages: [],
      },
      upload_space_used: 4,
    })
    expect(Math.abs(event!.attachment.create_time - Date.now())).toBeLessThan(60_000)
    expect(await bens.eventsOf('attachment')).toEqual([])
    expect(await contentOf(body.url, ann)).toBe('plan')
  })

  it('accepts the file under any field name, with either form of filename', async () => {
    const part = (disposition: string) =>
      [
        '--xyz',
        'Content-Disposition: form-data; name="topic"',
        '',
        'a field, not a file',
        '--xyz',
        `Content-Disposition: form-data; ${disposition}`,
        'Content-Type: text/plain',
        '',
        'line 1\r\n--xy is no end\r\n',
        '--xyz--',
        '',
      ].join('\r\n')
    const post = (disposition: string) =>
      postBody(ann, '/user_uploads', part(disposition), {
        'Content-Type': 'multipart/form-data; boundary=xyz',
      })
    const pythons = expectSuccess(await post(`name="/srv/a.txt"; filename*=utf-8''na%C3%AFve.txt`))
    expect(pythons.filename).toBe('naïve.txt')
    expect(await contentOf(pythons.url, ann)).toBe('line 1\r\n--xy is no end\r\n')
    const gos = expectSuccess(await post('name="filename"; filename="C:\\\\temp\\\\say \\"hi\\".txt"'))
    expect(gos.filename).toBe('say "hi".txt')
    expect(gos.url).toMatch(/\/say-hi\.txt$/)
  })

  it('lists the other fields of its form, before and after the file, as ignored', async () => {
    const form = new FormData()
    form.append('purpose', 'x')
    form.append('file', new File(['some notes'], 'notes.txt'))
    form.append('a "note"', 'y')
    form.append('client', 'z')
    const { ignored_parameters_unsupported } = expectSuccess(
      await postBody(ann, '/user_uploads?purpose=1&album=2', form),
    )
    expect(ignored_parameters_unsupported).toEqual(['a "note"', 'album', 'purpose'])
  })

  it('is refused with thousands of fields, or a field with an endless name', async () => {
    const many = new FormData()
    for (let at = 0; at <= 1_000; at += 1) many.append(`f${at}`, 'x')
    many.append('file', new File(['some notes'], 'notes.txt'))
    expectRefusal(await postBody(ann, '/user_uploads', many), 'Too many parameters (limit: 1000)')
    expectRefusal(
      await postFiles(ann, '/user_uploads', [{}], { ['n'.repeat(201)]: 'x' }),
      'The name of a parameter is too long (limit: 200 characters)',
    )
  })

  it('makes a safe URL of any filename', async () => {
    const addressOf = async (name: string) => (await upload(ann, { name })).split('/').at(-1)
    expect(await addressOf('../../etc/passwd')).toBe('passwd')
    expect(await addressOf('..')).toBe('uploaded-file')
    expect(await addressOf('<script>alert(1)</script>.html')).toBe('script.html')
    expect(await addressOf('???')).toBe('uploaded-file')
    const long = await addressOf(`${'long'.repeat(100)}.tar`)
    expect([long?.length, long?.slice(-8)]).toEqual([120, 'long.tar'])
  })

  it('is allowed to guests', async () => {
    expect(await contentOf(await upload(guest, { content: 'by a guest' }), guest)).toBe('by a guest')
  })
})

describe('an upload is refused', () => {
  it('without credentials', async () => {
    expectUnauthorized(await realm.anonymous.post('/user_uploads'))
  })

  it('without a file, in a form or in none', async () => {
    const sentence = 'You must specify a file to upload'
    expectRefusal(await postFiles(ann, '/user_uploads', [], { file: 'text' }), sentence)
    expectRefusal(await ann.api.post('/user_uploads', { file: 'text' }), sentence)
    expectRefusal(await postFiles(ann, '/user_uploads', [{ name: '', content: '' }]), sentence)
  })

  it('when the form breaks off within the file', async () => {
    const body = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nhalf of'
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    expectRefusal(await postBody(ann, '/user_uploads', body, headers), 'You must specify a file to upload')
  })

  it('with more than one file, and none of them is kept', async () => {
    const before = (await ann.api.get('/attachments')).body
    expectRefusal(await postFiles(ann, '/user_uploads', [{}, {}]), 'You may only upload one file at a time')
    expect((await ann.api.get('/attachments')).body).toEqual(before)
  })

  it('when the file is larger than the server allows, and nothing of it is kept', async () => {
    world.settings = { MAX_FILE_UPLOAD_MIB: '1' }
    const stored = (await env.UPLOADS.list()).objects.length
    expectRefusal(
      await postFiles(ann, '/user_uploads', [{ content: new Uint8Array(1024 * 1024 + 1) }]),
      "File is larger than this server's configured maximum upload size (1 MiB).",
    )
    expect((await env.UPLOADS.list()).objects.length).toBe(stored)
    expect((await openQueue(ann)).snapshot.max_file_upload_size_mib).toBe(1)
    expectSuccess(await postFiles(ann, '/user_uploads', [{ content: new Uint8Array(1024 * 1024) }]))
  })

  it('when it would exceed the organization’s quota', async () => {
    const { owner } = await buildRealm()
    world.settings = { UPLOAD_QUOTA_MIB: '1' }
    expectSuccess(await postFiles(owner, '/user_uploads', [{ content: new Uint8Array(600_000) }]))
    expectRefusal(
      await postFiles(owner, '/user_uploads', [{ content: new Uint8Array(600_000) }]),
      "Upload would exceed your organization's upload quota.",
      { code: 'REALM_UPLOAD_QUOTA' },
    )
    const { attachments, upload_space_used } = (await owner.api.get('/attachments')).body
    expect([attachments.length, upload_space_used]).toEqual([1, 600_000])
    expect((await openQueue(owner)).snapshot.realm_upload_quota_mib).toBe(1)
  })
})

describe('what arrived of an upload that was never completed', () => {
  const { realm: lost } = useRealm()

  it('is removed after a day', async () => {
    await postFiles(lost.owner, '/user_uploads', [])
    const key = await inRealm(lost, (object) => {
      const row = object.parts.sql.first<{ key: string }>('SELECT key FROM file_removal')
      return row!.key
    })
    await env.UPLOADS.put(key, 'half a file')
    await inRealm(lost, (object) => object.alarm())
    expect(await env.UPLOADS.head(key)).not.toBeNull()
    world.clockOffset = 86_400 + 60
    await inRealm(lost, (object) => object.alarm())
    expect(await env.UPLOADS.head(key)).toBeNull()
  })
})
