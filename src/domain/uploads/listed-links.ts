import { FILE_LINKS } from '../../core/budgets.ts'
import { type RealmView, StaleError } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import type { PresentedAttachment } from '../../events/attachment.ts'
import type { StoredDeleteMessageEvent } from '../../events/delete-message.ts'
import { type LoggedEvent, newestLogId, readEventsAfter } from '../../events/log.ts'
import type { StoredUpdateMessageEvent } from '../../events/update-message.ts'
import { mayReadMessage } from '../../permissions/message-rules.ts'
import { actorOf } from '../caller.ts'
import { findChannel } from '../channels/channel-rows.ts'
import { findMessages, type IndexedMessage } from '../messages/message-rows.ts'
import { accessReader, type Viewer } from '../messages/read/message-access.ts'
import { readMeta } from '../meta-rows.ts'
import { channelsOfUser } from '../subscriptions/period-rows.ts'
import { findUser } from '../users/user-rows.ts'

/** Limits of the part of the log that one turn searches for changes. */
const CHECKED_LOG = { entries: 1_000, characters: 1_000_000 }

type View = Pick<RealmView, 'sql' | 'now' | 'remembered'>

/**
 * The messages that a list of files names, which is made in several turns. Others may move or delete messages meanwhile, or take the files’
 * owner out of a channel: what the owner may not read any more when the list is complete is not in it.
 */
export class ListedLinks {
  readonly #userId: number
  readonly #messages = new Set<number>()
  /** What decides which messages of a channel the owner may read, as it was when the first of them was listed. */
  readonly #channels = new Map<number, string>()
  #messagesToCheck: number[] = []
  #channelsToCheck: number[] = []
  /** The newest entry of the log that was searched, and the last change of channels, users and groups that is known. */
  #seen: number
  #epoch: number
  #isStale = false
  #isAnyGone = false

  constructor({ sql, remembered }: View, userId: number) {
    this.#userId = userId
    this.#seen = newestLogId(sql)
    this.#epoch = remembered.epoch
  }

  /** Notes messages that were listed in this turn. */
  note(view: View, messages: readonly IndexedMessage[]): void {
    if (messages.length === 0) return
    for (const { id } of messages) this.#messages.add(id)
    const basisOf = this.#basisReader(view)
    for (const id of channelsOf(messages)) {
      if (!this.#channels.has(id)) this.#channels.set(id, basisOf(id))
    }
  }

  /** Checks what has changed. False where that is more than one turn does: then another goes on. */
  follow(view: View): boolean {
    const isAllRead = this.#readChanges(view)
    const messages = this.#messagesToCheck.splice(0, FILE_LINKS.ofOneTurn)
    if (messages.length > 0) this.#checkMessages(view, messages)
    const channels = this.#channelsToCheck.splice(0, FILE_LINKS.ofOneTurn)
    if (channels.length > 0) this.#checkChannels(view, channels)
    if (this.#isStale) return true
    return isAllRead && this.#messagesToCheck.length === 0 && this.#channelsToCheck.length === 0
  }

  /**
   * Returns the files without messages that their owner may not read any more.
   * @throws StaleError where the list has to be made again
   */
  present(view: View, attachments: readonly PresentedAttachment[]): readonly PresentedAttachment[] {
    if (!this.follow(view) || this.#isStale) throw new StaleError()
    if (!this.#isAnyGone) return attachments
    return attachments.map((attachment) => ({
      ...attachment,
      messages: attachment.messages.filter(({ id }) => this.#messages.has(id)),
    }))
  }

  /** Reads what may have changed; false where there is more. */
  #readChanges({ sql, remembered }: View): boolean {
    if (remembered.epoch !== this.#epoch) {
      const changed = remembered.channelsChangedSince(this.#epoch)
      this.#epoch = remembered.epoch
      const concerned = [...this.#channels.keys()].filter((id) => !changed || changed.has(id))
      this.#channelsToCheck = [...new Set([...this.#channelsToCheck, ...concerned])]
    }
    const newest = newestLogId(sql)
    if (newest === this.#seen) return true
    if ((readMeta<number>(sql, 'trimmed') ?? 0) > this.#seen) this.#isStale = true
    const { events, upTo } = readEventsAfter(sql, this.#seen, CHECKED_LOG)
    this.#seen = Math.min(upTo, newest)
    const changed = events.flatMap(movedAway).filter((id) => this.#messages.has(id))
    this.#messagesToCheck = [...new Set([...this.#messagesToCheck, ...changed])]
    return this.#seen === newest
  }

  #checkMessages(view: View, ids: readonly number[]): void {
    const viewer = this.#viewer(view)
    const access = accessReader(view, viewer)
    const found = new Map(
      findMessages(
        view.sql,
        ids.toSorted((a, b) => a - b),
      ).map((one) => [one.id, one]),
    )
    const readable = [...found.values()].filter((message) => mayReadMessage(viewer.actor, access(message)))
    this.note(view, readable)
    if (readable.length === ids.length) return
    this.#isAnyGone = true
    const kept = new Set(readable.map(({ id }) => id))
    for (const id of ids) if (!kept.has(id)) this.#messages.delete(id)
  }

  #checkChannels(view: View, ids: readonly number[]): void {
    const basisOf = this.#basisReader(view)
    if (ids.some((id) => basisOf(id) !== this.#channels.get(id))) this.#isStale = true
  }

  #viewer({ sql, now }: View): Viewer {
    const user = findUser(sql, this.#userId)!
    return { user, actor: actorOf(sql, user, now) }
  }

  #basisReader(view: View): (channelId: number) => string {
    const { sql } = view
    const { actor } = this.#viewer(view)
    const own = channelsOfUser(sql, this.#userId)
    return (id) => {
      const channel = findChannel(sql, id)
      if (!channel) return ''
      const facts = { channel, isSubscribed: own.isSubscribed(id) }
      const [whole, received] = [false, true].map((hasRecord) =>
        mayReadMessage(actor, { ...facts, hasRecord }),
      )
      return JSON.stringify([whole, received, whole || !received ? [] : own.periods(id)])
    }
  }
}

function channelsOf(messages: readonly IndexedMessage[]): number[] {
  const recipients = [...new Set(messages.map(({ recipientId }) => recipientId))].map(recipientOf)
  return recipients.filter(({ kind }) => kind === 'channel').map(({ id }) => id)
}

/** Returns the messages that an event says are deleted, or in another channel. */
function movedAway({ event }: Pick<LoggedEvent, 'event'>): readonly number[] {
  switch (event.type) {
    case 'delete_message':
      return (event as StoredDeleteMessageEvent).message_ids
    case 'update_message': {
      const { new_stream_id, message_ids } = event as StoredUpdateMessageEvent
      return new_stream_id === undefined ? [] : message_ids
    }
    default:
      return []
  }
}
