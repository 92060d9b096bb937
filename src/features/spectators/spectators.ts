import * as v from 'valibot'
import { defineStep } from '../../api/define-endpoint.ts'
import { integer } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import { NotFoundError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { Sql } from '../../core/sql.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { mayReadAttachment } from '../../model/messages/read/attachment-access.ts'
import { type PresentedMessage, presentMessages } from '../../model/messages/read/present-message.ts'
import { topicOfMessage, topicsOfMessages } from '../../model/messages/topic-of-message.ts'
import { presentRealmImage } from '../../model/realm/present-realm.ts'
import { inPublicForm, spectatorCaller } from '../../model/spectators/spectator.ts'
import { notYours, type StoredFile, storedFile, type UploadPath } from '../../model/uploads/find-file.ts'
import { type FindAvatarParams, findAvatar } from '../../model/users/profile/find-avatar.ts'
import { notLoggedIn } from '../../rules/access.ts'
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
import { findAttachmentAt } from '../../store/uploads/attachment-rows.ts'

const FOR_SPECTATORS = { access: 'spectator', audit: 'read-only', rateLimit: 'user' } as const

/** GET /public: a page of the web-public channels by id, those with an id above `after`. */
export const listPublicChannelsStep = defineStep({
  operation: 'list-public-channels',
  ...FOR_SPECTATORS,
  params: { after: integer },
  apply(tx, { source }, { after }): PublicChannels {
    const ids = webPublicChannelIds(tx.sql, { above: after, limit: CHANNELS_OF_A_PAGE + 1 })
    const shown = ids.slice(0, CHANNELS_OF_A_PAGE)
    return {
      organization: publicOrganization(tx, source.origin),
      channels: shown.map((id) => publicChannel(findChannel(tx.sql, id)!)),
      next: ids.length > shown.length ? shown.at(-1)! : null,
    }
  },
})

/** GET /sitemap.xml, and /robots.txt: the web-public channels with their newest topics. Older topics are linked from page to page. */
export const listPublicPagesStep = defineStep({
  operation: 'list-public-pages',
  ...FOR_SPECTATORS,
  apply({ sql }): PublicPages {
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
  },
})

/** GET /public/channel/…. */
export const showPublicChannelStep = defineStep({
  operation: 'show-public-channel',
  ...FOR_SPECTATORS,
  params: { channelId: integer, before: v.nullable(integer) },
  apply(tx, { source }, { channelId, before }): PublicChannelPage {
    const channel = requirePublicChannel(tx.sql, channelId)
    return {
      organization: publicOrganization(tx, source.origin),
      channel: publicChannel(channel),
      ...recentPublicTopics(tx.sql, channel.id, {
        ...RECENT_LIMITS,
        below: before ?? Number.MAX_SAFE_INTEGER,
      }),
    }
  },
})

/** GET /public/topic/…. */
export const showPublicTopicStep = defineStep({
  operation: 'show-public-topic',
  ...FOR_SPECTATORS,
  params: { messageId: integer },
  apply(tx, { source }, { messageId }): PublicTopicPage {
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
  },
})

/**
 * Finds the file at a URL, for visitors without an account: a message with it must be in a web-public channel. Any other is refused like
 * one that does not exist. Source: docs/interface/visitors.md#files-and-pictures;
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */
export const findPublicFileStep = defineStep({
  operation: 'find-public-file',
  ...FOR_SPECTATORS,
  params: { path: inAddress },
  apply(tx, { source }, { path }): StoredFile {
    const attachment = findAttachmentAt(tx.sql, path)
    if (!attachment || !mayReadAttachment(tx, spectatorCaller(tx, source), attachment)) throw notYours()
    return storedFile(attachment)
  },
  perThing: { name: ({ path }: UploadPath) => `file ${path}`, refusal: notYours },
})

/**
 * Finds a user's picture by id, for visitors without an account. Source:
 * docs/interface/visitors.md#routes; docs/interface/visitors.md#files-and-pictures.
 * @throws UnauthorizedError for a mail address, whose user is not revealed.
 */
export const findPublicAvatarStep = defineStep({
  operation: 'find-public-avatar',
  ...FOR_SPECTATORS,
  params: { user: inAddress, medium: v.boolean() },
  apply(tx, { source }, params) {
    if (!/^\d{1,15}$/.test(params.user)) throw notLoggedIn()
    return findAvatar(tx, spectatorCaller(tx, source), params)
  },
  perThing: { name: ({ user, medium }: FindAvatarParams) => `picture ${medium} ${user}` },
})

/** Limits of the channels, and of the messages that are read in all of them together. A sitemap may have 50,000 addresses. */
const LIMITS = { channels: 1_000, messages: 5_000 }

export interface PublicPages {
  readonly channels: readonly (PublicChannel & { readonly topics: readonly PublicTopic[] })[]
}

const CHANNELS_OF_A_PAGE = 100

export interface PublicChannels {
  readonly organization: PublicOrganization
  readonly channels: readonly PublicChannel[]
  /** The id above which the next page begins; null on the last. */
  readonly next: number | null
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

export interface PublicChannelPage extends RecentTopics {
  readonly organization: PublicOrganization
  readonly channel: PublicChannel
}
