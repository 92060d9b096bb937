import { describe, expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { referenceTo, referenceToConversation } from '../../src/imports/references.ts'
import { rocketChatReaderOf } from '../../src/imports/rocket-chat-reader.ts'
import { bsonFileOf } from './bson-builder.ts'
import { readArchive } from './read-archive.ts'
import {
  at,
  byAda,
  byBen,
  type Documents,
  dumpOf,
  message,
  rocketChat,
  subscription,
} from './rocket-chat-dump.ts'
import { archiveOf } from './zip-builder.ts'

const read = (collections: Readonly<Record<string, Documents>>, files = {}) =>
  readArchive(rocketChat, archiveOf(dumpOf(collections, files), 'dump.tar'))

const sent = (...messages: object[]) => read({ rocketchat_message: messages })

describe('An archive of Rocket.Chat', () => {
  it('is recognised, and names the place by its first person', async () => {
    const archive = archiveOf(dumpOf({}), 'dump.tar')
    expect((await findReaderOf(archive))?.name).toBe('rocket_chat')
    const { records } = await readArchive(rocketChat, archive)
    expect(records[0]).toMatchObject({ type: 'parley-import', source: 'rocket-chat:ada1' })
  })

  it('has people with their roles, addresses and statuses, and bots', async () => {
    const archive = await read({
      users: [
        { _id: 'g1', username: 'gus', roles: ['guest'], active: false, statusText: ' Away ', bio: 'Sails' },
        { _id: 'b1', username: 'hook', type: 'bot', roles: ['bot'] },
      ],
    })
    const people = archive.of('user')
    expect(people.map(({ full_name, role, is_bot }) => [full_name, role, is_bot])).toEqual([
      ['rocket.cat', 'member', true],
      ['Ada Amsel', 'owner', false],
      ['Ben Brandt', 'member', false],
      ['gus', 'guest', false],
      ['hook', 'member', true],
    ])
    expect(people[1]).toMatchObject({ email: 'ada@example.org', joined_ms: at(-100_000).getTime() })
    expect(people[2]).toMatchObject({ email: null, deactivated: false })
    expect(people[3]).toMatchObject({
      deactivated: true,
      status: 'Away',
      profile: [{ field: 'field:Bio', value: 'Sails' }],
    })
    expect(people[4]).toMatchObject({ deactivated: true })
  })

  it('has channels with their privacy, members and teams', async () => {
    const archive = await read({
      rocketchat_room: [
        { _id: 'T', t: 'c', name: 'sea', fname: 'Sea', teamId: 't1', teamMain: true },
        {
          _id: 'P',
          t: 'p',
          name: 'board',
          description: 'Plans',
          topic: 'Of the board',
          teamId: 't1',
          archived: true,
          ro: true,
        },
      ],
      rocketchat_subscription: [subscription('P', byBen, { f: true, disableNotifications: true })],
    })
    const [general, sea, board] = archive.of('channel')
    expect(general).toMatchObject({ name: 'general', privacy: 'public', default: true, announce: false })
    expect(archive.of('channel_folder')).toMatchObject([{ id: 't1', name: 'Sea' }])
    expect(sea).toMatchObject({ folder: 't1' })
    expect(board).toMatchObject({
      description: 'Plans · Of the board',
      privacy: 'private',
      archived: true,
      announce: true,
      folder: 't1',
      members: [{ user: 'ben1', pinned: true, muted: true }],
    })
  })

  it('has members of rooms by what accounts name where subscriptions are missing', async () => {
    const user = (_id: string, ...rooms: string[]) => ({
      _id,
      username: _id,
      roles: ['user'],
      __rooms: rooms,
    })
    const archive = await read({
      users: [user('cleo', 'P', 'D'), user('dan', 'P', 'Q'), user('eli', 'D')],
      rocketchat_room: [
        { _id: 'P', t: 'p', name: 'board' },
        { _id: 'Q', t: 'p', name: 'crew' },
        { _id: 'D', t: 'd' },
      ],
      rocketchat_subscription: [subscription('Q', byBen)],
      rocketchat_message: [message('m1', 10, 'hi', { rid: 'D', u: { _id: 'cleo', username: 'cleo' } })],
    })
    const members = archive
      .of('channel')
      .map(({ name, members: all }) => [name, all!.map(({ user: id }) => id)])
    expect(members).toEqual([
      ['general', []],
      ['board', ['cleo', 'dan']],
      ['crew', ['ben1']],
    ])
    expect(archive.message('m1')).toMatchObject({ to: ['cleo', 'eli'] })
  })

  it('has people of other servers as closed accounts without an address', async () => {
    const emails = [{ address: 'eve@elsewhere.example' }]
    const eve = {
      _id: 'e1',
      username: '@eve:elsewhere.example',
      name: 'Eve',
      federated: true,
      roles: ['admin'],
      emails,
    }
    expect((await read({ users: [eve] })).of('user').at(-1)).toMatchObject({
      ...{ full_name: 'Eve', email: null, role: 'guest', deactivated: true },
    })
  })

  it('has threads as topics, also where a reply stands before the first message', async () => {
    const archive = await sent(
      message('r1', 20, 'Mended', { tmid: 'm1', ...byBen }),
      message('m1', 10, 'The *engine* again', { tcount: 2 }),
      message('r2', 90_000, 'Broken', { tmid: 'm1', tshow: true }),
      message('r3', 95_000, 'To what?', { tmid: 'gone' }),
    )
    expect(archive.message('m1')).toMatchObject({
      topic: '2020-09-13 The engine again',
      topic_of_thread: 'm1',
    })
    expect(archive.message('r1')).toMatchObject({
      topic: '2020-09-13 The engine again',
      topic_of_thread: 'm1',
    })
    expect(archive.message('m1/main')).toMatchObject({
      topic: 'imported from Rocket.Chat',
      content: expect.stringContaining('2 replies in'),
    })
    expect(archive.message('r2/main')).toMatchObject({
      content: expect.stringMatching(/^Broken\n\n\[Reply in /),
    })
    expect(archive.message('r3')).toMatchObject({ topic: '2020-09-14 Thread' })
  })

  it('has discussions as topics of their room, if the same people read them', async () => {
    const archive = await read({
      rocketchat_room: [
        { _id: 'D1', t: 'c', prid: 'GENERAL', name: 'x1', fname: 'Lunch' },
        { _id: 'P', t: 'p', name: 'board' },
        { _id: 'D2', t: 'p', prid: 'P', name: 'x2', fname: 'Budget' },
        { _id: 'D3', t: 'p', prid: 'GENERAL', name: 'x3', fname: 'Secret' },
      ],
      rocketchat_subscription: [subscription('P', byAda), subscription('D2', byBen)],
      rocketchat_message: [
        message('a', 1, 'one', { rid: 'D1' }),
        message('b', 2, 'two', { rid: 'D2' }),
        message('c', 3, 'three', { rid: 'D3' }),
      ],
    })
    expect(archive.message('a')).toMatchObject({ channel: 'GENERAL', topic: 'Lunch' })
    // The second has a reader who does not read its room, and the third is private.
    expect(archive.message('b')).toMatchObject({ channel: 'D2' })
    expect(archive.message('c')).toMatchObject({ channel: 'D3' })
    const secret = archive.of('channel').find(({ name }) => name === 'Secret')
    expect(secret).toMatchObject({ privacy: 'private' })
  })

  it('has direct messages, with replies that quote what they are about', async () => {
    const archive = await read({
      rocketchat_room: [
        { _id: 'ada1ben1', t: 'd', uids: ['ada1', 'ben1'] },
        { _id: 'self', t: 'd', usernames: ['ada'] },
      ],
      rocketchat_message: [
        message('a', 1, 'Tea?', { rid: 'ada1ben1', tcount: 1 }),
        message('b', 2, 'Yes', { rid: 'ada1ben1', tmid: 'a', ...byBen }),
        message('c', 3, 'note', { rid: 'self' }),
      ],
    })
    expect(archive.message('a')!.to).toEqual(['ada1', 'ben1'])
    expect(archive.message('b')!.content).toBe(`> [Tea?](${referenceTo('message', 'a')})\n\nYes`)
    expect(archive.message('c')!.to).toEqual(['ada1'])
  })

  it('has texts in its Markdown, with mentions and links that follow', async () => {
    const archive = await sent(
      message('a', 1, '*bold* _slanted_ ~gone~ `*code*` **two** 2 * 3 * 4'),
      message('b', 2, '@ben.b. and #general, not @nobody, @all'),
      message('c', 3, '[see](https://chat.example.org/channel/general?msg=a) :+1:'),
      message('d', 4, '[ ](https://chat.example.org/channel/general?msg=a) so it is', {
        attachments: [
          {
            message_link: 'https://chat.example.org/channel/general?msg=a',
            author_name: 'ada',
            text: '*bold*',
          },
        ],
      }),
      message('e', 5, '', {
        attachments: [{ title: 'Build 7', title_link: 'https://ci.example.org/7', text: 'failed' }],
      }),
      message('f', 6, '/me sings'),
      message(
        'g',
        7,
        'https://chat.example.org/channel/general?msg=a, [in](https://chat.example.org/channel/General) :wave_tone3: https://a.example/_x_',
      ),
      message(
        'h',
        8,
        '`https://chat.example.org/channel/general?msg=a` https://chat.example.org/group/other',
      ),
    )
    expect(archive.message('a')!.content).toBe('**bold** *slanted* ~~gone~~ `*code*` **two** 2 * 3 * 4')
    expect(archive.message('b')!.content).toBe(
      '@_**parley-import:user/ben1**. and #**parley-import:channel/GENERAL**, not @nobody, @all',
    )
    expect(archive.message('c')!.content).toBe(`[see](${referenceTo('message', 'a')}) :+1:`)
    expect(archive.message('d')!.content).toBe(`> [ada: bold](${referenceTo('message', 'a')})\n\nso it is`)
    expect(archive.message('e')!.content).toContain('[Build 7](https://ci.example.org/7)')
    expect(archive.message('f')!.content).toBe('&#47;me sings')
    expect(archive.message('g')!.content).toBe(
      `[https://chat.example.org/channel/general?msg=a](${referenceTo('message', 'a')}), [in](${referenceTo('channel', 'GENERAL')}) :wave: https://a.example/_x_`,
    )
    expect(archive.message('h')!.content).toBe(
      '`https://chat.example.org/channel/general?msg=a` https://chat.example.org/group/other',
    )
  })

  it('has links that lead to the people of a direct conversation', async () => {
    const address = 'https://chat.example.org/direct'
    const archive = await read({
      rocketchat_room: [
        { _id: 'ada1ben1', t: 'd', uids: ['ada1', 'ben1'] },
        { _id: 'Group7', t: 'd', usernames: ['ada', 'ben.b', 'rocket.cat'] },
      ],
      rocketchat_message: [
        message('a', 1, `[here](${address}/ada1ben1), or ${address}/Group7.`),
        message('b', 2, `${address}/Ben.B and [this](${address}/ada1ben1?msg=a)`),
        message('c', 3, `${address}/group7 [gone](${address}/gone) \`${address}/Group7\``),
      ],
    })
    const [both, all, ben] = [['ada1', 'ben1'], ['ada1', 'ben1', 'rocket.cat'], ['ben1']].map((people) =>
      referenceToConversation(people),
    )
    expect(archive.message('a')!.content).toBe(`[here](${both}), or [${address}/Group7](${all}).`)
    expect(archive.message('b')!.content).toBe(
      `[${address}/Ben.B](${ben}) and [this](${referenceTo('message', 'a')})`,
    )
    // Ids have upper and lower case, and code stays as it is.
    expect(archive.message('c')!.content).toBe(
      `${address}/group7 [gone](${address}/gone) \`${address}/Group7\``,
    )
  })

  it('has reactions, stars, edits and unread messages', async () => {
    const archive = await read({
      rocketchat_subscription: [
        subscription('GENERAL', byAda, { alert: true, ls: at(0) }),
        subscription('GENERAL', byBen, { alert: true, ls: at(15) }),
      ],
      rocketchat_message: [
        message('a', 10, 'Tea', {
          reactions: {
            ':wave_tone3:': { usernames: ['ada', 'nobody'] },
            ':wave:': { usernames: ['ada'] },
            ':tick:': { usernames: ['ben.b'] },
          },
          starred: [{ _id: 'ben1' }],
          editedAt: at(11),
          pinned: true,
        }),
        message('b', 20, 'Coffee', byBen),
      ],
    })
    expect(archive.message('a')).toMatchObject({
      reactions: [
        { user: 'ada1', emoji: 'wave', code: '1f44b', kind: 'unicode' },
        { user: 'ben1', emoji: 'tick', kind: 'custom' },
      ],
      starred_by: ['ben1'],
      edited_ms: at(11).getTime(),
    })
    expect(archive.message('a')!.unread_by).toBeUndefined()
    expect(archive.message('b')!.unread_by).toEqual(['ada1'])
    expect(archive.problems()).toEqual({
      'pinned message': 1,
      'reactions of people whom the export does not name': 1,
    })
  })

  it('has files whose chunks lie between those of others, and those of a folder', async () => {
    const chunk = (files_id: string, n: number, text: string) => ({
      _id: `${files_id}${n}`,
      files_id,
      n,
      data: Buffer.from(text),
    })
    const collections = {
      'rocketchat_uploads.chunks': [
        chunk('f1', 0, 'out '),
        chunk('f2', 1, 'lacks its first'),
        chunk('f1', 1, 'and back'),
      ],
      rocketchat_uploads: [
        { _id: 'f1', name: 'plan.txt', type: 'text/plain', userId: 'ada1', uploadedAt: at(1) },
        { _id: 'f3', name: 'map.png', type: 'image/png', userId: 'ben1' },
        { _id: 'f4', name: 'lost.txt' },
      ],
      'custom_emoji.chunks': [chunk('tick.png', 0, 'a picture')],
      rocketchat_custom_emoji: [{ _id: 'e', name: 'tick', aliases: ['done'], extension: 'png' }],
      'rocketchat_avatars.chunks': [chunk('v1', 0, 'a face')],
      rocketchat_avatars: [{ _id: 'v1', userId: 'ada1' }],
      rocketchat_message: [
        message('a', 1, '', {
          file: { _id: 'f1', name: 'plan.txt' },
          files: [
            { _id: 'f1', name: 'plan.txt' },
            { _id: 'f9', name: 'thumb-plan', typeGroup: 'thumb' },
            { _id: 'f4', name: 'lost.txt' },
          ],
          attachments: [
            { title: 'plan.txt', title_link: '/file-upload/f1/plan.txt', description: 'The plan' },
          ],
        }),
      ],
    }
    const bytes = dumpOf(collections, { 'uploads/f3': Buffer.from('a map') })
    const archive = await readArchive(rocketChat, archiveOf(bytes, 'dump.tar'))
    expect(archive.message('a')!.content).toBe(
      `The plan\n\n[plan.txt](${referenceTo('file', 'f1')})\n[lost.txt](${referenceTo('file', 'f4')})`,
    )
    const contentOf = async (id: string) => {
      const { path } = archive.of('file').find((file) => file.id === id)!
      const file = await rocketChat.file!(archiveOf(bytes), path!)
      return file && Buffer.from(await file.read(2, file.size)).toString()
    }
    expect(await contentOf('f1')).toBe('t and back')
    expect(await contentOf('f3')).toBe('map')
    expect(await contentOf('avatar:ada1')).toBe('face')
    expect(archive.of('emoji').map(({ name }) => name)).toEqual(['tick', 'done'])
    expect(await contentOf('emoji:tick')).toBe('picture')
    expect(await rocketChat.file!(archiveOf(bytes), `chunks@0+${bytes.length}!f2`)).toBeUndefined()
    // Nothing is read of a file whose chunks lie all over a large archive.
    const read = () => Promise.reject(new Error('read'))
    const large = { ...archiveOf(bytes), size: 10 ** 10, read }
    expect(await rocketChat.file!(large, `chunks@0+${10 ** 9}!f1`)).toBeUndefined()
    await expect(rocketChat.file!(large, `chunks@0+${10 ** 8}!f1`)).rejects.toThrow('read')
    expect(archive.problems()).toEqual({ 'file is not in the archive': 2 })
  })

  it('is read in parts that end within a document', async () => {
    const urls = 'x'.repeat(150_000)
    const messages = Array.from({ length: 300 }, (_, n) => message(`m${n}`, n, 'said', { urls }))
    const archive = archiveOf(dumpOf({ rocketchat_message: messages }), 'dump.tar')
    const kinds: unknown[] = []
    const watched: ImportReader = {
      ...rocketChat,
      read(from, unit, context) {
        kinds.push(unit.kind)
        return rocketChat.read(from, unit, context)
      },
    }
    const made = (await readArchive(watched, archive)).of('message')
    expect(kinds.filter((kind) => kind === 'messages')).toHaveLength(2)
    expect(made.map(({ id }) => id)).toEqual(messages.map(({ _id }) => _id))
  })

  it('says the same when it is listed in short steps', async () => {
    const upload = { _id: 'f1', name: 'plan.txt', userId: 'ada1' }
    const files = { 'uploads/f1': new TextEncoder().encode('plan'), 'uploads/f2': new Uint8Array(9) }
    const bytes = dumpOf(
      {
        rocketchat_uploads: [upload],
        rocketchat_message: [message('m', 1, 'see', { files: [{ _id: 'f1', name: 'plan.txt' }] })],
      },
      files,
    )
    const whole = await readArchive(rocketChat, archiveOf(bytes))
    const cut = await readArchive(rocketChatReaderOf(2) as ImportReader, archiveOf(bytes))
    expect(cut.records).toEqual(whole.records)
    expect(whole.of('file')).toMatchObject([{ id: 'f1', name: 'plan.txt' }])
    expect(whole.problems()).toEqual({})
  })

  it('names a collection that is there twice, and reads the first', async () => {
    const second = { 'other/rocketchat_message.bson': bsonFileOf([message('b', 2, 'no')]) }
    const archive = await read({ rocketchat_message: [message('a', 1, 'yes')] }, second)
    expect(archive.contents()).toEqual(['yes'])
    expect(archive.of('problem')).toMatchObject([{ detail: 'other/rocketchat_message.bson is there twice' }])
  })
})
