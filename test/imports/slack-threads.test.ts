import { describe, expect, it } from 'vitest'
import { referenceTo } from '../../src/imports/references.ts'
import { readExport, readMessages, said } from './slack-export.ts'

const MAIN = 'imported from Slack'

/** The first message of a thread. */
function root(text: string, more: object = {}) {
  const message = said(text, { reply_count: 1, ...more })
  return { thread_ts: message.ts, ...message }
}

const topics = async (...messages: unknown[]) =>
  (await readMessages(...messages)).of('message').map(({ topic }) => topic)

describe('A thread', () => {
  it('is one topic, with its first message in the main topic too', async () => {
    const start = root('Broken *again*', { reply_count: 2 })
    const read = await readMessages(
      start,
      said('aside'),
      said('why', { thread_ts: start.ts, parent_user_id: 'U1' }),
      said('because', { thread_ts: start.ts }),
    )
    const topic = '2014-06-12 Broken again'
    expect(read.of('message').map(({ topic, content }) => [topic, content])).toEqual([
      [topic, 'Broken **again**'],
      [MAIN, `Broken **again**\n\n[2 replies in “${topic}”](${referenceTo('message', `C1/${start.ts}`)})`],
      [MAIN, 'aside'],
      [topic, 'why'],
      [topic, 'because'],
    ])
    expect(new Set(read.of('message').map(({ id }) => id)).size).toBe(5)
    expect(read.message(`C1/${start.ts}`)!.topic_of_thread).toBe(`C1/${start.ts}`)
  })

  it('stays one over thousands of messages and over years', async () => {
    const start = root('The long one', { ts: '1402560000.000100' })
    const many = (from: number) =>
      Array.from({ length: 1_200 }, (_, at) => said(`m${at}`, { ts: `${from + at}.000100` }))
    const reply = (ts: string) => said('reply', { ts, thread_ts: start.ts })
    const read = await readExport({
      'general/2014-06-12.json': [
        start,
        reply('1402560500.000100'),
        ...many(1_402_561_000),
        reply('1402570000.000100'),
      ],
      'general/2014-06-13.json': many(1_402_650_000),
      'general/2016-01-01.json': [reply('1451606400.000100')],
    })
    const replies = read.of('message').filter(({ content }) => content === 'reply')
    expect(replies.map(({ topic }) => topic)).toEqual(Array(3).fill('2014-06-12 The long one'))
  })

  it('has a name of at most 60 signs, without markup', async () => {
    const names = await topics(
      root('```code``` and <https://a.example/x|a link>, <@U2> :tada: *b* snake_c _i_\n&gt; q &amp; r'),
      root('😀'.repeat(100)),
      root('', { blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'from a block' } }] }),
      root('', { files: [{ id: 'F1', url_private: 'https://files.slack.com/a' }] }),
    )
    expect(names.filter((name) => name !== MAIN)).toEqual([
      '2014-06-12 code and a link, Ben Brandt 🎉 b snake_c i q & r',
      `2014-06-12 ${'😀'.repeat(48)}…`,
      '2014-06-12 from a block',
      '2014-06-12 Thread',
    ])
  })

  it('has a number if another has its name, which is not cut off', async () => {
    const text = 'Same words '.repeat(10)
    const names = (await topics(root(text), root(text.toUpperCase()), root(text))).filter(
      (name) => name !== MAIN,
    )
    expect(names[1]).toMatch(/… \(2\)$/)
    expect(names[2]).toMatch(/… \(3\)$/)
    expect(names.every((name) => [...name!].length <= 60)).toBe(true)
  })

  it('is one without its first message, and with a deleted one', async () => {
    const gone = {
      type: 'message',
      subtype: 'tombstone',
      hidden: true,
      user: 'USLACKBOT',
      text: 'This message was deleted.',
    }
    const names = await topics(
      said('first reply', { thread_ts: '1402500000.000100' }),
      said('second reply', { thread_ts: '1402500000.000100' }),
      { ...gone, ts: '1402510000.000100', thread_ts: '1402510000.000100', reply_count: 1 },
      said('to nothing', { thread_ts: '1402510000.000100' }),
    )
    expect(names).toEqual([
      '2014-06-11 first reply',
      '2014-06-11 first reply',
      '2014-06-11 Deleted message',
      MAIN,
      '2014-06-11 Deleted message',
    ])
  })

  it('shows a reply that was sent to the channel in both', async () => {
    const start = root('Question')
    const broadcast = said('Answer', {
      subtype: 'thread_broadcast',
      thread_ts: start.ts,
      root: { text: 'Question', user: 'U1', ts: start.ts },
    })
    const read = await readMessages(start, broadcast)
    expect(
      read
        .of('message')
        .slice(2)
        .map(({ topic, content }) => [topic, content]),
    ).toEqual([
      ['2014-06-12 Question', 'Answer'],
      [MAIN, `Answer\n\n[Reply in “2014-06-12 Question”](${referenceTo('message', `C1/${broadcast.ts}`)})`],
    ])
    const alone = await readMessages(broadcast)
    expect(alone.of('message')[0]!.topic).toBe('2014-06-12 Question')
  })

  it('of old exports is known by its list of replies', async () => {
    const start = said('Old', { replies: [{ user: 'U2', ts: '1402570000.000100' }] })
    expect(await topics(start)).toEqual(['2014-06-12 Old', MAIN])
  })
})
