/** What other importers of Slack's exports do wrong: each fault that a reader can have. */
import { describe, expect, it } from 'vitest'
import type { ImportReader } from '../../src/imports/import-reader.ts'
import { readArchive } from './read-archive.ts'
import {
  exportFiles,
  readExport,
  readMessages,
  said,
  slack,
  slackChannel,
  slackUser,
} from './slack-export.ts'
import { archiveOf, zipOf } from './zip-builder.ts'

describe('An importer of Slack does not', () => {
  it('stop at one message without a time, a text, a known block, or a number', async () => {
    const read = await readExport({
      'general/2014-06-12.json': [
        { type: 'message', text: 'canvas' },
        said(null),
        said('fallback', { blocks: [{ type: 'hologram', depth: 3 }] }),
        said('x', { ts: '1e999' }),
        said('dates', { attachments: [{ ts: 'NaN', text: 'shown' }] }),
      ],
      'general/canvas_in_the_conversation.json': [{ text: 'no ts' }],
    })
    expect(read.contents()).toEqual(['fallback', 'dates\n\nshown'])
  })

  it('need a list that names members, or people who reacted', async () => {
    const read = await readExport({
      'channels.json': [slackChannel('C1', 'general', { members: ['U1', 'GONE'] })],
      'general/2014-06-12.json': [
        said('a', { reactions: [{ name: 'tada', users: ['ALSO-GONE'], count: 3 }] }),
      ],
    })
    const ids = read.of('user').map(({ id }) => id)
    expect(ids).toContain('GONE')
    expect(ids).toContain('ALSO-GONE')
    expect(read.of('message')[0]!.reactions).toHaveLength(1)
  })

  it('need the address of a file', async () => {
    const read = await readMessages(said('see', { files: [{ id: 'F1', name: 'a.txt' }, {}, null] }))
    expect(read.contents()).toHaveLength(1)
    expect(read.contents()[0]).toContain('see')
    expect(read.of('file')).toEqual([])
  })

  it('need the addresses of people, or take two of one address for an error', async () => {
    const read = await readExport({
      'users.json': [
        slackUser('U1', 'Ada', { profile: { real_name: 'Ada', email: 'A@example.com' } }),
        slackUser('U2', 'Ben', { profile: { real_name: 'Ben', email: 'a@EXAMPLE.com' } }),
        slackUser('U3', 'Cleo'),
      ],
    })
    expect(read.of('user').map(({ email }) => email)).toEqual(['A@example.com', 'a@EXAMPLE.com', null])
    expect(read.of('problem')).toEqual([])
  })

  it('lose reactions, their skin tones, or one of a time before its message', async () => {
    const read = await readMessages(
      said('x', {
        reactions: [
          { name: 'clap::skin-tone-2', users: ['U1'] },
          { name: 'clap', users: ['U1', 'U2'] },
          { name: '+1::skin-tone-6', users: ['U2'], ts: '1.0' },
        ],
      }),
    )
    expect(read.of('message')[0]!.reactions!.map(({ user, code }) => [user, code])).toEqual([
      ['U1', '1f44f'],
      ['U2', '1f44f'],
      ['U2', '1f44d'],
    ])
  })

  it('name topics by markup, addresses and mentions, or give two threads one name', async () => {
    const root = (text: string) => {
      const message = said(text, { reply_count: 1 })
      return { ...message, thread_ts: message.ts }
    }
    const read = await readMessages(
      root('*Look*  at <https://a.example/x_y|this>, <@U2>\n\nnow'),
      root('Look at this, Ben Brandt now'),
    )
    const topics = read
      .of('message')
      .flatMap(({ topic, topic_of_thread }) => (topic_of_thread ? [topic] : []))
    expect(topics).toEqual([
      '2014-06-12 Look at this, Ben Brandt now',
      '2014-06-12 Look at this, Ben Brandt now (2)',
    ])
  })

  it('lose the thread of a broadcast reply that names no parent', async () => {
    const root = said('Root', { reply_count: 1 })
    const read = await readMessages(
      { ...root, thread_ts: root.ts },
      said('both', { subtype: 'thread_broadcast', thread_ts: root.ts, root: { text: 'Root', ts: root.ts } }),
    )
    const [first, reply] = read.of('message').filter(({ topic_of_thread }) => topic_of_thread)
    expect(reply!.topic).toBe(first!.topic)
  })

  it('take signs within words, addresses or code for markup', async () => {
    const texts = [
      'snake_case_name and a*b*c',
      '<https://a.example/x_y_z?q=*1*>',
      '`_code_ *x* <@U1>`',
      '5 * 3 * 2 ~ 30 ~ 1',
    ]
    const read = await readMessages(...texts.map((text) => said(text)))
    const shown = read.contents().join('\n')
    expect(shown).not.toMatch(/\*\*|~~/)
    expect(shown).toContain('https://a.example/x_y_z?q=*1*')
    expect(shown).toContain('`_code_ *x* <@U1>`')
  })

  it('look for each of its people in each message', async () => {
    const asked = async (people: number) => {
      const files = exportFiles({
        'users.json': Array.from({ length: people }, (_, at) => slackUser(`U${at}`, `Person ${at}`)),
        'channels.json': [slackChannel('C1', 'general', { members: [] })],
        'general/2014-06-12.json': Array.from({ length: 50 }, (_, at) => said(`<@U${at}> and <@U1>`)),
      })
      let gets = 0
      const counted: ImportReader = {
        ...slack,
        async *read(archive, unit, context) {
          const { store } = context
          const get = (key: string) => {
            gets += unit.kind === 'day' ? 1 : 0
            return store.get(key)
          }
          yield* slack.read(archive, unit, { ...context, store: { ...store, get } })
        },
      }
      expect((await readArchive(counted, archiveOf(zipOf(files)))).of('message')).toHaveLength(50)
      return gets
    }
    expect(await asked(2_000)).toBe(await asked(60))
  })

  it('lose a message of forty thousand signs', async () => {
    const read = await readMessages(said('word '.repeat(8_000)))
    expect(read.contents()).toHaveLength(1)
    const [file] = read.of('file')
    expect(Buffer.from(file!.data!, 'base64').toString()).toHaveLength(40_000)
  })
})
