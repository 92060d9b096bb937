import { describe, expect, it } from 'vitest'
import { buildChannel, buildUser, expectSuccess, type TestUser } from '../../support/factories.ts'
import { changeRealm } from '../../support/inside.ts'
import { QUOTAS } from '../../support/limits.ts'
import { openQueue } from '../../support/queues.ts'
import { useRealm } from '../../support/use-realm.ts'

const { realm } = useRealm()

function setPolicy(user: TestUser, topic: string, visibility_policy: number, stream_id: number) {
  return user.api.post('/user_topics', { stream_id, topic, visibility_policy })
}

describe('as many topics as an account may have, with the longest names,', () => {
  const longest = (number: number) => String(number).padStart(5, '0') + '😀'.repeat(55)
  const fill = (user: TestUser, channelId: number, count: number) =>
    changeRealm(realm, ({ sql }) =>
      sql.run(
        `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?3)
         INSERT INTO user_topic SELECT ?1, ?2, printf('%05d', n) || ?4, printf('%05d', n) || ?4, 1, 0 FROM number`,
        user.id,
        channelId,
        count,
        '😀'.repeat(55),
      ),
    )

  it('can be muted and read; clients of the older event go on', { timeout: 60_000 }, async () => {
    const user = await buildUser(realm)
    const most = QUOTAS.topicSettings.account
    const long = await buildChannel([user], { name: '😀'.repeat(60) })
    await fill(user, long.id, most - 1)
    const queue = await openQueue(user, { event_types: ['user_topic'] })
    const older = await openQueue(user, { event_types: ['muted_topics', 'realm'] })
    expectSuccess(await setPolicy(user, longest(most), 1, long.id))
    expect(await queue.eventsOf('user_topic')).toMatchObject([{ topic_name: longest(most) }])
    // The list would be larger than a row may be.
    expect(await older.eventsOf('muted_topics')).toEqual([])
    const { user_topics } = (await openQueue(user, { fetch_event_types: ['user_topic', 'muted_topics'] }))
      .snapshot
    expect(user_topics).toHaveLength(most)
    const { body } = await setPolicy(user, 'one more', 1, long.id)
    expect(body.msg).toBe(`One account cannot have more than ${most} topics with a setting.`)
    expectSuccess(await setPolicy(user, longest(1), 0, long.id))
    expectSuccess(await setPolicy(user, 'one more', 1, long.id))
  })
})
