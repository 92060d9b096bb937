import { BadRequestError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { cutTopic, normaliseContent } from '../../model/messages/send/message-text.ts'
import { requireChannelMetadata } from '../../rules/channel-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import type { Draft } from '../../store/drafts/draft-rows.ts'
import { isSubscribed } from '../../store/subscriptions/subscriber-rows.ts'
import { allAccounts } from '../../store/users/account-set-rows.ts'

/** A draft as a client sends it. */
export interface GivenDraft {
  readonly type: Draft['type']
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  /** The present time by default. */
  readonly timestamp?: number
}

/** Returns the drafts of a request in the form to store, as `checkedDraft` does each. Whom several name is looked up once. */
export function checkedDrafts(
  view: RealmView,
  caller: Caller,
  given: readonly GivenDraft[],
): Omit<Draft, 'id'>[] {
  const known = new Set<number>()
  return given.map((draft) => checkedDraft(view, caller, draft, known))
}

/**
 * Returns the draft in the form to store. Errors in the order of docs/interface/personal.md#drafts. `known`: accounts that were found
 * before, to which those that it names are added.
 */
export function checkedDraft(
  view: RealmView,
  caller: Caller,
  given: GivenDraft,
  known = new Set<number>(),
): Omit<Draft, 'id'> {
  const content = normaliseContent(given.content)
  const timestamp = toMicroseconds(given.timestamp ?? view.now)
  if (timestamp < 0) throw new BadRequestError('Timestamp must not be negative.')
  const draft = { type: given.type, to: [...given.to], topic: '', content, timestamp }
  if (given.type === 'stream') {
    const topic = cutTopic(given.topic)
    if (topic.includes('\0')) throw new BadRequestError('Topic must not contain null bytes')
    requireOneChannel(view, caller, given.to)
    return { ...draft, topic }
  }
  if (given.type === '') return { ...draft, to: [] }
  requireAccounts(view, given.to, known)
  return draft
}

function requireAccounts({ sql }: RealmView, ids: readonly number[], known: Set<number>): void {
  const others = ids.filter((id) => !known.has(id))
  if (others.length === 0) return
  const accounts = allAccounts(sql)
  const unknown = others.find((id) => !accounts.has(id))
  if (unknown !== undefined) throw new BadRequestError(`Invalid user ID ${unknown}`)
}

function requireOneChannel({ sql }: RealmView, { user, actor }: Caller, to: readonly number[]): void {
  if (to.length !== 1) {
    throw new BadRequestError('Must specify exactly 1 channel ID for channel messages')
  }
  requireChannelMetadata(actor, findChannel(sql, to[0]!), isSubscribed(sql, to[0]!, user.id))
}

function toMicroseconds(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}
