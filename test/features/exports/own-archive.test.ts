import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ImportReader } from '../../../src/imports/import-reader.ts'
import { findReaderOf } from '../../../src/imports/index.ts'
import { neutralReader } from '../../../src/imports/neutral-reader.ts'
import { mentionOf, referenceTo } from '../../../src/imports/references.ts'
import { type ReadArchive, readArchive } from '../../imports/read-archive.ts'
import { finishExport, keepAlarmsAway, startExport } from '../../support/exports.ts'
import { furnish } from '../../support/furnished-realm.ts'
import { PNG } from '../../support/images.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const { realm } = useRealm()
const reader = neutralReader as ImportReader

beforeEach(() => {
  keepAlarmsAway()
  world.settings = { OWNER_FULL_CONTENT_ACCESS: realm.host }
})
afterEach(() => {
  world.settings = {}
})

describe('the archive of an organization', () => {
  it('has all that an import of it needs', async () => {
    const { bea, cai, open, hidden, file, fieldId, sent } = await furnish(realm)
    const { bytes } = await finishExport(
      realm,
      await startExport(realm.owner, { export_type: 'full_without_consent' }),
    )
    const archive = {
      name: 'export.tar',
      size: bytes.length,
      read: async (from: number, to: number) => bytes.slice(from, to),
    }
    expect((await findReaderOf(archive))?.name).toBe('neutral')
    const read: ReadArchive = await readArchive(reader, archive)
    const [path, id] = [file.replace('/user_uploads/', ''), String]

    expect(read.records[0]).toMatchObject({ type: 'parley-import', source: `parley:http://${realm.host}` })
    const people = new Map(read.of('user').map((user) => [user.id, user]))
    expect(people.get(id(bea.id))).toMatchObject({
      full_name: 'Bea Birch',
      email: bea.email,
      role: 'member',
      is_bot: false,
      deactivated: false,
      avatar: `avatar:${bea.id}`,
      profile: [{ field: id(fieldId), value: 'Land' }],
    })
    expect(people.get(id(realm.owner.id))).toMatchObject({ role: 'owner' })
    expect([...people.values()].filter(({ deactivated }) => deactivated)).toMatchObject([
      { full_name: 'Gus Gone' },
    ])
    expect([...people.values()].filter(({ is_system_bot }) => is_system_bot).length).toBeGreaterThan(0)
    expect(read.of('profile_field')).toMatchObject([{ id: id(fieldId), name: 'Team', kind: 'choice' }])
    expect(read.of('group')).toMatchObject([
      { name: 'ops', description: 'Who mends', members: [id(bea.id), id(cai.id)] },
    ])
    const [folder] = read.of('channel_folder')
    const channels = new Map(read.of('channel').map((channel) => [channel.name, channel]))
    expect(channels.get('boats')).toMatchObject({ privacy: 'public', archived: false, folder: folder!.id })
    expect(channels.get('boats')!.members).toContainEqual({
      user: id(bea.id),
      color: '#ff0000',
      pinned: true,
    })
    expect(channels.get('board')).toMatchObject({
      id: id(hidden.id),
      privacy: 'private',
      history_public: false,
    })
    expect(channels.get('old')).toMatchObject({ archived: true })

    const pictures = [`avatar:${bea.id}`, 'icon', read.of('emoji')[0]!.image]
    const files = new Map(read.of('file').map((one) => [one.id, one]))
    expect([...files.keys()].sort()).toEqual([...pictures, path].sort())
    for (const one of files.values())
      expect((await reader.file!(archive, one.path!))!.size).toBeGreaterThan(7)
    expect(read.of('emoji')).toMatchObject([{ name: 'tick', deactivated: false }])
    expect(PNG.content).toBeDefined()
    const plan = await reader.file!(archive, files.get(path)!.path!)
    expect(new TextDecoder().decode(await plan!.read(0, 100))).toBe('the plan')

    expect(read.message(id(sent.first))).toMatchObject({
      sender: id(bea.id),
      channel: id(open.id),
      topic: 'engine',
      content: `${mentionOf(id(cai.id), false)} see [plan](${referenceTo('file', path)})`,
      reactions: [
        { user: id(cai.id), emoji: 'smile', kind: 'unicode' },
        { user: id(cai.id), emoji: 'tick', kind: 'custom' },
      ],
    })
    const edited = read.message(id(sent.edited))!
    expect(edited.content).toContain(referenceTo('message', id(sent.first)))
    expect(edited.edits).toMatchObject([{ content: 'brokn', user: id(cai.id) }])
    expect(read.message(id(sent.secret))).toMatchObject({ channel: id(hidden.id), content: 'between us' })
    expect([...read.message(id(sent.direct))!.to!].sort()).toEqual([id(bea.id), id(cai.id)].sort())
    const unread = read.of('read_state').find(({ user }) => user === id(cai.id))!.unread
    expect(unread).toContain(id(sent.unread))
    expect(unread).not.toContain(id(sent.first))
    const starred = read.of('starred_messages').find(({ user }) => user === id(cai.id))!.messages
    expect(starred).toContain(id(sent.first))

    expect(read.of('user_topic')).toContainEqual({
      type: 'user_topic',
      user: id(cai.id),
      channel: id(open.id),
      topic: 'engine',
      policy: 'followed',
    })
    expect(read.of('alert_word')).toMatchObject([{ user: id(cai.id), word: 'ship' }])
    expect(read.of('muted_user')).toHaveLength(1)
    expect(read.of('realm_setting').length).toBeGreaterThan(20)
    expect(read.problems()).toEqual({})
  })
})
