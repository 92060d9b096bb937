import { beforeAll, expect, it } from 'vitest'
import { expectSuccess } from '../../support/factories.ts'
import { inRealm } from '../../support/inside.ts'
import { SHORT_BODY } from '../../support/limits.ts'
import { sendTo, untilProjected } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { world } from '../../support/world.ts'

const PAGE = 100

neverEvict()
useReliableD1()
const { realm, ann, channel, elsewhere } = useRealm(
  { ann: 'member' },
  { channels: { channel: ['owner', 'ann'], elsewhere: ['owner'] } },
)
beforeAll(async () => {
  const ids: number[] = []
  for (let number = 0; number < PAGE + 20; number += 1) {
    const sender = number % 2 === 0 ? ann : realm.owner
    ids.push(await sendTo(sender, channel.id, `topic ${number % 7}`, `message ${number}`))
    if (number % 4 === 0) await sendTo(realm.owner, elsewhere.id, 'elsewhere', 'not for Ann')
    if (number % 10 !== 0) continue
    expectSuccess(await ann.api.post(`/messages/${ids.at(-1)}/reactions`, { emoji_name: 'tada' }))
  }
  await untilProjected(realm, ids)
}, 60_000)

interface Page {
  readonly messages: { id: number; content: string }[]
  /** Rows read. */
  readonly d1: number
  readonly object: number
}

async function fetchPage(narrow: object[]): Promise<Page> {
  const read = () => inRealm(realm, ({ parts }) => parts.sql.counts.read)
  let d1 = 0
  world.d1 = async (call) => {
    const answer = await call()
    d1 += (answer as D1Result).meta.rows_read
    return answer
  }
  const before = await read()
  const asked = { anchor: 'newest', num_before: PAGE, num_after: 0, narrow, apply_markdown: false }
  const { messages } = expectSuccess(await ann.api.get('/messages', asked))
  world.d1 = (call) => call()
  return { messages, d1, object: (await read()) - before }
}

it.each([
  { of: 'all that one reads', narrow: () => [] },
  { of: 'one channel', narrow: () => [{ operator: 'channel', operand: channel.id }] },
])('a hundred messages of $of read at most 210 D1 rows and 350 object rows', async ({ narrow }) => {
  const { messages, d1, object } = await fetchPage(narrow())
  expect(messages).toHaveLength(PAGE)
  expect(d1).toBeLessThanOrEqual(210)
  expect(object).toBeLessThanOrEqual(350)
})

it('a long message, or one edited to be long, costs a few rows more', async () => {
  const long = 'long '.repeat(SHORT_BODY / 2)
  const ids = [
    await sendTo(ann, channel.id, 'lengths', 'short'),
    await sendTo(ann, channel.id, 'lengths', long),
    await sendTo(ann, channel.id, 'lengths', 'made long'),
  ]
  expectSuccess(await ann.api.patch(`/messages/${ids[2]}`, { content: `edited ${long}` }))
  await untilProjected(realm, ids)
  const narrow = [
    { operator: 'channel', operand: channel.id },
    { operator: 'topic', operand: 'lengths' },
  ]
  const { messages, d1 } = await fetchPage(narrow)
  expect(messages.map(({ content }) => content)).toEqual(['short', long.trim(), `edited ${long}`.trim()])
  expect(d1).toBeLessThanOrEqual(2 + 2 * 7)
})

it('a text longer than the index says is still read', async () => {
  const id = await sendTo(ann, channel.id, 'grown', 'short')
  await untilProjected(realm, [id])
  const long = 'x'.repeat(SHORT_BODY + 1)
  await inRealm(realm, (object) =>
    object.change((tx) =>
      tx.writeToD1({ statement: 'replace-rendering', row: [id, 0, 'short', long, '[]'] }),
    ),
  )
  await expect
    .poll(async () => {
      const { message } = expectSuccess(await ann.api.get(`/messages/${id}`, { apply_markdown: true }))
      return message.content
    })
    .toBe(long)
})
