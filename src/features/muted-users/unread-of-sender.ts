import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { defineReader } from '../../core/reader.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import { compileNarrow } from '../../model/messages/narrow/compile-narrow.ts'
import { presently } from '../../model/messages/narrow/find-window.ts'
import { MatchingMessages } from '../../model/messages/narrow/matching-messages.ts'
import { RowLimit } from '../../model/messages/narrow/message-window.ts'
import type { NarrowTerm } from '../../model/messages/narrow/narrow-terms.ts'
import { ownRecords } from '../../model/messages/narrow/universe.ts'
import type { Viewer } from '../../model/messages/read/message-access.ts'
import type { ReadSet } from '../../store/messages/flags/read-rows.ts'
import { findMessages, type IndexedMessage, newestMessageId } from '../../store/messages/message-rows.ts'

/** A viewer's next unread messages of one sender. With what came meanwhile they may be some more than one commit changes. */
interface NextUnread {
  /** Ascending by id; of each the viewer has a record, and it is unread in `read`. */
  readonly messages: readonly IndexedMessage[]
  readonly read: ReadSet
  /** The id up to which these are all; undefined when they are all that there are. */
  readonly reached: number | undefined
}

interface AskedUnread {
  readonly view: RealmView
  readonly viewer: Viewer
  readonly senderId: number
  readonly above: number
}

/** Ids of the next messages, up to where these are all, and the newest message then. Whoever changes them checks each again. */
const foundUnread = defineReader({
  name: 'unread messages of a sender',
  mayLag: true,
  keepsMuch: true,
  key: ({ viewer: { user }, senderId, above }: AskedUnread) => JSON.stringify([user.id, senderId, above]),
  *read({ sql }, { senderId, above, ...asked }) {
    const { view, viewer } = presently(sql, asked)
    const newest = newestMessageId(sql)
    const ids: number[] = []
    const from = { from: above, direction: 1, wanted: ENTRIES_AT_ONCE } as const
    const walk = unreadOf(view, viewer, senderId).matching.walk(from)
    const visit = ({ id }: IndexedMessage) => ids.push(id) < ENTRIES_AT_ONCE
    const end = yield* new RowLimit(sql).run(walk.run(visit))
    return { ids, reached: end === 'finished' ? undefined : walk.reached, newest }
  },
})

/** Returns the next messages above an id. */
export function nextUnreadOfSender(
  view: RealmReads,
  viewer: Viewer,
  { senderId, above }: Pick<AskedUnread, 'senderId' | 'above'>,
): NextUnread {
  const found = view.use(foundUnread, { view, viewer, senderId, above })
  const newest = newestMessageId(view.sql)
  const upTo = found.reached === undefined ? Math.min(newest, found.newest + ENTRIES_AT_ONCE) : 0
  // Their number is known, while a walk would begin in each of thousands of channels again.
  const ids = new Set(found.ids)
  for (let id = found.newest + 1; id <= upTo; id += 1) ids.add(id)
  const among = [...ids]
  const { matching, read } = unreadOf(view, viewer, senderId, among)
  return {
    messages: matching.among(findMessages(view.sql, among)),
    read,
    reached: found.reached ?? (upTo < newest ? upTo : undefined),
  }
}

/** `among`: the only messages that are looked at. */
function unreadOf(
  view: RealmView,
  viewer: Viewer,
  senderId: number,
  among?: readonly number[],
): { readonly matching: MatchingMessages; readonly read: ReadSet } {
  const terms: NarrowTerm[] = [
    { operator: 'sender', operand: senderId, negated: false },
    { operator: 'is', operand: 'unread', negated: false },
  ]
  const plan = compileNarrow(view, viewer, terms, among)
  return {
    matching: new MatchingMessages(view, viewer, plan, ownRecords(view, viewer)),
    read: plan.facts.readSet(),
  }
}
