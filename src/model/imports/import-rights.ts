import { ApiError } from '../../core/errors.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import { requireActiveChannelContent } from '../../rules/channel-rules.ts'
import { requireTopicAllowed } from '../../rules/topic-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { type ImportedType, isMadeFor } from '../../store/imports/imported-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { topicsPolicyIn } from '../channels/read/present-channel.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import { requireMayOpenTopicIn, requireMayPostIn } from '../sending/resolve-destination.ts'
import { type ImportWork, unlessRefused, wasMade } from './import-work.ts'

/**
 * What an import may do to things that were here before it: what the owner who imports may do to them by other requests. The rules are asked
 * when an owner decides, and in each commit that writes, since the owner may have lost a right meanwhile.
 */

/** The kind under which the report lists what the owner who imports may not do. */
export const NOT_ALLOWED = 'not permitted to the owner'

/**
 * Returns the channel in which the owner may write, as by sending a message.
 * @throws BadRequestError for one that is absent, archived or not readable for the owner, which all look the same
 */
export function requireMayImportInto(view: RealmView, owner: Author, channel: Channel | undefined): Channel {
  const joined = channel !== undefined && isSubscribed(view.sql, channel.id, owner.user.id)
  const found = requireActiveChannelContent(owner.actor, channel, joined)
  requireMayPostIn(view, owner, found)
  return found
}

/** Returns the channel with this id in which the owner may write; undefined if it is not allowed, which is listed. */
export function channelToJoin(
  tx: RealmTransaction,
  work: ImportWork,
  id: number,
  name: string,
): Channel | undefined {
  return unlessRefused(work, NOT_ALLOWED, name, () =>
    requireMayImportInto(tx, work.owner, findChannel(tx.sql, id)),
  )
}

/** Returns why the owner may not write in a channel; undefined if it is allowed. */
export function refusalOfChannel(view: RealmView, owner: Author, channel: Channel): string | undefined {
  try {
    requireMayImportInto(view, owner, channel)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.message
  }
}

/**
 * Whether a thing is the import's own rather than one that was here before: it has made it, or an earlier import of the same place that the same
 * owner has run.
 */
export function isOwn(
  { sql }: Pick<RealmTransaction, 'sql'>,
  { imported, sourceId, own }: ImportWork,
  type: ImportedType,
  id: string,
): boolean {
  const key = `${type} ${id}`
  const known = own.get(key) ?? isMadeFor(sql, imported.actingUserId, { sourceId, type, id })
  own.set(key, known)
  return known
}

/** Whether the owner may write into the channel here of one of the source, under this topic. If not, it is listed. `what`: what is not written. */
export function mayWriteInto(
  tx: RealmTransaction,
  work: ImportWork,
  id: string,
  { channel, topic, what }: { readonly channel: Channel; readonly topic: string; readonly what: string },
): boolean {
  if (isOwn(tx, work, 'channel', id)) return true
  const refusal = work.refusals.has(channel.id)
    ? work.refusals.get(channel.id)
    : refusalOfChannel(tx, work.owner, channel)
  work.refusals.set(channel.id, refusal)
  if (refusal !== undefined) {
    work.tally.problem(NOT_ALLOWED, `${what}: ${refusal}`)
    return false
  }
  const isAllowed = unlessRefused(work, NOT_ALLOWED, what, () => {
    requireMayOpenTopicIn(tx, work.owner, channel, topic)
    requireTopicAllowed(topic, topicsPolicyIn(tx.sql, channel))
    return true
  })
  return isAllowed === true
}

/**
 * Whether an account gets what people have for themselves, which nobody else may change: that of the owner who imports, and one that is nobody's yet.
 */
export function takesOwn(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  id: string,
  userId: number,
): boolean {
  return userId === work.imported.actingUserId || isNobodys(tx, work, id, userId)
}

/** Whether this import has made an account, or an earlier one of the same place and owner, and nobody has logged in to it since. */
export function isNobodys(
  tx: Pick<RealmTransaction, 'sql'>,
  work: ImportWork,
  id: string,
  userId: number,
): boolean {
  const key = `nobody's user ${id}`
  const known = work.own.get(key)
  if (known !== undefined) return known
  const user = findUser(tx.sql, userId)
  const isNobody =
    wasMade(tx, work, 'user', id) || (user?.awaitsLogin === true && isOwn(tx, work, 'user', id))
  work.own.set(key, isNobody)
  return isNobody
}
