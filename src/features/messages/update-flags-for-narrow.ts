import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { described, jsonBoolean, jsonNonNegativeInteger, word } from '../../api/parameter-types.ts'
import { anchor, anchorDate, narrow } from '../../api/shared-parameters.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { inCommits } from '../../core/in-commits.ts'
import type { RealmTransaction, RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { changeFlag } from '../../model/editing/change-flag.ts'
import { windowAround } from '../../model/narrows/find-window.ts'
import { readAnchor, type WindowRequest } from '../../model/narrows/message-window.ts'
import { type NarrowTerm, readNarrowTerms } from '../../model/narrows/narrow-terms.ts'
import { newestMessageId } from '../../store/messages/message-rows.ts'
import { requireWindow } from './fetch-messages.ts'
import { resolveWith } from './narrow-of-request.ts'
import { requireFlagChange } from './update-flags.ts'

/** Limit of one request (docs/interface/conventions.md#limits). A larger number is reduced, not refused. */
const MAX_MESSAGES_PER_UPDATE = 5_000

const flagsAnswer = v.object({
  processed_count: v.number(),
  updated_count: v.number(),
  first_processed_id: v.nullable(v.number()),
  last_processed_id: v.nullable(v.number()),
  found_oldest: v.boolean(),
  found_newest: v.boolean(),
  ignored_because_not_subscribed_channels: v.array(v.number()),
})
type UpdateFlagsForNarrowResult = v.InferOutput<typeof flagsAnswer>

/** The progress of the commits so far. */
interface Flagged {
  /** Numbers of remaining messages before the first of the finished ones, and after the last. */
  readonly before: number
  readonly after: number
  /** Ends of the finished range: the anchor if nothing is finished on that side yet. */
  readonly oldest: number
  readonly newest: number
  readonly result: UpdateFlagsForNarrowResult
}

/** Makes one commit, after those summed up in `earlier`. */
function flagNext(
  tx: RealmTransaction,
  caller: Caller,
  params: UpdateFlagsForNarrowParams,
  earlier: Flagged | undefined,
): Flagged {
  const { terms, window } = readRequest(tx, caller, params)
  const part = nextPart(window, earlier)
  const { messages, found } = windowAround(tx, caller, { terms, window: part })
  const change = requireFlagChange(params)
  const { changed, ignoredChannels } = changeFlag(tx, caller, messages, change)
  const ids = messages.map(({ id }) => id)
  const anchor = Math.min(found.anchor, newestMessageId(tx.sql) + 1)
  const result = together(earlier?.result, part, {
    processed_count: ids.length,
    updated_count: changed.length,
    first_processed_id: ids[0] ?? null,
    last_processed_id: ids.at(-1) ?? null,
    found_oldest: found.found_oldest,
    found_newest: found.found_newest,
    ignored_because_not_subscribed_channels: [...ignoredChannels],
  })
  return { ...leftBy(earlier ?? window, part, anchor, ids), ...endsOf(earlier, anchor, ids), result }
}

/** Returns the window of the next commit: the first begins at the anchor, later ones where an earlier one has ended. */
function nextPart(window: WindowRequest, earlier: Flagged | undefined): WindowRequest {
  const before = Math.min((earlier ?? window).before, ENTRIES_AT_ONCE)
  if (earlier && before > 0) return { anchor: earlier.oldest, includeAnchor: false, before, after: 0 }
  const after = Math.min((earlier ?? window).after, ENTRIES_AT_ONCE - before)
  if (earlier) return { anchor: earlier.newest, includeAnchor: false, before: 0, after }
  return { ...window, before, after }
}

/** Returns the numbers of wanted messages beyond those of a part. If the part found fewer than requested, there are no more. */
function leftBy(
  wanted: Pick<WindowRequest, 'before' | 'after'>,
  part: WindowRequest,
  anchor: number,
  ids: readonly number[],
): Pick<WindowRequest, 'before' | 'after'> {
  const older = ids.filter((id) => id < anchor).length
  const newer = ids.filter((id) => id > anchor).length
  return {
    before: older < part.before ? 0 : wanted.before - part.before,
    after: newer < part.after ? 0 : wanted.after - part.after,
  }
}

function endsOf(
  earlier: Flagged | undefined,
  anchor: number,
  ids: readonly number[],
): Pick<Flagged, 'oldest' | 'newest'> {
  return {
    oldest: Math.min(earlier?.oldest ?? anchor, ids[0] ?? anchor),
    newest: Math.max(earlier?.newest ?? anchor, ids.at(-1) ?? anchor),
  }
}

/** Combines the result of earlier commits with that of this part, which went in one direction only. */
function together(
  earlier: UpdateFlagsForNarrowResult | undefined,
  part: WindowRequest,
  own: UpdateFlagsForNarrowResult,
): UpdateFlagsForNarrowResult {
  if (!earlier) return own
  const ignored = [earlier, own].flatMap((one) => one.ignored_because_not_subscribed_channels)
  return {
    processed_count: earlier.processed_count + own.processed_count,
    updated_count: earlier.updated_count + own.updated_count,
    first_processed_id:
      part.before > 0
        ? (own.first_processed_id ?? earlier.first_processed_id)
        : (earlier.first_processed_id ?? own.first_processed_id),
    last_processed_id:
      part.after > 0
        ? (own.last_processed_id ?? earlier.last_processed_id)
        : (earlier.last_processed_id ?? own.last_processed_id),
    found_oldest: part.before > 0 ? own.found_oldest : earlier.found_oldest,
    found_newest: part.after > 0 ? own.found_newest : earlier.found_newest,
    ignored_because_not_subscribed_channels: [...new Set(ignored)].sort((a, b) => a - b),
  }
}

function readRequest(
  view: RealmView,
  caller: Caller,
  params: UpdateFlagsForNarrowParams,
): { terms: readonly NarrowTerm[]; window: WindowRequest } {
  const terms = readNarrowTerms(params.narrow)
  const anchor = readAnchor(params.anchor, params.anchor_date)
  const window = requireWindow(anchor, { ...params, ...clamped(params) })
  return { terms: resolveWith(view, caller, terms), window }
}

/** Returns the numbers of messages on both sides of the anchor, within the limit. Each side can have at least half of it. */
function clamped({ num_before, num_after }: UpdateFlagsForNarrowParams) {
  const half = MAX_MESSAGES_PER_UPDATE / 2
  const before = Math.min(num_before, Math.max(MAX_MESSAGES_PER_UPDATE - num_after, half))
  return { num_before: before, num_after: Math.min(num_after, MAX_MESSAGES_PER_UPDATE - before) }
}

const updateFlagsForNarrowParams = {
  anchor,
  anchor_date: v.optional(anchorDate),
  include_anchor: v.optional(jsonBoolean, 'true'),
  num_before: jsonNonNegativeInteger,
  num_after: jsonNonNegativeInteger,
  narrow,
  op: described(word, '`add` or `remove`.'),
  flag: described(word, '`read`, `starred`, `collapsed` or `hide_link_previews`.'),
}
type UpdateFlagsForNarrowParams = ParametersOf<typeof updateFlagsForNarrowParams>

/**
 * Sets or clears a personal flag on the messages of a narrow around an anchor; in several commits if there are thousands, first those
 * before the anchor. Source: docs/interface/reading.md#change-flags-in-a-narrow; docs/interface/reading.md#change-flags;
 * docs/decisions/interface.md#messages.
 */
export const updateFlagsForNarrowEndpoint = defineEndpoint({
  operation: 'update-flags-for-narrow',
  route: 'POST /messages/flags/narrow',
  access: 'user',
  madeInCopies: true,
  params: updateFlagsForNarrowParams,
  returns: flagsAnswer,
  command: {
    *commits(params) {
      return (yield* inCommits<Caller, Flagged, Flagged>(
        (tx, caller, earlier) => flagNext(tx, caller, params, earlier),
        (flagged): flagged is Flagged => flagged.before + flagged.after > 0,
      )).result
    },
    asks: true,
  },
  audit: 'own',
})
