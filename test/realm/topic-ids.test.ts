import { expect, it } from 'vitest'
import { findMessage } from '../../src/store/messages/message-rows.ts'
import {
  listTopicMessageIds,
  listTopicMessagesSince,
} from '../../src/store/messages/move/topic-message-rows.ts'
import { insertInIndex } from '../support/inserted-messages.ts'
import { inRealm } from '../support/inside.ts'
import { useRealm } from '../support/use-realm.ts'

const { realm, owner, channel } = useRealm({}, { channels: { channel: ['owner'] } })

it('messages of a topic are listed in several rows, the last full or not', async () => {
  const COUNT = 12
  const first = await insertInIndex(realm, owner, { channelId: channel.id, topic: 'long', count: COUNT })
  await insertInIndex(realm, owner, { channelId: channel.id, topic: 'another', count: 3 })
  const all = Array.from({ length: COUNT }, (_, at) => first + at)
  for (const inOneRow of [5, 6, 12, 13]) {
    const found = await inRealm(realm, ({ parts: { sql } }) => {
      const { topicId, sentAt } = findMessage(sql, first)!
      return [
        listTopicMessageIds(sql, topicId, inOneRow),
        listTopicMessagesSince(sql, topicId, sentAt, inOneRow),
        listTopicMessagesSince(sql, topicId, sentAt + 1_000_000, inOneRow),
      ]
    })
    expect(found).toEqual([all, all, []])
  }
})
