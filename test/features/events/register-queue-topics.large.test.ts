import { expect, it } from 'vitest'
import {
  putUserTopic,
  TOPIC_POLICY,
  type TopicPolicy,
} from '../../../src/store/user-topics/user-topic-rows.ts'
import { expectSuccess } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { neverEvict } from '../../support/never-evict.ts'
import { openQueue, type TestEvent, type TestQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

// Settings change while they are read.
neverEvict()
const MANY = 3_000
const { realm, ann, hall } = useRealm({ ann: 'member' }, { channels: { hall: ['owner', 'ann'] } })

interface Setting {
  readonly stream_id: number
  readonly topic_name: string
  readonly visibility_policy: number
}

const set = (topic: string, policy: TopicPolicy) =>
  ann.api.post('/user_topics', { stream_id: hall.id, topic, visibility_policy: policy })

const byTopic = (settings: readonly Setting[]) =>
  new Map(settings.map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]))

/** Settings as a client has them after the events of a queue. */
function after(events: readonly TestEvent[], settings: readonly Setting[]): Map<string, number> {
  const known = byTopic(settings)
  for (const { topic_name, visibility_policy } of events.filter(({ type }) => type === 'user_topic')) {
    if (visibility_policy === TOPIC_POLICY.none) known.delete(topic_name)
    else known.set(topic_name, visibility_policy)
  }
  return known
}

/** All events of a queue: with lists of muted topics among them, they are more than one answer has. */
async function allEvents(queue: TestQueue): Promise<TestEvent[]> {
  const events = await queue.events()
  return events.length === 0 ? [] : [...events, ...(await allEvents(queue))]
}

const insertMany = () =>
  changeRealm(realm, (tx) => {
    for (let at = 0; at < MANY; at += 1) {
      const setting = { userId: ann.id, channelId: hall.id, name: `topic ${at}`, updatedAt: tx.now }
      putUserTopic(tx.sql, { ...setting, policy: at % 2 === 0 ? TOPIC_POLICY.muted : TOPIC_POLICY.followed })
    }
  })

it('thousands of settings that change while they are read are there, or in events', async () => {
  await insertMany()
  const queues = await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      const queue = await openQueue(ann, {})
      for (const answer of [
        await set(`topic ${at}`, TOPIC_POLICY.unmuted),
        await set(`topic ${10 + at}`, TOPIC_POLICY.none),
        await set(`new topic ${at}`, TOPIC_POLICY.followed),
      ]) {
        expectSuccess(answer)
      }
      return queue
    }),
  )
  const anew = byTopic((await openQueue(ann, {})).snapshot.user_topics)
  expect(anew.size).toBe(MANY)
  for (const queue of queues) {
    expect(after(await allEvents(queue), queue.snapshot.user_topics)).toEqual(anew)
  }
})
