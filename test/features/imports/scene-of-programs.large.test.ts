/** One scene, imported from the archive of each program: each of these is so whatever the program, if it has a place for it. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepAlarmsAway } from '../../support/exports.ts'
import { expectSuccess, type TestUser } from '../../support/factories.ts'
import { findingsIn } from '../../support/findings.ts'
import { PNG } from '../../support/images.ts'
import { importedPerson, importWithId, messagesOf, runImport, runUntil } from '../../support/imports.ts'
import { newestLogId } from '../../support/inside.ts'
import type { Json } from '../../support/json.ts'
import { BOUNCER_SETTINGS } from '../../support/push-bouncer.ts'
import { insertDevice } from '../../support/push-devices.ts'
import { expectRefusal } from '../../support/refusals.ts'
import { EDITED, type Scene, scenesOfPrograms, T, TEXTS } from '../../support/scene-of-programs.ts'
import { fetchPath, upload } from '../../support/uploads.ts'
import { useRealm, useRealmPerTest } from '../../support/use-realm.ts'
import { receiveWebhooks } from '../../support/webhooks.ts'
import { world } from '../../support/world.ts'

const MAIL_URL = 'https://mail.example.test/send'
const DAY = 86_400

beforeEach(keepAlarmsAway)

/** Has the archive read; returns the id of the import, which waits. */
async function begin(realm: Parameters<typeof runUntil>[0], { format, bytes }: Scene): Promise<number> {
  const path = await upload(realm.owner, {
    name: 'archive',
    type: 'application/octet-stream',
    content: bytes,
  })
  const { id } = expectSuccess(
    await realm.owner.api.post('/imports', { path_id: path.replace('/user_uploads/', '') }),
  )
  await runUntil(realm, id, 'waiting')
  expect((await importWithId(realm, id)).format).toBe(format)
  return id
}

describe.each(scenesOfPrograms())('What people said in $format', (scene) => {
  const { realm, ada, ben, eve } = useRealm({ ada: 'member', ben: 'member', eve: 'member' })
  let report: Json
  let said: Map<string, Json>
  const has = (lack: Parameters<Scene['lacks']['has']>[0]) => !scene.lacks.has(lack)
  /** Returns a message by how it begins, as Ada reads it. */
  const of = (text: string): Json => [...said].find(([content]) => content.startsWith(text))![1]

  beforeAll(async () => {
    await keepAlarmsAway()
    const id = await begin(realm, scene)
    await runImport(realm, id, { users: { [scene.ids.ada]: ada.id, [scene.ids.ben]: ben.id } })
    ;({ report } = await runUntil(realm, id, 'finished'))
    const all = (await messagesOf(ada)).filter(({ timestamp }) => timestamp < T + DAY)
    said = new Map(all.map((message) => [message.content.replace(/^> .*\n\n/, ''), message]))
  })

  it('is whole, without a problem, and verify finds nothing', async () => {
    expect(report.problems).toEqual([])
    for (const text of [...Object.values(TEXTS), 'see ', 'A map', 'Hey ']) expect(of(text)).toBeDefined()
    expect(await findingsIn(realm)).toEqual([])
  })

  it('has its dates, and ids that rise with them', () => {
    for (const [second, text] of Object.entries(TEXTS)) expect(of(text).timestamp).toBe(T + Number(second))
    const times = [...said.values()].sort((one, other) => one.id - other.id).map(({ timestamp }) => timestamp)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
  })

  it('is by those who said it', () => {
    expect([of(TEXTS[1]), of(TEXTS[2])].map(({ sender_id }) => sender_id)).toEqual([ada.id, ben.id])
    const names = [of(TEXTS[9]), of(TEXTS[10])].map(({ sender_full_name }) => sender_full_name)
    expect(names).toEqual(['Cleo Cruz', 'Robo'])
  })

  it('has threads as topics', () => {
    expect(of(TEXTS[3]).subject).toBe(of(TEXTS[2]).subject)
    expect(of(TEXTS[2]).subject).not.toBe(of(TEXTS[1]).subject)
  })

  it('has replies in direct messages as quotes, where the source has such', () => {
    const quote = has('quotes of direct messages') ? `> [Tea?](/#narrow/id/${of(TEXTS[6]).id})\n\n` : ''
    expect(of(TEXTS[7]).content).toBe(quote + TEXTS[7])
  })

  it('has edits with their time, and earlier versions where the source has them', async () => {
    const edited = of(TEXTS[8])
    expect(edited.last_edit_timestamp).toBe(T + EDITED)
    const { message_history } = expectSuccess(await ada.api.get(`/messages/${edited.id}/history`))
    const before = message_history.map(({ content }: Json) => content)
    expect(before).toContain(has('earlier versions') ? 'words before' : TEXTS[8])
  })

  it('has reactions, one for all skin tones, and custom emoji', () => {
    const reactions = of(TEXTS[1]).reactions.map(({ user_id, emoji_name, reaction_type }: Json) => {
      return [user_id, emoji_name, reaction_type]
    })
    const custom = has('custom emoji') ? [[ben.id, 'parrot', 'realm_emoji']] : []
    expect(reactions).toEqual([[ben.id, '+1', 'unicode_emoji'], ...custom])
  })

  it('mentions people, of whom nobody is called', async () => {
    expect(of(TEXTS[3]).content).toMatch(new RegExp(`^Mended, @_?\\*\\*Ben\\|${ben.id}\\*\\*$`))
    const { unread_msgs } = expectSuccess(await ben.api.post('/register', {}))
    expect(unread_msgs.mentions).toEqual([])
  })

  it('links to messages and channels that are here', () => {
    const { content, stream_id } = of('see ')
    expect(content.includes('#**boats**') || content.includes(`/#narrow/channel/${stream_id}`)).toBe(true)
    expect(content.includes(`(/#narrow/id/${of(TEXTS[1]).id})`)).toBe(has('links to messages'))
  })

  it('has its pictures, with smaller forms of them', async () => {
    const { id, content } = of('A map')
    const path = /\/user_uploads\/[^)]+map\.png/.exec(content)![0]
    const bytes = await (await fetchPath(realm, path, ada)).bytes()
    expect(Buffer.from(bytes).equals(Buffer.from(PNG.content as Uint8Array))).toBe(true)
    const { message } = expectSuccess(await ada.api.get(`/messages/${id}`))
    const thumbnail = /src="(\/user_uploads\/thumbnail\/[^"]+)"/.exec(message.content)![1]!
    expect((await fetchPath(realm, thumbnail, ada)).headers.get('Content-Type')).toBe('image/webp')
  })

  it('stays private where it was, with the history that new subscribers saw there', async () => {
    const shown = async (user: TestUser) => {
      const everything = { include_all: true, exclude_archived: false }
      const { streams } = expectSuccess(await user.api.get('/streams', everything))
      return new Map<string, Json>(streams.map((one: Json) => [one.name, one]))
    }
    const [own, hers] = [await shown(ada), await shown(eve)]
    expect(own.get('board')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: !has('protected history'),
    })
    expect(hers.has('board')).toBe(false)
    expect(hers.has('boats')).toBe(has('who reads a channel'))
    for (const text of [TEXTS[5], TEXTS[6]])
      expectRefusal(await eve.api.get(`/messages/${of(text).id}`), 'Invalid message(s)')
    const status = (await fetchPath(realm, /\/user_uploads\/[^)]+/.exec(of('A map').content)![0], eve)).status
    expect(status).toBe(has('who reads a channel') ? 200 : 403)
    expect(own.get('harbour')).toMatchObject({ is_archived: has('archived channels') })
  })

  it('is by bots, and by people who are gone, that nobody can log in as', async () => {
    const robo = await importedPerson(realm, 'Robo')
    expect(robo).toMatchObject({ is_bot: true, is_active: false })
    const cleo = await importedPerson(realm, 'Cleo Cruz')
    expect(cleo).toMatchObject({ is_bot: false, is_active: !has('closed accounts') })
    for (const { email } of [robo, cleo]) {
      const account = { username: email, password: 'anything at all' }
      expect((await realm.anonymous.post('/fetch_api_key', account)).status).toBe(401)
    }
  })

  it('is read by all, or unread where it was', async () => {
    const { unread_msgs } = expectSuccess(await ben.api.post('/register', {}))
    const imported = new Set(Array.from(said.values(), ({ id }) => id))
    const unread = [...unread_msgs.streams, ...unread_msgs.pms]
      .flatMap(({ unread_message_ids }: Json) => unread_message_ids)
      .filter((id) => imported.has(id))
    expect(unread).toEqual(has('read state') ? [of('A map').id] : [])
    const { unread_msgs: hers } = expectSuccess(await ada.api.post('/register', {}))
    expect(hers.streams).toEqual([])
  })
})

describe('An import', () => {
  const made = useRealmPerTest({ ada: 'member', ben: 'member' })
  const hooks = receiveWebhooks(made.realm)

  it.each(scenesOfPrograms())(
    'of $format sends nothing to anybody, and has clients register once',
    async (scene) => {
      const { realm, ada, ben } = made
      world.settings = { EMAIL_API_URL: MAIL_URL, ...BOUNCER_SETTINGS }
      await insertDevice(realm, ben)
      const hook = await hooks.build(realm.owner)
      const id = await begin(realm, scene)
      const { queue_id, last_event_id } = expectSuccess(await ben.api.post('/register', {}))
      const before = await newestLogId(realm)
      vi.mocked(fetch).mockClear()
      await runImport(realm, id, {
        users: { [scene.ids.ada]: ada.id, [scene.ids.ben]: ben.id, [scene.ids.robo]: hook.id },
      })
      await runUntil(realm, id, 'finished')
      const poll = { queue_id, last_event_id, dont_block: true }
      expect((await ben.api.get('/events', poll)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' })
      for (const seconds of [300, DAY]) await hooks.work(seconds)
      expect(vi.mocked(fetch).mock.calls.map(([url]) => String(url))).toEqual([])
      expect((await newestLogId(realm)) - before).toBeLessThan(Object.keys(TEXTS).length)
      // All of them are called for what is said here.
      const direct = { type: 'direct', to: [ben.id, hook.id], content: 'And now?' }
      expectSuccess(await ada.api.post('/messages', direct))
      for (const seconds of [300, DAY]) await hooks.work(seconds)
      const called = new Set(vi.mocked(fetch).mock.calls.map(([url]) => new URL(String(url)).host))
      expect(called.size).toBe(3)
    },
  )
})
