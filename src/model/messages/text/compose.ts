import { BadRequestError } from '../../../core/errors.ts'
import { defineReader } from '../../../core/reader.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import { countPoints, firstPoints, isLongerThan } from '../../../core/text-length.ts'
import { AlertWordIndex, type WordsOfUser } from '../../../markdown/alert-words.ts'
import { type RenderedMarkdown, topicLinks } from '../../../markdown/render.ts'
import type { Widget } from '../../../markdown/widgets.ts'
import {
  requireMayMentionChannel,
  requireMayMentionGroup,
  requireMayMentionTopic,
  WILDCARD_MENTION_THRESHOLD,
} from '../../../rules/message-rules.ts'
import { EMPTY_TOPIC_DISPLAY_NAME, NO_TOPIC } from '../../../rules/topic-rules.ts'
import type { Channel } from '../../../store/channels/channel-rows.ts'
import { findTopic, topicParticipants } from '../../../store/messages/topic-rows.ts'
import { alertWordsInParts } from '../../../store/personal/personal-rows.ts'
import { realmPermissions } from '../../../store/realm/realm-setting-rows.ts'
import { openSubscribersOf } from '../../../store/subscriptions/subscriber-rows.ts'
import { findGroups } from '../../../store/user-groups/user-group-rows.ts'
import type { User } from '../../../store/users/user-rows.ts'
import type { ZForm } from '../../submessages/widget-content.ts'
import { claimablePaths } from '../read/attachment-access.ts'
import { type Author, markdownLookups } from './markdown-lookups.ts'
import { renderText, type TextForm } from './render-text.ts'

/** Destination of a message, resolved and checked. */
export type Destination =
  | { readonly kind: 'channel'; readonly channel: Channel; readonly topic: string }
  /** All participants, including the sender, ascending by id. */
  | { readonly kind: 'direct'; readonly participants: readonly User[] }

/** A message that is ready to be stored. */
export interface Composition {
  readonly author: Author
  readonly destination: Destination
  readonly content: string
  readonly rendered: RenderedMarkdown
  readonly topicLinks: { text: string; url: string }[]
  /** Address of the readers' web application: `https://chat.example.com`. */
  readonly webOrigin: string
  /** The widget as which clients that can do so show the message. */
  readonly widget?: Widget | ZForm
}

/**
 * Limit of a message's HTML in characters: the event of an edit has four of them, in a row of two million bytes. Ten
 * thousand emoji would be longer, but nothing that people write.
 */
const MAX_RENDERING_LENGTH = 250_000

/** Circumstances of a message, besides its content. */
export interface MessageOrigin {
  readonly client: string
  readonly readBySender: boolean
  /** Users for whom it arrives read, such as the cause of a notice. */
  readonly readBy?: readonly number[]
  /** Marks a notice about a resolved topic, which arrives unread only for these users. */
  readonly resolveNotice?: { readonly unreadFor: readonly number[] }
  /** Whether it arrives read for everyone. */
  readonly arrivesRead?: boolean
  /** Ids that are sent back to the sender's queue. */
  readonly local?: { readonly queue_id: string; readonly local_id: string }
  /** Key by which a repeated send finds this message (docs/decisions/design.md#sends-are-exactly-once). */
  readonly sendKey?: string
}

/**
 * Renders the author's `content` (already normalised) for its destination.
 * @throws BadRequestError for a text whose HTML is far too long
 */
export function compose(
  tx: Pick<RealmReads, 'sql' | 'now' | 'proxiesPictures' | 'use'>,
  author: Author,
  destination: Destination,
  content: string,
  origin: string,
  pictures: TextForm['pictures'] = 'of author',
): Composition {
  const words = tx.use(knownAlertWords, undefined)
  const rendered = renderText(tx, author, content, origin, { pictures, showsWebsites: true })
  if (rendered.html.length > MAX_RENDERING_LENGTH) throw new BadRequestError('Unable to render message')
  return {
    author,
    destination,
    content,
    webOrigin: origin,
    rendered: {
      ...rendered,
      alertedUserIds: words.usersAlertedBy(content),
      uploadPaths:
        typeof pictures === 'object' && 'at' in pictures
          ? rendered.uploadPaths.filter((path) => pictures.at.includes(path))
          : claimablePaths(tx, author, rendered.uploadPaths),
    },
    topicLinks:
      destination.kind === 'channel'
        ? topicLinks(destination.topic, markdownLookups(tx, author, origin))
        : [],
  }
}

/** Refuses mentions of more people than the author may mention at once (docs/interface/messages.md#edit-or-move-a-message, step 15). */
export function requireMayMention(
  view: Pick<RealmView, 'sql'>,
  { rendered, destination, author }: Composition,
): void {
  if (destination.kind === 'channel') {
    const { channel, topic } = destination
    const more = WILDCARD_MENTION_THRESHOLD + 1
    if (rendered.channelWildcard) {
      requireMayMentionChannel(
        author.actor,
        openSubscribersOf(view.sql, channel.id).size,
        realmPermissions(view.sql),
      )
    }
    if (rendered.topicWildcard) {
      const known = findTopic(view.sql, channel.id, topic)
      const participants = known ? topicParticipants(view.sql, known.id, author.user.id, more).length : 1
      requireMayMentionTopic(author.actor, participants, realmPermissions(view.sql))
    }
  }
  if (rendered.mentionedGroupIds.length === 0) return
  for (const group of findGroups(view.sql, rendered.mentionedGroupIds)) {
    requireMayMentionGroup(author.actor, group)
  }
}

/** Everyone's alert words, which each message is searched for. The quota limits them to two megabytes. */
const knownAlertWords = defineReader({
  name: 'alert words',
  key: () => '',
  *read({ sql }) {
    const words: WordsOfUser[] = []
    for (const part of alertWordsInParts(sql)) {
      for (const one of part) words.push(one)
      yield
    }
    return new AlertWordIndex(words)
  },
})

/** Limits in code points (docs/interface/conventions.md#limits). */
export const MAX_MESSAGE_LENGTH = 10_000
export const MAX_TOPIC_LENGTH = 60

const TRUNCATED = '\n[message truncated]'
const TOPIC_CUT = '...'

/**
 * Returns a message's source in its stored form: without white space at the end and empty lines at the beginning, and cut
 * if it is too long (docs/interface/conventions.md#limits; docs/interface/messages.md#send-a-message).
 */
export function normaliseContent(content: string): string {
  const trimmed = content.trimEnd().replace(/^\n+/u, '')
  if (trimmed === '') throw new BadRequestError('Message must not be empty')
  if (trimmed.includes('\0')) throw new BadRequestError('Message must not contain null bytes')
  return cut(trimmed, MAX_MESSAGE_LENGTH, TRUNCATED)
}

/** Returns a source, cut to this number of code points with a note that says so. */
export function contentUpTo(content: string, limit: number): string {
  return cut(content, limit, TRUNCATED)
}

/**
 * Returns a topic in its stored form: both names of the empty topic become ''; others are cut to the limit.
 * @throws BadRequestError for a character that cannot be shown
 */
export function normaliseTopic(topic: string): string {
  const trimmed = topic.trim()
  requirePrintableTopic(trimmed)
  if (trimmed === NO_TOPIC || trimmed === EMPTY_TOPIC_DISPLAY_NAME) return ''
  return cut(trimmed, MAX_TOPIC_LENGTH, TOPIC_CUT)
}

export function cutTopic(topic: string): string {
  return cut(topic, MAX_TOPIC_LENGTH, TOPIC_CUT)
}

/** Returns the position of the first character that a topic must not have (docs/interface/conventions.md#topics). */
export function firstUnprintable(text: string): number | undefined {
  const position = text.search(/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u)
  return position === -1 ? undefined : countPoints(text.slice(0, position)) + 1
}

export function requirePrintableTopic(topic: string): void {
  const position = firstUnprintable(topic)
  if (position !== undefined)
    throw new BadRequestError(`Invalid character in topic, at position ${position}!`)
}

function cut(text: string, limit: number, suffix: string): string {
  return isLongerThan(text, limit) ? firstPoints(text, limit - suffix.length) + suffix : text
}
