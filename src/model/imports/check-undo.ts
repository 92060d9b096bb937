import { CHANGES_OF_COMMIT, LARGE_CHANGES_OF_COMMIT } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { channelRecipientId, recipientId } from '../../core/recipient-id.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { listHolds } from '../../store/holds/hold-rows.ts'
import { laterImportOf, type RealmImport } from '../../store/imports/import-rows.ts'
import { type ImportedThing, type ImportedType, newestWritten } from '../../store/imports/imported-rows.ts'
import { conversationIdsOfUser } from '../../store/messages/conversation-rows.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessages } from '../../store/messages/message-rows.ts'
import { reactionsOf } from '../../store/reactions/reaction-rows.ts'
import { listSubmessages } from '../../store/submessages/submessage-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** The types of things that users may have come to depend on, in the order in which they are checked. */
export const CHECKED_TYPES = ['user', 'channel', 'message'] as const satisfies readonly ImportedType[]

/** Things of one commit. For a person it reads the newest message of each conversation; there may be thousands. */
export const CHECKED_AT_ONCE: Readonly<Record<(typeof CHECKED_TYPES)[number], number>> = {
  user: LARGE_CHANGES_OF_COMMIT,
  channel: CHANGES_OF_COMMIT,
  message: CHANGES_OF_COMMIT,
}

/** @throws BadRequestError when there is nothing to undo, or a later import has to be undone first */
export function requireUndoable({ sql }: RealmReads, { id, outcome, report }: RealmImport): void {
  if (outcome === 'undone' || report.written.length === 0) {
    throw new BadRequestError('This import has left nothing that could be undone')
  }
  if (listHolds(sql).length > 0)
    throw new BadRequestError('Something is on hold, so no import can be undone.')
  const later = laterImportOf(sql, id)
  if (later !== undefined)
    throw new BadRequestError(`The archive ${JSON.stringify(later)} was imported later: undo that first`)
}

/** Returns a sentence that says what depends on one of these things, which the import has made; undefined if nothing does. */
export function dependingOn(
  tx: RealmReads,
  type: (typeof CHECKED_TYPES)[number],
  things: readonly ImportedThing[],
): string | undefined {
  switch (type) {
    case 'user':
      return firstOf(things, (thing) => useOfAccount(tx, thing))
    case 'channel':
      return firstOf(things, (thing) => useOfChannel(tx, thing))
    case 'message':
      return useOfMessages(tx, things)
  }
}

function firstOf(
  things: readonly ImportedThing[],
  find: (thing: ImportedThing) => string | undefined,
): string | undefined {
  for (const thing of things) {
    const found = find(thing)
    if (found !== undefined) return found
  }
  return undefined
}

function useOfAccount({ sql }: RealmReads, { targetId }: ImportedThing): string | undefined {
  const user = findUser(sql, targetId)
  if (!user) return undefined
  if (user.botType === null && !user.awaitsLogin)
    return `${user.fullName} has logged in to an imported account`
  for (const id of conversationIdsOfUser(sql, targetId)) {
    const message = newestWritten(sql, recipientId({ kind: 'conversation', id }))
    if (message)
      return `${nameOf(sql, message.senderId)} has written in a direct conversation with ${user.fullName}`
  }
  return undefined
}

function useOfChannel({ sql }: RealmReads, { targetId }: ImportedThing): string | undefined {
  const message = newestWritten(sql, channelRecipientId(targetId))
  const channel = message && findChannel(sql, targetId)
  return channel && `${nameOf(sql, message.senderId)} has written in the imported channel ${channel.name}`
}

function useOfMessages({ sql }: RealmReads, things: readonly ImportedThing[]): string | undefined {
  const ids = things.map(({ targetId }) => targetId).sort((a, b) => a - b)
  const messages = new Map(findMessages(sql, ids).map((message) => [message.id, message]))
  const reactions = reactionsOf(sql, ids)
  const entries = listSubmessages(
    sql,
    [...messages.values()].filter(({ bits }) => (bits & MESSAGE_BIT.isWidget) !== 0).map(({ id }) => id),
  )
  for (const { targetId, version, reactions: imported } of things) {
    const message = messages.get(targetId)
    if (!message) continue
    if (message.version !== version) return `the imported message ${targetId} was edited`
    const now = reactions.get(targetId) ?? []
    const entered = entries.get(targetId) ?? []
    if (now.length + entered.length <= imported) continue
    const [last] = [...now.map(({ userId }) => userId), ...entered.map(({ senderId }) => senderId)].slice(-1)
    return `${nameOf(sql, last!)} has reacted to the imported message ${targetId}`
  }
  return undefined
}

function nameOf(sql: RealmReads['sql'], userId: number): string {
  return findUser(sql, userId)?.fullName ?? 'A user'
}
