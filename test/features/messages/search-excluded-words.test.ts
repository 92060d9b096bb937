import { expect, it } from 'vitest'
import { bodyDatabase } from '../../support/body-database.ts'
import { insertMessages } from '../../support/inserted-messages.ts'
import { fromJson } from '../../support/json.ts'
import { idsIn } from '../../support/messages.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { useReliableD1 } from '../../support/reliable-d1.ts'
import { useRealm } from '../../support/use-realm.ts'
import { type D1Statement, world } from '../../support/world.ts'

neverEvict()
useReliableD1()
const { realm, ann, channel } = useRealm({ ann: 'member' }, { channels: { channel: ['ann'] } })

/** Words of a query, which is full with the message by whose words there are as many. */
const LIMIT = 5_000

/** Long words that differ in their middle alone: the index finds the beginning and the end of each in every message. */
const WORDS = Array.from({ length: 40 }, (_, at) => `${'begin'.repeat(4)}${at + 10}${'ending'.repeat(4)}`)
const word = (at: number) => WORDS[at % WORDS.length]!
const EXCLUDED = WORDS.slice(0, 30)
/** The first twenty are excluded each, the others in pairs: a message must have both to be left out. */
const [SINGLE, PAIRED] = [EXCLUDED.slice(0, 20), EXCLUDED.slice(20)]
const PAIRS = PAIRED.flatMap((first, at) => (at % 2 === 0 ? [[first, PAIRED[at + 1]!]] : []))

/** Gives the messages, in turn, a word each. */
async function giveWords(ids: readonly number[]): Promise<void> {
  await bodyDatabase
    .prepare(
      `INSERT OR REPLACE INTO message_search (rowid, text)
       SELECT (?1 << 32) + (value->>0), value->>1 FROM json_each(?2)`,
    )
    .bind(realm.id, JSON.stringify(ids.map((id, at) => [id, word(at)])))
    .run()
}

/** Returns the number of words that a query looks for, once for each of its messages; 0 for other queries. */
function wordsOf({ sql, values }: D1Statement): number {
  if (!/MATCH e\.value/.test(sql)) return 0
  const looks = fromJson<[expression: string, ranges: [first: number, last: number][]][]>(String(values[1]))
  return looks.reduce((sum, [expression, ranges]) => {
    const messages = ranges.reduce((all, [first, last]) => all + last - first + 1, 0)
    return sum + expression.match(/"[^"]+"/g)!.length * messages
  }, 0)
}

it('each query of D1 has a limited number of words, whatever a search excludes', async () => {
  const COUNT = 400
  const enter = async (topic: string) => {
    const ids = await insertMessages(realm, ann, { channelId: channel.id, topic, count: COUNT, length: 9 })
    await giveWords(ids)
    return ids
  }
  // The name of the second topic has one word of a pair: its messages are asked about each term by itself.
  const [named, other] = PAIRS[0]!
  const [plain, inNamed] = [await enter('plain'), await enter(named!)]
  const queries: number[] = []
  world.copy = {
    read: (statement) => {
      queries.push(wordsOf(statement))
      return statement.now()
    },
  }
  const operands = [...SINGLE, ...PAIRS.map((pair) => pair.join(' '))]
  const without = operands.map((operand) => ({ operator: 'search', operand, negated: true }))
  const found = await idsIn(ann, [{ operator: 'channel', operand: channel.id }, ...without])
  const passes = (text: string) => !SINGLE.some((each) => text === each)
  expect(found.filter((id) => id >= plain[0]!)).toEqual([
    ...plain.filter((_, at) => passes(word(at))),
    ...inNamed.filter((_, at) => passes(word(at)) && word(at) !== other),
  ])
  // All of them were asked about.
  expect(queries.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(COUNT * (30 + 29))
  expect(Math.max(...queries)).toBeLessThan(LIMIT + 30)
})
