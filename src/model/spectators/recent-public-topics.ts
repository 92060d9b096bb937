import type { Sql } from '../../core/sql.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { endsOfTopic, messagesOfChannelBelow } from '../../store/messages/public-topic-rows.ts'
import { topicsOfMessages } from '../messages/topic-of-message.ts'

export interface PublicTopic {
  /** The name in the spelling of its newest message; '' for the empty topic. */
  readonly name: string
  /** Its first message, which identifies its page. */
  readonly first: number
  readonly newest: number
  /** Time of the newest message: UNIX seconds. */
  readonly newestAt: number
}

export interface RecentTopics {
  /** Topics whose newest message was read, newest first. */
  readonly topics: readonly PublicTopic[]
  /** The id below which nothing was read; null when there is nothing. */
  readonly older: number | null
}

/** Returns topics of a channel by their newest messages, as far as `messages` reach. */
export function recentPublicTopics(
  sql: Sql,
  channelId: number,
  limits: { readonly below: number; readonly topics: number; readonly messages: number },
): RecentTopics {
  const walked = messagesOfChannelBelow(sql, channelId, { below: limits.below, limit: limits.messages })
  const seen = new Set<number>()
  const found: { readonly first: number; readonly newest: number }[] = []
  let reached: number | undefined
  for (const { id, topicId } of walked) {
    if (!seen.has(topicId)) {
      if (found.length === limits.topics) break
      seen.add(topicId)
      const ends = endsOfTopic(sql, topicId)
      // Otherwise an earlier page has it.
      if (ends.newest === id) found.push(ends)
    }
    reached = id
  }
  const isAll = walked.length < limits.messages && reached === walked.at(-1)?.id
  const newest = new Map(
    findMessages(
      sql,
      found.map((ends) => ends.newest),
    ).map((message) => [message.id, message]),
  )
  const topicOf = topicsOfMessages(sql, [...newest.values()])
  return {
    topics: found.map((ends) => {
      const message = newest.get(ends.newest)!
      return { ...ends, name: topicOf(message)!.name, newestAt: message.sentAt }
    }),
    older: isAll ? null : reached!,
  }
}
