import type { Command } from '../../core/command.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { requireChannelContent } from '../../permissions/channel-rules.ts'
import type { Caller } from '../caller.ts'
import { type Channel, findChannel } from '../channels/channel-rows.ts'
import { isSubscribed } from '../subscriptions/subscription-rows.ts'
import { changeFlag } from './change-flag.ts'
import { compileNarrow } from './narrow/compile-narrow.ts'
import { MatchingMessages } from './narrow/matching-messages.ts'
import type { NarrowTerm } from './narrow/narrow-terms.ts'
import { ownRecords } from './narrow/universe.ts'

/** Marks a channel's messages read. Deprecated: clients use flags/narrow. Source: core-endpoints 6. */
export const markChannelRead: Command<Caller, { readonly stream_id: number }, void, object> = {
  apply(tx, caller, { stream_id }) {
    const channel = requireReadableChannel(tx, caller, stream_id)
    markRead(tx, caller, [{ operator: 'channel', operand: channel.id, negated: false }])
    return {}
  },
}

/** @throws BadRequestError `Invalid channel ID` */
export function requireReadableChannel({ sql }: RealmView, { actor, user }: Caller, id: number): Channel {
  return requireChannelContent(actor, findChannel(sql, id), isSubscribed(sql, id, user.id))
}

/** Marks the caller's own unread messages of a narrow read, and tells the caller's clients which. */
export function markRead(tx: RealmTransaction, caller: Caller, terms: readonly NarrowTerm[]): void {
  const plan = compileNarrow(tx, caller, [...terms, { operator: 'is', operand: 'unread', negated: false }])
  const unread = new MatchingMessages(tx, caller, plan, ownRecords(tx, caller)).beyond(0, 1, Infinity)
  if (unread.length > 0) changeFlag(tx, caller, unread, { op: 'add', flag: 'read' })
}
