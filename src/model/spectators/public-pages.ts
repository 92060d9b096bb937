import { NotFoundError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { type Channel, findChannel, webPublicChannelIds } from '../../store/channels/channel-rows.ts'
import { findMessage, findMessages } from '../../store/messages/message-rows.ts'
import {
  endsOfTopic,
  idsOfTopicBefore,
  idsOfTopicFrom,
  messagesOfChannelBelow,
} from '../../store/messages/topic-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { Anyone } from '../caller.ts'
import { type PresentedMessage, presentMessages } from '../messages/read/present-message.ts'
import { topicOfMessage, topicsOfMessages } from '../messages/topic-of-message.ts'
import { presentRealmImage } from '../realm/present-realm.ts'
import { inPublicForm, spectatorCaller } from './spectator.ts'

/** Limits of the channels, and of the messages that are read in all of them together. A sitemap may have 50,000 addresses. */
const LIMITS = { channels: 1_000, messages: 5_000 }

export interface PublicPages {
  readonly channels: readonly (PublicChannel & { readonly topics: readonly PublicTopic[] })[]
}

/** Lists the web-public channels with their newest topics, for search engines. Older topics are linked from page to page. */
export function listPublicPages({ sql }: RealmTransaction): PublicPages {
  const ids = webPublicChannelIds(sql, { above: 0, limit: LIMITS.channels })
  const share = Math.ceil(LIMITS.messages / ids.length)
  return {
    channels: ids.map((id) => ({
      ...publicChannel(findChannel(sql, id)!),
      topics: recentPublicTopics(sql, id, {
        below: Number.MAX_SAFE_INTEGER,
        topics: share,
        messages: share,
      }).topics,
    })),
  }
}

const CHANNELS_OF_A_PAGE = 100

export interface PublicChannels {
  readonly organization: PublicOrganization
  readonly channels: readonly PublicChannel[]
  /** The id above which the next page begins; null on the last. */
  readonly next: number | null
}

/** Lists a page of the web-public channels by id: those with an id above `after`. */
export function listPublicChannels(
  tx: RealmTransaction,
  { source }: Anyone,
  { after }: { readonly after: number },
): PublicChannels {
  const ids = webPublicChannelIds(tx.sql, { above: after, limit: CHANNELS_OF_A_PAGE + 1 })
  const shown = ids.slice(0, CHANNELS_OF_A_PAGE)
  return {
    organization: publicOrganization(tx, source.origin),
    channels: shown.map((id) => publicChannel(findChannel(tx.sql, id)!)),
    next: ids.length > shown.length ? shown.at(-1)! : null,
  }
}

const MESSAGES_OF_A_PAGE = 50

export interface PublicTopicPage {
  readonly organization: PublicOrganization
  readonly channel: PublicChannel
  readonly topic: { readonly name: string; readonly first: number; readonly newest: number }
  /** Messages in the form for spectators, without their texts; the first is the requested one. */
  readonly messages: readonly PresentedMessage[]
  /** The first message of the previous page, and of the next; null where there is none. */
  readonly older: number | null
  readonly newer: number | null
}

/**
 * Returns a page of a topic of a web-public channel, named by its first message, so that it is found wherever the message has moved.
 * @throws NotFoundError for any other message, and for an unknown one.
 */
export function showPublicTopic(
  tx: RealmTransaction,
  { source }: Anyone,
  { messageId }: { readonly messageId: number },
): PublicTopicPage {
  const { sql } = tx
  const asked = findMessage(sql, messageId)
  const recipient = asked && recipientOf(asked.recipientId)
  if (recipient?.kind !== 'channel') throw new NotFoundError('Not found')
  const channel = requirePublicChannel(sql, recipient.id)
  const { topicId } = asked!
  const ids = idsOfTopicFrom(sql, topicId, messageId, MESSAGES_OF_A_PAGE + 1)
  const before = idsOfTopicBefore(sql, topicId, messageId, MESSAGES_OF_A_PAGE)
  const ends = endsOfTopic(sql, topicId)
  const messages = findMessages(sql, ids.slice(0, MESSAGES_OF_A_PAGE))
  return {
    organization: publicOrganization(tx, source.origin),
    channel: publicChannel(channel),
    topic: { ...ends, name: topicOfMessage(sql, findMessage(sql, ends.newest)!)!.name },
    messages: inPublicForm(
      tx,
      presentMessages(tx, spectatorCaller(tx, source), messages, {
        clientGravatar: false,
        allowEmptyTopic: true,
      }),
    ),
    older: before.at(-1) ?? null,
    newer: ids[MESSAGES_OF_A_PAGE] ?? null,
  }
}

interface PublicTopic {
  /** The name in the spelling of its newest message; '' for the empty topic. */
  readonly name: string
  /** Its first message, which identifies its page. */
  readonly first: number
  readonly newest: number
  /** Time of the newest message: UNIX seconds. */
  readonly newestAt: number
}

interface RecentTopics {
  /** Topics whose newest message was among those read, newest first. */
  readonly topics: readonly PublicTopic[]
  /** The id below which nothing was read; null when there is nothing. */
  readonly older: number | null
}

/** Returns topics of a channel by their newest messages, among the `messages` newest ones below an id. */
function recentPublicTopics(
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
      // Otherwise the topic is on an earlier page.
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

/** Facts about the organization that all public pages show. */
export interface PublicOrganization {
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Code of the organization's language. */
  readonly language: string
  /** Absolute address of the uploaded picture; null without one. */
  readonly icon: string | null
}

interface PublicChannel {
  readonly id: number
  readonly name: string
  /** Plain text. */
  readonly description: string
  readonly isArchived: boolean
}

function publicOrganization(
  { sql, realm }: Pick<RealmView, 'sql' | 'realm'>,
  origin: string,
): PublicOrganization {
  const icon = presentRealmImage({ sql, realm }, origin, 'icon')
  return {
    name: realmProperty(sql, 'name'),
    description: realmProperty(sql, 'description'),
    language: realmProperty(sql, 'default_language'),
    icon: icon.source === 'U' ? icon.url : null,
  }
}

function publicChannel({ id, name, renderedDescription, isArchived }: Channel): PublicChannel {
  const description = plainTextOf(renderedDescription, { hideSpoilers: true })
  return { id, name, description, isArchived }
}

/** @throws NotFoundError for a channel that is not open, or does not exist. */
function requirePublicChannel(sql: Sql, id: number): Channel {
  const channel = findChannel(sql, id)
  if (!channel || !isOpenToSpectators(channel)) throw new NotFoundError('Not found')
  return channel
}

/** Limits of the topics on one page, and of the messages that are read for them. */
const RECENT_LIMITS = { topics: 50, messages: 2_000 }

interface ShowPublicChannelParams {
  readonly channelId: number
  /** The newest messages of the topics are before this message; null: the page begins with the newest of all. */
  readonly before: number | null
}

export interface PublicChannelPage extends RecentTopics {
  readonly organization: PublicOrganization
  readonly channel: PublicChannel
}

/**
 * Returns a page of a web-public channel: its topics, the newest messages first.
 * @throws NotFoundError for any other channel, and for an unknown one.
 */
export function showPublicChannel(
  tx: RealmTransaction,
  { source }: Anyone,
  { channelId, before }: ShowPublicChannelParams,
): PublicChannelPage {
  const channel = requirePublicChannel(tx.sql, channelId)
  return {
    organization: publicOrganization(tx, source.origin),
    channel: publicChannel(channel),
    ...recentPublicTopics(tx.sql, channel.id, {
      ...RECENT_LIMITS,
      below: before ?? Number.MAX_SAFE_INTEGER,
    }),
  }
}
