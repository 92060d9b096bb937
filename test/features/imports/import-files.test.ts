import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { realmStub } from '../../support/api.ts'
import { keepAlarmsAway } from '../../support/exports.ts'
import { buildUser, expectSuccess, type TestRealm, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { HUGE_PNG, MOVING_GIF, NO_IMAGE, PNG } from '../../support/images.ts'
import {
  archiveOf,
  beginImport,
  countOf,
  headOf,
  importAgain,
  importArchive,
  importedPerson,
  type Line,
  messagesOf,
  runUntil,
} from '../../support/imports.ts'
import type { Json } from '../../support/json.ts'
import { pngOf } from '../../support/pictures.ts'
import { fetchPath, readStatus } from '../../support/uploads.ts'
import { useRealmPerTest } from '../../support/use-realm.ts'
import { standInForTheWeb } from '../../support/web.ts'
import { world } from '../../support/world.ts'

const T = 1_600_000_000
const DAY = 86_400
const made = useRealmPerTest()
const web = standInForTheWeb()
beforeEach(keepAlarmsAway)

const base64 = (content: string | BlobPart | undefined) =>
  typeof content === 'string' ? btoa(content) : btoa(String.fromCharCode(...(content as Uint8Array)))

const user = (id: string, more: Line = {}): Line => ({ type: 'user', id, full_name: `Person ${id}`, ...more })
const file = (id: string, more: Line = {}): Line => ({
  type: 'file',
  id,
  name: `${id}.txt`,
  data: btoa(`bytes of ${id}`),
  ...more,
})
const said = (id: string, content: string, more: Line): Line => ({
  type: 'message',
  id,
  sender: 'u1',
  time_ms: (T + 10) * 1_000,
  content,
  ...more,
})
const CHANNELS: readonly Line[] = [
  { type: 'channel', id: 'open', name: 'open sea', members: [{ user: 'u1' }] },
  { type: 'channel', id: 'shut', name: 'shut door', privacy: 'private', members: [{ user: 'u1' }] },
]
const archive = (...lines: Line[]) => [headOf('files'), user('u1'), user('u2'), ...CHANNELS, ...lines]

/** Returns the one imported message with this beginning, as the reader gets it. */
async function messageOf(reader: TestUser, begins: string): Promise<Json> {
  const found = (await messagesOf(reader)).filter(({ content }) => content.startsWith(begins))
  expect(found).toHaveLength(1)
  return found[0]
}

const pathIn = ({ content }: Json, at = 0): string =>
  [...content.matchAll(/\/user_uploads\/[^)\s]+/g)][at]![0]

async function problemsOf(realm: TestRealm, id: number): Promise<string[]> {
  const { problems } = expectSuccess(await realm.owner.api.get(`/imports/${id}/problems`))
  return problems.map(({ kind, detail }: Json) => `${kind}: ${detail}`)
}

describe('A file of an import', () => {
  it('is an upload of its owner, linked from its message', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const { report } = await importArchive(
      realm,
      archive(
        file('plan', { owner: 'u1', created_ms: (T + 5) * 1_000, content_type: 'text/plain' }),
        said('m', 'see [the plan](parley-import:file/plan)', { channel: 'open', topic: 't' }),
      ),
      { users: { u1: ann.id } },
    )
    expect(countOf(report.written, 'files')).toBe(1)
    const message = await messageOf(ann, 'see')
    const path = pathIn(message)
    expect(message.content).toBe(`see [the plan](${path})`)
    expect(await (await fetchPath(realm, path, ann)).text()).toBe('bytes of plan')
    const { attachments } = expectSuccess(await ann.api.get('/attachments'))
    expect(attachments).toEqual([
      expect.objectContaining({
        name: 'plan.txt',
        path_id: path.replace('/user_uploads/', ''),
        size: 13,
        create_time: (T + 5) * 1_000,
        messages: [{ id: message.id, date_sent: (T + 10) * 1_000 }],
      }),
    ])
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is copied anew by a later import if it was deleted without a message', async () => {
    const { realm } = made
    const lines = archive(
      file('plan'),
      said('m', 'see [the plan](parley-import:file/plan)', { channel: 'open', topic: 't' }),
    )
    await importArchive(realm, lines)
    const narrow = [{ operator: 'channel', operand: 'open sea' }]
    const [{ id }] = await messagesOf(realm.owner, narrow)
    expectSuccess(await realm.owner.api.delete(`/messages/${id}`))
    world.clockOffset += 31 * DAY
    await runDurableObjectAlarm(realmStub(realm.id))
    const again = said('n', 'again [the plan](parley-import:file/plan)', { channel: 'open', topic: 't' })
    const { report } = await importAgain(realm, [...lines, again])
    expect(countOf(report.written, 'files')).toBe(1)
    const message = (await messagesOf(realm.owner, narrow)).at(-1)!
    expect(await readStatus(realm, pathIn(message), realm.owner)).toBe(200)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is readable for those who may read its message alone', async () => {
    const { realm } = made
    const [ann, outsider, guest] = await Promise.all([
      buildUser(realm),
      buildUser(realm),
      buildUser(realm, { role: 600 }),
    ])
    await importArchive(
      realm,
      archive(
        file('public'),
        file('secret'),
        file('direct'),
        said('1', 'one [a](parley-import:file/public)', { channel: 'open', topic: 't' }),
        said('2', 'two [a](parley-import:file/secret)', { channel: 'shut', topic: 't', sender: 'u2' }),
        said('3', 'three [a](parley-import:file/direct)', { to: ['u2'] }),
      ),
      { users: { u1: ann.id } },
    )
    const paths = await Promise.all(
      ['one', 'two', 'three'].map(async (one) => pathIn(await messageOf(ann, one))),
    )
    const statuses = (reader?: TestUser) => Promise.all(paths.map((path) => readStatus(realm, path, reader)))
    expect(await statuses(ann)).toEqual([200, 200, 200])
    expect(await statuses(outsider)).toEqual([200, 403, 403])
    expect(await statuses(guest)).toEqual([403, 403, 403])
    // The owner too, who has started the import: files that have no owner there belong to whoever has sent them.
    expect(await statuses(realm.owner)).toEqual([200, 403, 403])
    expect(await statuses()).toEqual([403, 403, 403])
  })

  it('is a picture below a link to it, in smaller forms, whoever sent it', async () => {
    const { realm } = made
    await importArchive(
      realm,
      archive(
        file('dot', { name: 'a [dot].png', owner: 'u2', data: base64(PNG.content) }),
        said('m', 'look ![](parley-import:file/dot)', { channel: 'open', topic: 't' }),
      ),
    )
    const { messages } = expectSuccess(
      await realm.owner.api.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: 'open sea' }],
      }),
    )
    const { content } = messages.at(-1)
    expect(content).toContain('>a dot .png</a>')
    const thumbnail = /src="(\/user_uploads\/thumbnail\/[^"]+)"/.exec(content)![1]!
    expect((await fetchPath(realm, thumbnail, realm.owner)).headers.get('Content-Type')).toBe('image/webp')
  })

  it('is a picture of a private channel that strangers see in no form', async () => {
    const { realm } = made
    const [ann, stranger] = [await buildUser(realm), await buildUser(realm)]
    await importArchive(
      realm,
      archive(
        file('dot', { name: 'dot.png', data: base64(PNG.content) }),
        said('m', 'look ![](parley-import:file/dot)', { channel: 'shut', topic: 't' }),
      ),
      { users: { u1: ann.id } },
    )
    const asked = { anchor: 'newest', num_before: 10, num_after: 0 }
    const { messages } = expectSuccess(await ann.api.get('/messages', asked))
    const { content } = messages.find((one: Json) => one.content.includes('thumbnail'))
    const paths = [...content.matchAll(/"(\/user_uploads\/[^"]+)"/g)].map(([, path]) => path as string)
    expect(paths.length).toBeGreaterThan(1)
    for (const path of paths) {
      expect(await readStatus(realm, path, ann)).toBe(200)
      for (const reader of [stranger, realm.owner, undefined])
        expect(await readStatus(realm, path, reader)).toBe(403)
    }
  })

  it('is a picture of more pixels than are made smaller here, with all its bytes', async () => {
    const { realm } = made
    const large = pngOf(2_400, 1_600)
    const bytes = large.content as Uint8Array
    const { report } = await importArchive(
      realm,
      archive(
        file('view', { name: 'view.png', owner: 'u2', data: Buffer.from(bytes).toString('base64') }),
        said('m', 'look ![](parley-import:file/view)', { channel: 'open', topic: 't' }),
      ),
    )
    expect(report.problems).toEqual([])
    const { messages } = expectSuccess(
      await realm.owner.api.get('/messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: 'open sea' }],
      }),
    )
    const { content } = messages.at(-1)
    const shown = /src="([^"]+)"/.exec(content)![1]!
    const answer = await fetchPath(realm, shown.replace(/^https?:\/\/[^/]+/, ''), realm.owner)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^image\//)
    const whole = await fetchPath(realm, /href="(\/user_uploads\/[^"]+)"/.exec(content)![1]!, realm.owner)
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(bytes)
  })

  it('that the text does not name is linked below it', async () => {
    const { realm } = made
    await importArchive(
      realm,
      archive(
        file('a'),
        file('b'),
        said('m', `[a](parley-import:file/a) ${'x'.repeat(11_000)}`, {
          channel: 'open',
          topic: 't',
          files: ['a', 'b', 'none'],
        }),
        said('n', '', { channel: 'open', topic: 't', files: ['b'] }),
      ),
    )
    const sent = (await messagesOf(realm.owner, PUBLIC)).filter(({ content }) =>
      content.includes('/user_uploads/'),
    )
    expect(sent.map(({ content }) => content.length <= 10_000)).toEqual([true, true])
    expect(sent[0].content).toMatch(
      /\[message truncated\]\n\n\[b\.txt\]\(\/user_uploads\/[^)]+\)\nfile \*\(missing file\)\*$/,
    )
    expect(sent[1].content).toMatch(/^\[b\.txt\]\(\/user_uploads\/[^)]+\)$/)
  })

  it('comes from its address, if that is encrypted and public', async () => {
    const { realm } = made
    const answers: Record<string, () => Response> = {
      'https://files.example.com/good': () => new Response('from afar'),
      'https://files.example.com/moved': () =>
        new Response(null, { status: 302, headers: { Location: 'https://files.example.com/good' } }),
      'https://files.example.com/down': () =>
        new Response(null, { status: 302, headers: { Location: 'http://files.example.com/good' } }),
      'https://files.example.com/inside': () =>
        new Response(null, { status: 302, headers: { Location: 'https://10.0.0.1/' } }),
      'https://files.example.com/gone': () => new Response('no', { status: 404 }),
      'https://files.example.com/login': () =>
        new Response('<html>', { headers: { 'Content-Type': 'text/html' } }),
    }
    web.pages = { ...web.pages, ...answers }
    const urls = [
      ...Object.keys(answers),
      'http://files.example.com/good',
      'https://10.0.0.1/x',
      'file:///etc',
      'none',
    ]
    const { id, report } = await importArchive(
      realm,
      archive(
        ...urls.map((url, at) => file(`f${at}`, { data: undefined, url })),
        ...urls.map((_, at) =>
          said(`m${at}`, `file ${at}: [f${at}](parley-import:file/f${at})`, { channel: 'open', topic: 't' }),
        ),
      ),
    )
    expect(countOf(report.written, 'files')).toBe(2)
    const texts = (await messagesOf(realm.owner, PUBLIC)).filter(({ content }) => content.startsWith('file '))
    expect(texts.map(({ content }) => content.includes('/user_uploads/'))).toEqual(
      urls.map((_, at) => at < 2),
    )
    expect(texts[4].content).toBe('file 4: f4 *(missing file)*')
    expect(await (await fetchPath(realm, pathIn(texts[1]), realm.owner)).text()).toBe('from afar')
    expect(web.asked.filter((url) => !url.startsWith('https://files.example.com/'))).toEqual([])
    expect(await problemsOf(realm, id)).toEqual(
      expect.arrayContaining([
        'file: f4.txt: the server answers 404',
        expect.stringMatching(/^file: f6\.txt: its address/),
      ]),
    )
  })

  it('has the limits of uploads', async () => {
    const { realm } = made
    const bytes = (count: number) => btoa('x'.repeat(count))
    const lines = archive(
      file('large', { data: bytes(1024 * 1024 + 1) }),
      ...['a', 'b', 'c'].map((one) => file(one, { data: bytes(500_000) })),
    )
    const id = await beginImport(realm.owner, archiveOf(lines))
    await runUntil(realm, id, 'waiting')
    const { upload_space_used } = expectSuccess(await realm.owner.api.get('/attachments'))
    const mib = Math.ceil((upload_space_used + 600_000) / 1024 / 1024)
    world.settings = { MAX_FILE_UPLOAD_MIB: '1', UPLOAD_QUOTA_MIB: String(mib) }
    expectSuccess(await realm.owner.api.patch(`/imports/${id}`, { action: 'run' }))
    const { report } = await runUntil(realm, id, 'finished')
    const copied = countOf(report.written, 'files')
    expect(copied).toBe(Math.floor((mib * 1024 * 1024 - upload_space_used) / 500_000))
    expect(copied).toBeLessThan(3)
    const problems = await problemsOf(realm, id)
    expect(problems[0]).toMatch(/^file: large\.txt: it is too large/)
    expect(problems).toHaveLength(4 - copied)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is removed again where its message is left out, until another import brings that', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const lines = archive(
      file('secret', { owner: 'u1' }),
      said('m', 'see [it](parley-import:file/secret)', { channel: 'shut', topic: 't' }),
    )
    const decide = (private_channels: boolean) => ({ users: { u1: ann.id }, private_channels })
    const without = await importArchive(realm, lines, decide(false))
    expect(countOf(without.report.written, 'files of no message, removed again')).toBe(1)
    expect(expectSuccess(await ann.api.get('/attachments')).attachments).toEqual([])
    await importAgain(realm, lines, decide(true))
    expect(await (await fetchPath(realm, pathIn(await messageOf(ann, 'see')), ann)).text()).toBe(
      'bytes of secret',
    )
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is copied once, however often the source is imported', async () => {
    const { realm } = made
    const lines = archive(
      file('a'),
      said('m', 'see [a](parley-import:file/a)', { channel: 'open', topic: 't' }),
    )
    await importArchive(realm, lines)
    const { report } = await importAgain(realm, lines)
    expect(countOf(report.written, 'files')).toBe(0)
    expect((await env.UPLOADS.list({ prefix: `user_uploads/${realm.id}/` })).objects).toHaveLength(3)
    expect(await findingsIn(realm)).toEqual([])
  })
})

describe('A picture of an import', () => {
  it('is that of a person, unless the account was here already', async () => {
    const { realm } = made
    const ann = await buildUser(realm)
    const before = expectSuccess(await ann.api.get('/users/me')).avatar_url
    const { report } = await importArchive(
      realm,
      [
        headOf('files'),
        user('u1', { avatar: 'face' }),
        user('u2', { avatar: 'face' }),
        user('u3', { avatar: 'bad' }),
        user('u4', { avatar: 'huge' }),
        file('face', { name: 'face.png', data: base64(PNG.content) }),
        file('bad', { data: base64(NO_IMAGE.content as string) }),
        file('huge', { data: base64(HUGE_PNG.content) }),
      ],
      { users: { u1: ann.id } },
    )
    expect(countOf(report.written, 'pictures of people')).toBe(1)
    expect(countOf(report.problems, 'file')).toBe(2)
    const { avatar_url } = await importedPerson(realm, 'Person u2')
    expect(avatar_url).toMatch(/^\/user_avatars\//)
    for (const path of [avatar_url, avatar_url.replace('.png', '-medium.png')]) {
      expect((await fetchPath(realm, path)).headers.get('Content-Type')).toBe('image/png')
    }
    expect(expectSuccess(await ann.api.get('/users/me')).avatar_url).toBe(before)
    expect((await importedPerson(realm, 'Person u3')).avatar_url).not.toMatch(/^\/user_avatars/)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is a custom emoji, with which people have reacted', async () => {
    const { realm } = made
    const reactions = [
      { user: 'u1', emoji: 'Party Boat', kind: 'custom' },
      { user: 'u2', emoji: 'gone', kind: 'custom' },
      { user: 'u2', emoji: 'wave in the source', code: '1f44b-1f3fd' },
      { user: 'u1', emoji: 'none', kind: 'custom' },
    ]
    const { report } = await importArchive(
      realm,
      archive(
        file('boat', { data: base64(PNG.content) }),
        file('old', { data: base64(MOVING_GIF.content) }),
        { type: 'emoji', id: 'e1', name: 'Party Boat', image: 'boat', author: 'u2' },
        { type: 'emoji', id: 'e2', name: 'gone', image: 'old', deactivated: true },
        { type: 'emoji', id: 'e3', name: '!?', image: 'old' },
        said('m', 'react :party_boat:', { channel: 'open', topic: 't', reactions }),
      ),
    )
    expect(countOf(report.written, 'custom emoji')).toBe(2)
    const { emoji } = expectSuccess(await realm.owner.api.get('/realm/emoji'))
    const [boat, gone] = Object.values<Json>(emoji).toSorted((one, other) => (one.name < other.name ? 1 : -1))
    const u2 = await importedPerson(realm, 'Person u2')
    expect(boat).toMatchObject({
      name: 'party_boat',
      author_id: u2.user_id,
      deactivated: false,
      still_url: null,
    })
    expect(gone).toMatchObject({ name: 'gone', deactivated: true, still_url: expect.any(String) })
    const found = (await messagesOf(realm.owner, PUBLIC)).find(({ content }) => content.startsWith('react'))
    expect(found.reactions.map(({ emoji_code, reaction_type }: Json) => [emoji_code, reaction_type])).toEqual(
      [
        [boat!.id, 'realm_emoji'],
        [gone!.id, 'realm_emoji'],
        ['1f44b', 'unicode_emoji'],
      ],
    )
    expect(countOf(report.problems, 'unknown emoji')).toBe(1)
    expect(countOf(report.problems, 'emoji whose name cannot be used')).toBe(1)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is the icon of an organization that has none', async () => {
    const { realm } = made
    const lines = [
      headOf('files'),
      { type: 'organization', name: 'Harbour', icon: 'i' },
      file('i', { data: base64(PNG.content) }),
    ]
    await importArchive(realm, lines)
    const { icon_url } = expectSuccess(await realm.owner.api.get('/realm/icon'))
    expect(icon_url).toContain('/user_avatars/')
    const { report } = await importArchive(realm, [{ ...headOf('other') }, ...lines.slice(1)])
    expect(countOf(report.passed_over, 'organization.icon')).toBe(1)
    expect(expectSuccess(await realm.owner.api.get('/realm/icon')).icon_url).toBe(icon_url)
    expect(expectSuccess(await realm.owner.api.post('/register', {})).realm_name).not.toBe('Harbour')
  })

  it('is read no further than a picture may be large', async () => {
    const { realm } = made
    const mebibyte = new Uint8Array(1024 * 1024)
    let sent = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      sent += 1
      if (sent > 40) controller.close()
      else controller.enqueue(mebibyte)
    }
    web.pages = {
      ...web.pages,
      'https://files.example.com/endless': () => new Response(new ReadableStream({ pull })),
    }
    const { id } = await importArchive(realm, [
      headOf('files'),
      user('u1', { avatar: 'far' }),
      user('u2', { avatar: 'near' }),
      file('far', { data: undefined, url: 'https://files.example.com/endless' }),
      file('near', { data: btoa('x'.repeat(5 * 1024 * 1024 + 1)) }),
    ])
    expect(sent).toBeLessThan(10)
    expect((await problemsOf(realm, id)).toSorted()).toEqual([
      expect.stringMatching(/^file: far\.txt: it is too large/),
      expect.stringMatching(/^file: near\.txt: it is too large/),
    ])
  })

  it('is fetched once, however often the source is imported', async () => {
    const { realm } = made
    const url = 'https://files.example.com/face'
    web.pages = { ...web.pages, [url]: () => new Response(PNG.content as BodyInit) }
    const far = { data: undefined, url, name: 'face.png' }
    const lines = [headOf('files'), user('u1', { avatar: 'face' }), file('face', far)]
    await importArchive(realm, lines)
    const asked = () => web.asked.filter((one) => one === url).length
    expect(asked()).toBe(1)
    const { report } = await importAgain(realm, lines)
    expect(asked()).toBe(1)
    expect(countOf(report.written, 'files of no message, removed again')).toBe(0)
    expect((await importedPerson(realm, 'Person u1')).avatar_url).toMatch(/^\/user_avatars\//)
    expect(await findingsIn(realm)).toEqual([])
  })

  it('is entered once where the archive has it twice, as files are', async () => {
    const { realm } = made
    const emoji = { type: 'emoji', id: 'e1', name: 'boat', image: 'boat', deactivated: true }
    const picture = file('boat', { data: base64(PNG.content) })
    const { report } = await importArchive(
      realm,
      archive(
        ...[emoji, { ...emoji, name: 'other' }, picture, picture],
        ...[file('a'), file('a'), file('b'), file('a')],
        said('m', '[a](parley-import:file/a) [b](parley-import:file/b)', { channel: 'open', topic: 't' }),
      ),
    )
    expect(countOf(report.written, 'custom emoji')).toBe(1)
    expect(countOf(report.written, 'files')).toBe(2)
    expect(await findingsIn(realm)).toEqual([])
  })
})

const PUBLIC = [{ operator: 'channels', operand: 'public' }]
