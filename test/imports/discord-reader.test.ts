import { describe, expect, it } from 'vitest'
import { ofDiscordText } from '../../src/imports/discord/text.ts'
import { discordReader, discordReaderOf } from '../../src/imports/discord-reader.ts'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { findReaderOf } from '../../src/imports/index.ts'
import { channelMentionOf, mentionOf, referenceTo } from '../../src/imports/references.ts'
import { readArchive } from './read-archive.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

const reader = discordReader as ImportReader

const person = (id: string, name: string, more: object = {}) => ({
  id,
  name: name.toLowerCase(),
  nickname: name,
  isBot: false,
  roles: [],
  avatarUrl: 'https://cdn.discordapp.com/embed/avatars/0.png',
  ...more,
})
const CREW = { id: '900', name: 'Crew', color: null, position: 1 }
const ADA = person('1', 'Ada', { roles: [CREW], avatarUrl: 'https://cdn.discordapp.com/avatars/1/a.png' })
const BEN = person('2', 'Ben', { roles: [CREW] })

let last = 1_000
const message = (content: string, more: object = {}) => {
  last += 1
  return {
    id: String(last),
    type: 'Default',
    timestamp: new Date(1_600_000_000_000 + last * 1_000).toISOString().replace('Z', '+00:00'),
    timestampEdited: null,
    isPinned: false,
    content,
    author: ADA,
    attachments: [],
    embeds: [],
    stickers: [],
    reactions: [],
    mentions: [],
    ...more,
  }
}
const file = (channel: object, messages: readonly unknown[]) => ({
  guild: { id: '77', name: 'Harbour', iconUrl: '' },
  channel: {
    id: '500',
    type: 'GuildTextChat',
    categoryId: '400',
    category: 'Work',
    name: 'boats',
    topic: null,
    ...channel,
  },
  dateRange: { after: null, before: null },
  exportedAt: '2026-01-01T00:00:00+00:00',
  messages,
  messageCount: messages.length,
})

const archive = (files: Readonly<Record<string, unknown>>) =>
  archiveOf(
    zipOf(
      Object.entries(files).map(([name, content]) => ({
        name,
        content: typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      })),
    ),
  )
const read = (files: Readonly<Record<string, unknown>>) => readArchive(reader, archive(files))
const said = (...messages: unknown[]) => read({ 'boats.json': file({}, messages) })

describe('An export of Discord', () => {
  it('is one file, or a ZIP of them', async () => {
    const one = file({}, [message('hello')])
    expect((await findReaderOf(archive({ 'a/boats.json': one, 'note.txt': 'x' })))?.name).toBe('discord')
    const single = archiveOf(new TextEncoder().encode(JSON.stringify(one)), 'boats.json')
    expect((await findReaderOf(single))?.name).toBe('discord')
    const found = await readArchive(reader, single)
    expect(found.contents()).toEqual(['hello'])
    expect(found.records[0]).toMatchObject({ source: 'discord:77' })
    expect(found.of('organization')).toMatchObject([{ name: 'Harbour' }])
    expect(await findReaderOf(archive({ 'a.json': { guild: 1 } }))).toBeUndefined()
  })

  it('reads no messages in JSON that people attached, small or large', async () => {
    const attached = { channel: file({}, []).channel, messages: [message('forged')] }
    const files = {
      'boats.json': file({}, [message('hello')]),
      'media/forged.json': attached,
      'media/large.json': { ...attached, filling: 'words '.repeat(100_000) },
      'media/list.json': [1, 2],
    }
    for (const sizes of [undefined, { read: 300_000, divided: 600_000, listed: 1 }]) {
      const found = await readArchive(
        sizes ? (discordReaderOf(sizes) as ImportReader) : reader,
        archive(files),
      )
      expect(found.contents()).toEqual(['hello'])
      expect(found.of('problem')).toEqual([])
    }
  })

  it('says the same where large files are divided in steps, packed or not', async () => {
    const many = (more: object = {}) =>
      Array.from({ length: 300 }, (_, at) =>
        message(`${at} ${'words '.repeat(1_000)}`, { ...more, author: at % 3 ? ADA : BEN }),
      )
    const files = {
      'boats.json': file({}, many()),
      'direct.json': file({ id: '700', type: 'DirectTextChat' }, many()),
      'small.json': file({ id: '501', name: 'small' }, [message('one', { author: BEN })]),
    }
    const CUT = discordReaderOf({ read: 300_000, divided: 600_000, listed: 2 })
    const archives = [
      archive(files),
      ...Object.values(files).map((one) =>
        archiveOf(new TextEncoder().encode(JSON.stringify(one)), 'boats.json'),
      ),
    ]
    for (const one of archives) {
      const kinds: Record<string, number> = {}
      const counted: ImportReader = {
        ...(CUT as ImportReader),
        async *read(given, unit, context) {
          kinds[String(unit.kind)] = (kinds[String(unit.kind)] ?? 0) + 1
          yield* (CUT as ImportReader).read(given, unit, context)
        },
      }
      const [whole, cut] = [await readArchive(reader, one), await readArchive(counted, one)]
      expect(cut.records).toHaveLength(whole.records.length)
      for (const type of ['user', 'channel', 'group', 'problem'] as const)
        expect(new Set(cut.of(type))).toEqual(new Set(whole.of(type)))
      for (const said of whole.of('message')) expect(cut.message(said.id)).toEqual(said)
      if (one !== archives.at(-1)) expect([kinds.divide! > 1, kinds.messages! > 2]).toEqual([true, true])
    }
  })

  const sizes = { read: 500_000, divided: 1_000_000, listed: 100 }
  /** Reads a file, and counts the bytes of the longest step. */
  const inSteps = async (text: string) => {
    const whole = archiveOf(new TextEncoder().encode(text), 'direct.json')
    let most = 0
    const watched: ImportReader = {
      ...(discordReaderOf(sizes) as ImportReader),
      async *read(_archive, unit, context) {
        let bytes = 0
        const counted = {
          ...whole,
          read: async (from: number, to: number) => {
            const part = await whole.read(from, to)
            bytes += part.length
            return part
          },
        }
        yield* (discordReaderOf(sizes) as ImportReader).read(counted, unit, context)
        most = Math.max(most, bytes)
      },
    }
    const found = await readArchive(watched, whole)
    // It reads blocks of half a megabyte.
    expect(most).toBeLessThan(sizes.divided + 2_000_000)
    return found
  }

  it('has no step that reads more of a large file than its size allows', async () => {
    const words = 'x'.repeat(4_000)
    const messages = Array.from({ length: 1_500 }, (_, at) => message(`${at} ${words}`))
    const text = JSON.stringify(file({ type: 'DirectTextChat' }, messages))
    expect(text.length).toBeGreaterThan(6_000_000)
    expect((await inSteps(text)).problems()).toEqual({})
  })

  it('looks for its channel at the beginning of a file alone', async () => {
    const { guild, channel } = file({}, [])
    const noise = Array.from({ length: 2_000 }, () => 'x'.repeat(2_000))
    const messages = Array.from({ length: 500 }, (_, at) => message(`${at} ${'x'.repeat(2_000)}`))
    const found = await inSteps(JSON.stringify({ guild, noise, channel, messages }))
    expect(found.problems()).toEqual({ 'message without a place': 500 })
  })

  it('has private channels of those who wrote, in folders, and names that do not clash', async () => {
    const found = await read({
      'a.json': file({ topic: 'All boats' }, [message('x'), message('y', { author: BEN })]),
      'b.json': file({ id: '501', categoryId: '401', category: 'Play' }, [message('z')]),
      'c.json': file({ id: '502', type: 'GuildNews', categoryId: null, category: null, name: 'news' }, []),
    })
    expect(found.of('channel')).toMatchObject([
      {
        id: '500',
        name: 'boats',
        description: 'All boats',
        privacy: 'private',
        folder: '400',
        members: [{ user: '1' }, { user: '2' }],
      },
      { id: '501', name: 'boats (Play)', folder: '401', members: [{ user: '1' }] },
      { id: '502', name: 'news', members: [] },
    ])
    expect(found.of('channel_folder').map(({ name }) => name)).toEqual(['Work', 'Play'])
    expect(found.of('group')).toMatchObject([{ id: '900', name: 'Crew', members: ['1', '2'] }])
  })

  it.each(['GuildVoiceChat', 'GuildStageVoice', 'GuildForum', 'GuildMedia', '99'])(
    'has channels of the type %s',
    async (type) => {
      const found = await said(message('of a kind that is new', { type: 46 }))
      expect(found.contents()).toEqual(['of a kind that is new'])
      const spoken = await read({ 'a.json': file({ type }, [message('typed')]) })
      expect(spoken.of('channel')).toMatchObject([{ id: '500', name: 'boats' }])
      expect(spoken.contents()).toEqual(['typed'])
    },
  )

  it('has threads and posts of forums as topics, and private threads as channels', async () => {
    const thread = { categoryId: '500', category: 'boats', name: 'Engine' }
    const found = await read({
      '0 thread.json': file({ ...thread, id: '600', type: 'GuildPublicThread' }, [message('in')]),
      '1 boats.json': file({}, [message('out')]),
      '1 other.json': file({ ...thread, id: '603', type: 'GuildPublicThread' }, [message('other')]),
      '2 secret.json': file({ ...thread, id: '601', type: 'GuildPrivateThread', name: 'Plans' }, [
        message('hush', { author: BEN }),
      ]),
      '3 post.json': file(
        { id: '602', type: 'GuildPublicThread', categoryId: '503', category: 'help', name: 'How?' },
        [message('so')],
      ),
    })
    expect(found.of('message').map(({ channel, topic, content }) => [channel, topic, content])).toEqual([
      ['500', 'Engine', 'in'],
      ['500', undefined, 'out'],
      ['500', 'Engine (2)', 'other'],
      ['601', undefined, 'hush'],
      ['503', 'How?', 'so'],
    ])
    expect(found.of('channel').map(({ id, name }) => [id, name])).toEqual([
      ['500', 'boats'],
      ['601', 'boats: Plans'],
      ['503', 'help'],
    ])
    expect(found.of('channel')[1]!.members).toEqual([{ user: '2' }])
  })

  it.each(['DirectTextChat', 'DirectMessage', 'DirectGroupTextChat'])(
    'has conversations: %s',
    async (type) => {
      const found = await read({
        'dm.json': file({ type, id: '700' }, [message('a'), message('b', { author: BEN })]),
      })
      expect(found.of('message').map(({ to }) => to)).toEqual([
        ['1', '2'],
        ['1', '2'],
      ])
      expect(found.of('channel')).toEqual([])
    },
  )

  it('has people without addresses, and bots with closed accounts', async () => {
    const found = await said(
      message('a'),
      message('b', { author: person('3', 'Robo', { isBot: true }), mentions: [BEN] }),
    )
    expect(found.of('user')).toMatchObject([
      { id: '1', full_name: 'Ada', email: null, is_bot: false, deactivated: false, avatar: 'avatar:1' },
      { id: '3', full_name: 'Robo', is_bot: true, deactivated: true },
      { id: '2', full_name: 'Ben', is_bot: false },
    ])
  })

  it('has replies that quote, forwarded messages, edits, attachments and stickers', async () => {
    const first = message('The **engine** is broken')
    const found = await read({
      'x/boats.json': file({}, [
        first,
        message('Mended', {
          type: 'Reply',
          reference: { messageId: first.id },
          timestampEdited: '2021-01-01T00:00:00+00:00',
        }),
        message('Gone', { type: 'Reply', reference: { messageId: '5' } }),
        message('', {
          forwardedMessage: {
            content: 'one\ntwo',
            attachments: [{ id: '83', url: 'https://cdn.discordapp.com/d.txt', fileName: 'd.txt' }],
            embeds: [{ title: 'E', images: [{ url: 'https://a.example/1.png' }] }],
          },
          reference: { messageId: first.id },
        }),
        message('look', {
          attachments: [
            { id: '80', url: 'boats_Files/a%20b.png', fileName: 'a b.png', fileSizeBytes: 7 },
            { id: '81', url: 'https://cdn.discordapp.com/c.txt', fileName: 'c.txt' },
            { id: '82', url: 'boats_Files/gone.png', fileName: 'gone.png' },
          ],
          stickers: [{ id: '1', name: 'Wave', sourceUrl: 'https://cdn.discordapp.com/w.png' }],
        }),
      ]),
      'x/boats_Files/a b.png': 'picture',
    })
    expect(found.contents()).toEqual([
      'The **engine** is broken',
      `> [The engine is broken](${referenceTo('message', first.id)})\n\nMended`,
      `> [An earlier message](${referenceTo('message', '5')})\n\nGone`,
      `> one\n> two\n>\n> E\n>\n> [Image](https://a.example/1.png)\n\n[d.txt](${referenceTo('file', '83')})`,
      `look\n\n[a b.png](${referenceTo('file', '80')})\n[c.txt](${referenceTo('file', '81')})\n[gone.png](${referenceTo('file', '82')})\n[Sticker: Wave](https://cdn.discordapp.com/w.png)`,
    ])
    expect(found.of('message')[1]!.edited_ms).toBe(Date.UTC(2021, 0, 1))
    expect(found.of('file').find(({ id }) => id === '80')!.path).toMatch(/^x\/boats_Files\/a b\.png@\d+$/)
    expect(found.problems()).toEqual({ 'file without an address': 1 })
  })

  it('has quotations with the names of whom the message has mentioned', async () => {
    const first = message('Ask <@2> in <#500> [here](https://a.example) on <t:1700000000:F>', {
      mentions: [BEN],
    })
    const found = await said(first, message('Why?', { type: 'Reply', reference: { messageId: first.id } }))
    expect(found.contents()[1]).toBe(
      `> [Ask @Ben in #boats here on 2023-11-14](${referenceTo('message', first.id)})\n\nWhy?`,
    )
  })

  it('has reactions by code point, and custom emoji with their pictures', async () => {
    const emoji = {
      id: '60',
      name: 'parrot',
      code: 'parrot',
      isAnimated: true,
      imageUrl: 'https://cdn.discordapp.com/60.gif',
    }
    const found = await said(
      message('x', {
        reactions: [
          { emoji: { id: '', name: '👍🏽', code: 'thumbsup' }, count: 2, users: [ADA, BEN] },
          { emoji, count: 1, users: [BEN] },
          { emoji: { id: '', name: '❤️', code: 'heart' }, count: 9, users: [] },
          { emoji: { id: '', name: '🎉', code: 'tada' }, count: 5, users: [ADA] },
        ],
        inlineEmojis: [emoji],
      }),
    )
    expect(found.of('message')[0]!.reactions).toEqual([
      { user: '1', emoji: 'thumbsup', kind: 'unicode', code: '1f44d' },
      { user: '2', emoji: 'thumbsup', kind: 'unicode', code: '1f44d' },
      { user: '2', emoji: 'parrot', kind: 'custom' },
      { user: '1', emoji: 'tada', kind: 'unicode', code: '1f389' },
    ])
    expect(found.of('emoji')).toEqual([{ type: 'emoji', id: '60', name: 'parrot', image: 'emoji:60' }])
    const unnamed = found.of('problem').map(({ kind, detail }) => `${kind}: ${detail}`)
    expect(unnamed).toEqual([
      expect.stringContaining('reactions of people whom the export does not name: 9 of ❤️'),
      expect.stringContaining('4 of 🎉'),
    ])
  })

  it('has links to messages and channels of its own, and others as they are', async () => {
    const found = await said(
      message('see https://discord.com/channels/77/500/1001'),
      message('in [boats](https://discord.com/channels/77/500), https://discord.com/channels/78/500/1001'),
      message('https://discord.com/channels/@me/700/800 https://discord.com/channels/77/999'),
    )
    expect(found.contents()).toEqual([
      `see [https://discord.com/channels/77/500/1001](${referenceTo('message', '1001')})`,
      `in [boats](${referenceTo('channel', '500')}), https://discord.com/channels/78/500/1001`,
      `[https://discord.com/channels/@me/700/800](${referenceTo('message', '800')}) https://discord.com/channels/77/999`,
    ])
  })

  it('has addresses without the angle brackets that hide their previews', async () => {
    const found = await said(
      message('<https://example.org/a_b_c>, `<https://example.org>` and [plan](<https://example.org/plan>)'),
      message('<https://discord.com/channels/77/500/1001> [here](<https://discord.com/channels/77/500>)'),
      message('a <b> https://example.org>'),
    )
    expect(found.contents()).toEqual([
      'https://example.org/a_b_c, `<https://example.org>` and [plan](https://example.org/plan)',
      `[https://discord.com/channels/77/500/1001](${referenceTo('message', '1001')}) [here](${referenceTo('channel', '500')})`,
      'a <b> https://example.org>',
    ])
  })

  it('has links to channels with long descriptions', async () => {
    const found = await read({
      'boats.json': file({ topic: 'of all boats '.repeat(200) }, [message('see <#500>')]),
    })
    expect(found.contents()).toEqual([`see ${channelMentionOf('500')}`])
  })

  it('has embeds as text, except what only shows an address', async () => {
    const found = await said(
      message('see https://a.example/x', {
        embeds: [{ title: 'X', url: 'https://a.example/x', fields: [] }],
      }),
      message('', {
        embeds: [
          {
            title: 'Build',
            url: 'https://ci.example/1',
            description: 'It _failed_',
            author: { name: 'CI' },
            fields: [{ name: 'Branch', value: 'main' }],
            footer: { text: 'now' },
          },
        ],
      }),
    )
    expect(found.contents()[0]).toBe('see https://a.example/x')
    expect(found.contents()[1]).toBe(
      'CI\n\n[Build](https://ci.example/1)\n\nIt *failed*\n\n**Branch**: main\n\nnow',
    )
  })

  it('counts notices, lists pins, and reads on after what is wrong', async () => {
    const found = await said(
      message('x', { type: 'GuildMemberJoin' }),
      message('pin', { isPinned: true }),
      message(''),
      message('', { content: null }),
      { id: '7', content: 'nobody' },
      message('no time', { id: 'x', timestamp: null }),
      message('by its id', { id: '175928847299117063', timestamp: 'soon' }),
      null,
      'text',
      message('last', { embeds: 7, reactions: 'x', attachments: { a: 1 }, mentions: [null], reference: 5 }),
    )
    expect(found.contents()).toEqual(['pin', 'by its id', 'last'])
    expect(found.of('message')[1]!.time_ms).toBe(1_462_015_105_796)
    expect(found.problems()).toEqual({
      'left out: GuildMemberJoin': 1,
      'pinned message': 1,
      'empty message': 2,
      'message without a sender': 1,
      'message without a time': 1,
      'message without an id': 2,
    })
  })
})

describe('A text of Discord', () => {
  const text = (content: string) =>
    ofDiscordText(content, {
      user: (id) => (id === '1' ? mentionOf('1') : undefined),
      channel: (id) => (id === '500' ? channelMentionOf('500') : undefined),
      role: (id) => (id === '900' ? 'Crew' : undefined),
      written: new Map([['Ada Amsel', mentionOf('1')]]),
      address: (guild, channel, id) => {
        if (guild !== '77') return undefined
        return id === '' ? referenceTo('channel', channel) : referenceTo('message', id)
      },
    })

  it.each([
    ['<@1> <@!1> <@2>', `${mentionOf('1')} ${mentionOf('1')} @unknown`],
    ['@Ada Amsel, look', `${mentionOf('1')}, look`],
    ['@everyone and @here', '@everyone and @here'],
    ['<#500> <#5> <@&900>', `${channelMentionOf('500')} #unknown @Crew`],
    ['<:parrot:60> <a:party:61>', ':parrot: :party:'],
    ['<t:1600000000:F>', '<time:2020-09-13T12:26:40Z>'],
    ['_a_ __b__ **c** ~~d~~ snake_case_name', '*a* **b** **c** ~~d~~ snake_case_name'],
    [
      'see https://discord.com/channels/77/500/9, `https://discord.com/channels/77/500/9`',
      `see [https://discord.com/channels/77/500/9](${referenceTo('message', '9')}), \`https://discord.com/channels/77/500/9\``,
    ],
    [
      '[that](https://ptb.discord.com/channels/77/500) https://discord.com/channels/78/500/9',
      `[that](${referenceTo('channel', '500')}) https://discord.com/channels/78/500/9`,
    ],
    ['`_a_ <@1>` https://a.example/_x_', '`_a_ <@1>` https://a.example/_x_'],
    ['||secret||', '````spoiler\nsecret\n````'],
    ['>>> one\ntwo', '> one\n> two'],
    ['```js\n_x_ <@1>\n```\n_y_', '```js\n_x_ <@1>\n```\n*y*'],
    ['Try ```js\n_x_```, then _y_', 'Try \n```js\n_x_\n```\n, then *y*'],
    ['```_x_``` _y_', '```\n_x_\n```\n*y*'],
    ['a\n> ```js\n> _x_\n> ```\nb', 'a\n> ```js\n> _x_\n> ```\nb'],
    ['>>> a\n```_x_```\nb', '> a\n> ```\n> _x_\n> ```\n> b'],
    ['``` ``` and ```open', '``` ``` and ```open'],
    ['@**all** #**general**', '&#64;**all** &#35;**general**'],
  ])('%j is %j', (content, expected) => {
    expect(text(content)).toBe(expected)
  })
})
