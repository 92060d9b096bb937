import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { renderMarkdown, topicLinks } from '../../markdown/render.ts'
import type { Channel } from '../../store/channels/channel-rows.ts'
import { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUserByEmail, type User } from '../../store/users/user-rows.ts'
import { actorOf } from '../caller.ts'
import {
  type Composition,
  type Destination,
  type MessageOrigin,
  normaliseContent,
} from '../messages/text/compose.ts'
import { type Author, markdownLookups, peopleLookups } from '../messages/text/markdown-lookups.ts'
import { storeMessage } from './store-message.ts'

/** Local parts of the addresses of the bots that every organization has (docs/interface/access.md#notices). */
type SystemBotName = 'notification-bot' | 'welcome-bot' | 'emailgateway'

interface Notice {
  readonly to: { readonly channel: Channel; readonly topic: string } | { readonly user: User }
  readonly content: string
  /** The user who caused it, for whom it arrives read. It links to channels that they may know of. */
  readonly cause?: Author
  readonly from?: SystemBotName
  /** See `MessageOrigin`. */
  readonly resolveNotice?: MessageOrigin['resolveNotice']
  readonly arrivesRead?: MessageOrigin['arrivesRead']
  /** Its only reader, if there is one. It links to what they may know of. */
  readonly reader?: Author
  /** Whether its mentions have no effect, since it quotes a text. */
  readonly mentionsNobody?: boolean
  /** `https://chat.example.com`, for links. */
  readonly origin: string
}

/** Name of the sending client of the server's own messages. */
const CLIENT = 'Internal'

/**
 * Sends a message of a system bot, without the checks of sending, and returns its id. It never mentions a whole channel,
 * topic or group, since it may quote names that people chose.
 */
export function sendNotice(tx: RealmTransaction, notice: Notice): number {
  const author = authorOf(tx, notice)
  return storeNotice(tx, notice, composeNotice(author, notice, renderNotice(tx, author, notice)))
}

/** Sends the same direct message to each of these users, rendered once. */
export function sendNoticeToEach(
  tx: RealmTransaction,
  users: readonly User[],
  same: Omit<Notice, 'to' | 'reader'>,
): void {
  if (users.length === 0) return
  const author = authorOf(tx, same)
  const rendered = renderNotice(tx, author, same)
  for (const user of users) {
    const notice = { ...same, to: { user } }
    storeNotice(tx, notice, composeNotice(author, notice, rendered))
  }
}

function authorOf(tx: RealmReads, { from = 'notification-bot' }: Pick<Notice, 'from'>): Author {
  const bot = systemBot(tx, from)
  return { user: bot, actor: actorOf(tx.sql, bot, tx.now) }
}

function storeNotice(tx: RealmTransaction, notice: Notice, composition: Composition): number {
  const reader = causeToSpare(tx, notice)
  const id = storeMessage(tx, composition, {
    client: CLIENT,
    readBySender: true,
    ...(reader ? { readBy: [reader.id] } : {}),
    ...(notice.resolveNotice ? { resolveNotice: notice.resolveNotice } : {}),
    ...(notice.arrivesRead ? { arrivesRead: true } : {}),
  })
  if (reader) {
    const read = new ReadSet(tx.sql, reader)
    read.add(id)
    read.save(tx.sql)
  }
  return id
}

/** Returns the user who caused the notice, if they would receive it unread. */
function causeToSpare({ sql }: RealmReads, { to, cause, ...notice }: Notice): User | undefined {
  if (!cause || notice.arrivesRead || notice.resolveNotice) return undefined
  const receives =
    'channel' in to ? isSubscribed(sql, to.channel.id, cause.user.id) : to.user.id === cause.user.id
  return receives ? cause.user : undefined
}

/** The text of a notice for all who get it. */
interface RenderedNotice extends Pick<Composition, 'content' | 'rendered'> {
  readonly lookups: Parameters<typeof topicLinks>[1]
}

function renderNotice(tx: RealmReads, author: Author, notice: Omit<Notice, 'to'>): RenderedNotice {
  const content = normaliseContent(notice.content)
  const lookups = {
    ...markdownLookups(tx, notice.reader ?? notice.cause ?? author, notice.origin),
    ...peopleLookups(tx, notice.reader ?? author),
    translateEmoticons: false,
  }
  const rendered = renderMarkdown(content, lookups)
  return {
    content,
    lookups,
    rendered: {
      ...rendered,
      mentionedUserIds: notice.mentionsNobody ? [] : rendered.mentionedUserIds,
      mentionedGroupIds: [],
      channelWildcard: false,
      topicWildcard: false,
      uploadPaths: [],
    },
  }
}

function composeNotice(
  author: Author,
  notice: Notice,
  { content, rendered, lookups }: RenderedNotice,
): Composition {
  const destination = destinationOf(author.user, notice)
  return {
    author,
    destination,
    content,
    webOrigin: notice.origin,
    rendered,
    topicLinks: destination.kind === 'channel' ? topicLinks(destination.topic, lookups) : [],
  }
}

function destinationOf(bot: User, { to }: Notice): Destination {
  if ('channel' in to) return { kind: 'channel', ...to }
  return { kind: 'direct', participants: [bot, to.user].sort((a, b) => a.id - b.id) }
}

export function systemBot(tx: RealmReads, name: SystemBotName): User {
  const bot = findUserByEmail(tx.sql, `${name}@${tx.realm.host}`)
  if (!bot) throw new Error(`No ${name} in this organization`)
  return bot
}
