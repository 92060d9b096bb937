import type { Command } from '../../core/command.ts'
import { BadRequestError, IncompatibleParametersError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../caller.ts'
import { realmProperty } from '../realm/realm-setting-rows.ts'
import type { EditHistoryPolicy } from './edit-history.ts'
import { findMessages } from './message-rows.ts'
import { compileNarrow } from './narrow/compile-narrow.ts'
import { MatchingMessages } from './narrow/matching-messages.ts'
import { type Anchor, type MessageWindow, messagesAround, readAnchor } from './narrow/message-window.ts'
import { type NarrowTerm, type RawNarrowTerm, readNarrowTerms } from './narrow/narrow-terms.ts'
import { resolveWith } from './narrow/resolve-with.ts'
import { readableMessages, universeOf } from './narrow/universe.ts'
import { type PresentedMessage, presentMessages } from './present-message.ts'

/** Behaviour 0.10: of one request. */
export const MAX_MESSAGES_PER_FETCH = 5_000

export interface GetMessagesParams {
  readonly anchor?: string
  readonly include_anchor: boolean
  readonly num_before: number
  readonly num_after: number
  readonly narrow: readonly RawNarrowTerm[] | null
  readonly use_first_unread_anchor: boolean
  readonly client_gravatar: boolean
  readonly apply_markdown: boolean
  readonly allow_empty_topic_name: boolean
  readonly message_ids?: readonly number[] | null
}

/** What the Worker completes with bodies. */
export interface FoundMessages {
  readonly messages: readonly PresentedMessage[]
  readonly historyPolicy: EditHistoryPolicy
  /** The fields beside the messages. */
  readonly found: {
    readonly anchor?: number
    readonly found_anchor: boolean
    readonly found_oldest: boolean
    readonly found_newest: boolean
    readonly history_limited: boolean
  }
}

/**
 * Fetches messages around an anchor, or by their ids.
 * Source: core-endpoints 5, 5.1 (errors in its order); behaviour 0.8, 0.9.
 */
export const getMessages: Command<Caller, GetMessagesParams, void, FoundMessages> = {
  apply(view, caller, params) {
    const terms = readNarrowTerms(params.narrow ?? [])
    const ids = requestedIds(params)
    const { messages, ...found } = ids
      ? messagesById(view, caller, terms, ids)
      : messagesIn(view, caller, terms, params)
    return {
      messages: presentMessages(view, caller, messages, {
        clientGravatar: params.client_gravatar,
        allowEmptyTopic: params.allow_empty_topic_name,
      }),
      historyPolicy: realmProperty(view.sql, 'message_edit_history_visibility_policy'),
      found: {
        ...(ids ? {} : { anchor: found.anchor }),
        found_anchor: found.foundAnchor,
        found_oldest: found.foundOldest,
        found_newest: found.foundNewest,
        history_limited: false,
      },
    }
  },
  bodiesFor: ({ messages }) => messages.map(({ facts }) => facts.id),
}

function messagesById(
  view: RealmView,
  caller: Caller,
  terms: readonly NarrowTerm[],
  ids: readonly number[],
): MessageWindow {
  const resolved = resolveWith(view, caller, terms)
  requireAtMost(ids.length)
  const plan = compileNarrow(view, caller, resolved)
  const matching = new MatchingMessages(view, caller, plan, readableMessages(view, caller))
  return {
    messages: matching.among(findMessages(view.sql, ids)),
    anchor: 0,
    foundAnchor: false,
    foundOldest: false,
    foundNewest: false,
  }
}

function messagesIn(
  view: RealmView,
  caller: Caller,
  terms: readonly NarrowTerm[],
  params: GetMessagesParams,
): MessageWindow {
  const anchor = requestedAnchor(params)
  const resolved = resolveWith(view, caller, terms)
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = params
  requireAtMost(before + after)
  if (before > 0 && after > 0 && !includeAnchor) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range')
  }
  const plan = compileNarrow(view, caller, resolved)
  const matching = new MatchingMessages(view, caller, plan, universeOf(view, caller, plan))
  return messagesAround(view, caller, plan, matching, { anchor, includeAnchor, before, after })
}

/** Ids and a range exclude each other. */
function requestedIds(params: GetMessagesParams): readonly number[] | undefined {
  if (!params.message_ids) return undefined
  if (
    params.num_before > 0 ||
    params.num_after > 0 ||
    params.anchor !== undefined ||
    params.use_first_unread_anchor
  ) {
    throw new IncompatibleParametersError([
      'num_before',
      'num_after',
      'anchor',
      'message_ids',
      'include_anchor',
      'use_first_unread_anchor',
    ])
  }
  return params.message_ids
}

function requestedAnchor({ anchor, use_first_unread_anchor }: GetMessagesParams): Anchor {
  if (use_first_unread_anchor) return 'first_unread'
  if (anchor === undefined) throw new BadRequestError("Missing 'anchor' argument.")
  return readAnchor(anchor)
}

function requireAtMost(count: number): void {
  if (count > MAX_MESSAGES_PER_FETCH) {
    throw new BadRequestError(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
}
