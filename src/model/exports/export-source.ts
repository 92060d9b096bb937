import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { remember } from '../../core/remember.ts'
import type { Sql } from '../../core/sql.ts'
import type { NeutralRecord, RecordOf } from '../../imports/neutral.ts'
import type { Referable } from '../../imports/server-texts.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { consentingIds, EXPORT_TYPES, type RealmExport } from '../../store/exports/export-rows.ts'
import { conversationById } from '../../store/messages/conversation-rows.ts'
import { usersWithFlags } from '../../store/messages/flags/flag-rows.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import type { ReceivedRange } from '../../store/subscriptions/period-rows.ts'
import { rangesReceivedByAny } from '../../store/subscriptions/periods-of-many-rows.ts'
import { isReceived } from '../../store/subscriptions/received-range-rows.ts'
import { subscribersOf } from '../../store/subscriptions/subscriber-rows.ts'
import type { Attachment } from '../../store/uploads/attachment-rows.ts'
import type { EditHistoryPolicy } from '../messages/read/edit-history.ts'
import type { PresentedMessage } from '../messages/read/present-message.ts'

export interface ExportedPicture {
  /** Its record; its file in the archive has the record's path. */
  readonly record: RecordOf<'file'> & { readonly path: string }
  /** Possible keys of its file in R2: the first that exists counts. */
  readonly keys: readonly string[]
}

/** The part of an export that the realm object reads in one turn. */
export type ExportPage = {
  /** Position at which the source continues; null at its end. */
  readonly next: readonly number[] | null
} & (
  | {
      readonly kind: 'records'
      /** Name of the file, if it is not numbered. */
      readonly name?: string
      /** None for no file. */
      readonly records: readonly NeutralRecord[]
    }
  | {
      readonly kind: 'messages'
      /** Messages without their bodies. */
      readonly messages: readonly PresentedMessage[]
      readonly historyPolicy: EditHistoryPolicy
      /** What their texts may refer to. */
      readonly referable: Referable
    }
  | { readonly kind: 'uploads'; readonly uploads: readonly Attachment[] }
  | { readonly kind: 'pictures'; readonly pictures: readonly ExportedPicture[] }
)

export interface ExportView {
  readonly tx: RealmReads
  readonly exported: RealmExport
  readonly scope: ExportScope
}

/** Rows after which a page ends, with the item being read, which may take ten thousand. */
export const ROWS_PER_PAGE = 20_000

/** One kind of data, read page by page in separate turns, so that no one waits long. */
export interface ExportSource {
  readonly name: string
  read(view: ExportView, cursor: readonly number[]): ExportPage
}

/**
 * The contents of an export: all public channels, private channels with a consenting subscriber (with protected history,
 * only the messages that such subscribers have received), and direct conversations with a consenting participant. A
 * public export has no consents; a whole one contains everything. Source: docs/interface/administration.md#exports.
 */
export interface ExportScope {
  /** Users whose private data it contains. */
  readonly consenting: ReadonlySet<number>
  includesChannel(channel: Channel): boolean
  /** Whether it contains all messages of an included channel, not only what consenting users have received. */
  includesHistory(channel: Channel): boolean
  includesMessage(message: Pick<IndexedMessage, 'id' | 'recipientId'>): boolean
  /** Whether it contains the texts and topics that a message had in a channel which it has left since. */
  includesStay(channelId: number): boolean
  /** Returns the channel's consenting users; only called for private channels. */
  readersOf(channelId: number): readonly number[]
  /** Returns what they have received there. */
  rangesOf(channelId: number): readonly ReceivedRange[]
}

/** Returns the scope of an export. Consent counts if it was given before the start and has not been withdrawn since. */
export function exportScope(sql: Sql, exported: Pick<RealmExport, 'type' | 'consenting'>): ExportScope {
  const isWhole = exported.type === EXPORT_TYPES.whole
  const consenting = isWhole ? new Set(exported.consenting) : stillConsenting(sql, exported.consenting)
  const readersOf = remember((channelId: number) =>
    consenting.size === 0
      ? []
      : subscribersOf(sql, channelId)
          .toArray()
          .filter((userId) => consenting.has(userId)),
  )
  const channelAt = remember((id: number) => findChannel(sql, id))
  const rangesOf = remember((channelId: number) => rangesReceivedByAny(sql, readersOf(channelId), channelId))
  const isConversationIncluded = remember(
    (id: number) => conversationById(sql, id)?.members.some((userId) => consenting.has(userId)) ?? false,
  )

  const isReceivedByReader = (channelId: number, messageId: number) => {
    if (isReceived(rangesOf(channelId), messageId)) return true
    const holders = usersWithFlags(sql, [messageId])
    return readersOf(channelId).some((userId) => holders.has(userId))
  }

  const includesHistory = ({ isPrivate, historyPublicToSubscribers }: Channel) =>
    isWhole || !isPrivate || historyPublicToSubscribers

  const includesChannel = ({ id, isPrivate }: Channel) => isWhole || !isPrivate || readersOf(id).length > 0

  return {
    consenting,
    readersOf,
    rangesOf,
    includesChannel,
    includesHistory,
    includesStay(channelId) {
      const channel = channelAt(channelId)
      return channel !== undefined && includesChannel(channel) && includesHistory(channel)
    },
    includesMessage({ id, recipientId }) {
      const recipient = recipientOf(recipientId)
      if (recipient.kind !== 'channel') return isWhole || isConversationIncluded(recipient.id)
      const channel = channelAt(recipient.id)
      if (isWhole || !channel?.isPrivate) return channel !== undefined
      if (readersOf(channel.id).length === 0) return false
      return includesHistory(channel) || isReceivedByReader(channel.id, id)
    },
  }
}

/** Whether a host is the organization's, for links in its texts. */
export function isOwnHost({ exported }: Pick<ExportView, 'exported'>): Referable['isOwn'] {
  const { host: own } = new URL(exported.origin)
  return (host) => host.toLowerCase() === own
}

function stillConsenting(sql: Sql, atStart: readonly number[]): ReadonlySet<number> {
  if (atStart.length === 0) return new Set()
  const now = new Set(consentingIds(sql))
  return new Set(atStart.filter((id) => now.has(id)))
}
