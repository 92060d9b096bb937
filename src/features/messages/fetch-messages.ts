import * as v from 'valibot'
import type { ParametersOf } from '../../api/define-endpoint.ts'
import { MAX_LIST_LENGTH } from '../../api/input-limits.ts'
import {
  json,
  jsonBoolean,
  jsonNonNegativeInteger,
  listUpTo,
  nonNegativeInteger,
} from '../../api/parameter-types.ts'
import { anchor, anchorDate, narrowOrNull } from '../../api/shared-parameters.ts'
import { BYTES_AT_ONCE } from '../../core/budgets.ts'
import { BadRequestError, IncompatibleParametersError } from '../../core/errors.ts'
import { splitAt } from '../../core/parts-of-lists.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import type { Caller } from '../../model/caller.ts'
import { packMessages } from '../../model/messages/read/pack-messages.ts'
import { presentInParts } from '../../model/messages/read/present-message.ts'
import { readableMessages } from '../../model/narrows/candidate-set.ts'
import { compileNarrow } from '../../model/narrows/compile-narrow.ts'
import { windowAround } from '../../model/narrows/find-window.ts'
import { MatchingMessages } from '../../model/narrows/matching-messages.ts'
import {
  type Anchor,
  type MessageWindow,
  readAnchor,
  type WindowRequest,
} from '../../model/narrows/message-window.ts'
import { type NarrowTerm, readNarrowTerms, searchTermsOf } from '../../model/narrows/narrow-terms.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessages, type IndexedMessage } from '../../store/messages/message-rows.ts'
import { reactionCount } from '../../store/reactions/reaction-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { submessageBytes } from '../../store/submessages/submessage-rows.ts'
import {
  type FoundFields,
  type FoundMessages,
  IDS_AT_ONCE,
  MESSAGES_AT_ONCE,
  type PresentedPage,
} from './found-messages.ts'
import { hitsAmong, resolveWith } from './narrow-of-request.ts'

/** Limit of one request (docs/interface/conventions.md#limits). */
export const MAX_MESSAGES_PER_FETCH = 5_000

/** Parameters for fetching messages, with an account and without. Source: docs/interface/reading.md#fetch-messages. */
export const messagesParameters = {
  anchor: v.optional(anchor),
  anchor_date: v.optional(anchorDate),
  include_anchor: v.optional(jsonBoolean, 'true'),
  num_before: v.optional(jsonNonNegativeInteger, '0'),
  num_after: v.optional(jsonNonNegativeInteger, '0'),
  narrow: v.optional(narrowOrNull, 'null'),
  use_first_unread_anchor: v.optional(jsonBoolean, 'false'),
  client_gravatar: v.optional(jsonBoolean, 'true'),
  apply_markdown: v.optional(jsonBoolean, 'true'),
  allow_empty_topic_name: v.optional(jsonBoolean, 'false'),
  message_ids: v.optional(json(v.nullable(listUpTo(MAX_LIST_LENGTH, nonNegativeInteger)))),
}
export type GetMessagesParams = ParametersOf<typeof messagesParameters>

/** A valid request: by ids, or around an anchor. */
type FetchRequest = { readonly terms: readonly NarrowTerm[] } & (
  | { readonly ids: readonly number[] }
  | { readonly window: WindowRequest }
)

/**
 * Fetches messages around an anchor, or by their ids.
 * Source: docs/interface/reading.md#fetch-messages; docs/interface/reading.md#narrows; docs/interface/access.md#messages; docs/interface/conventions.md#topics.
 */
export function getMessages(view: RealmReads, caller: Caller, params: GetMessagesParams): FoundMessages {
  const page = presentPage(view, caller, params)
  return { ...page, messages: packMessages(page.messages) }
}

/** Selects a request's messages and presents the first of them. */
export function presentPage(view: RealmReads, caller: Caller, params: GetMessagesParams): PresentedPage {
  const request = readRequest(view, caller, params)
  const { messages, rest, found } = selectMessages(view, caller, request)
  const fitting = fittingDetails(view.sql, messages.slice(0, MESSAGES_AT_ONCE))
  const presented = presentInParts(view, caller, messages.slice(0, fitting), {
    clientGravatar: params.client_gravatar,
    allowEmptyTopic: params.allow_empty_topic_name,
  })
  return {
    messages: presented,
    rest: [...messages.slice(presented.length).map(({ id }) => id), ...rest],
    historyPolicy: realmProperty(view.sql, 'message_edit_history_visibility_policy'),
    searchTerms: searchTermsOf(request.terms)?.all,
    found: { ...found, history_limited: false },
  }
}

/** Messages that may be presented; `rest`: ids of further ones, which must be checked again. */
interface Selected extends Omit<MessageWindow, 'found'> {
  readonly rest: readonly number[]
  readonly found: Omit<FoundFields, 'history_limited'>
}

function selectMessages(view: RealmReads, caller: Caller, request: FetchRequest): Selected {
  if ('ids' in request) {
    const ascending = [...new Set(request.ids)].sort((a, b) => a - b)
    // The Worker asks for the rest afterwards.
    const [first, rest] = splitAt(ascending, IDS_AT_ONCE)
    const plan = compileNarrow(view, caller, request.terms, hitsAmong(view, request.terms, first))
    const matching = new MatchingMessages(view, caller, plan, readableMessages(view, caller))
    return { messages: matching.among(findMessages(view.sql, first)), rest, found: NOTHING_KNOWN }
  }
  return windowAround(view, caller, request, MESSAGES_AT_ONCE)
}

/**
 * Returns the request for messages that were found before: all of these that the caller may still read. Messages requested by id have not
 * been compared with the narrow yet.
 */
export function allOfIds(params: GetMessagesParams, ids: readonly number[]): GetMessagesParams {
  return {
    ...params,
    message_ids: [...ids],
    narrow: params.message_ids ? params.narrow : null,
    anchor: undefined,
    anchor_date: undefined,
    use_first_unread_anchor: false,
    num_before: 0,
    num_after: 0,
  }
}

const NOTHING_KNOWN = { found_anchor: false, found_oldest: false, found_newest: false }

/**
 * @throws BadRequestError, BadNarrowError in the order of docs/interface/reading.md#fetch-messages; those of
 * single terms of the narrow come after these.
 */
export function readRequest(view: RealmView, caller: Caller, params: GetMessagesParams): FetchRequest {
  const terms = readNarrowTerms(params.narrow ?? [])
  const ids = requestedIds(params)
  if (ids) {
    const resolved = resolveWith(view, caller, terms)
    requireAtMost(ids.length)
    return { terms: resolved, ids }
  }
  const anchor = requestedAnchor(params)
  const resolved = resolveWith(view, caller, terms)
  requireAtMost(params.num_before + params.num_after)
  return { terms: resolved, window: requireWindow(anchor, params) }
}

/** @throws BadRequestError if the anchor would be left out in the middle of the range. */
export function requireWindow(
  anchor: Anchor,
  params: Pick<GetMessagesParams, 'include_anchor' | 'num_before' | 'num_after'>,
): WindowRequest {
  const { num_before: before, num_after: after, include_anchor: includeAnchor } = params
  if (before > 0 && after > 0 && !includeAnchor) {
    throw new BadRequestError('The anchor can only be excluded at an end of the range')
  }
  return { anchor, includeAnchor, before, after }
}

/** Returns the requested ids, which may not be combined with a range. */
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

function requestedAnchor({ anchor, anchor_date, use_first_unread_anchor }: GetMessagesParams): Anchor {
  if (use_first_unread_anchor) return 'first_unread'
  if (anchor === undefined) throw new BadRequestError("Missing 'anchor' argument.")
  return readAnchor(anchor, anchor_date)
}

function requireAtMost(count: number): void {
  if (count > MAX_MESSAGES_PER_FETCH) {
    throw new BadRequestError(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
  }
}

/** Characters of JSON that a reaction usually takes, with its user's name and address. */
const REACTION = 250

/**
 * Returns the number of messages, from the first on, that can be presented together: each may have thousands of reactions and submessages
 * (core/quotas.ts). At least one. Reads no more rows than fit, plus one message's.
 */
function fittingDetails(sql: Sql, messages: readonly IndexedMessage[]): number {
  let left = BYTES_AT_ONCE
  for (const [index, { id, bits }] of messages.entries()) {
    if ((bits & MESSAGE_BIT.hasReaction) !== 0) left -= reactionCount(sql, id) * REACTION
    if ((bits & MESSAGE_BIT.isWidget) !== 0) left -= submessageBytes(sql, id)
    if (left < 0) return Math.max(index, 1)
  }
  return messages.length
}
