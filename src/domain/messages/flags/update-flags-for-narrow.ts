import type { Command } from '../../../core/command.ts'
import type { RealmView } from '../../../core/realm-transaction.ts'
import type { Caller } from '../../caller.ts'
import { compileNarrow } from '../narrow/compile-narrow.ts'
import { loadWindow } from '../narrow/load-window.ts'
import { MatchingMessages } from '../narrow/matching-messages.ts'
import {
  type LoadedWindow,
  messagesAround,
  readAnchor,
  type WindowRequest,
} from '../narrow/message-window.ts'
import { type NarrowTerm, type RawNarrowTerm, readNarrowTerms } from '../narrow/narrow-terms.ts'
import { resolveWith } from '../narrow/resolve-with.ts'
import { universeOf } from '../narrow/universe.ts'
import { requireWindow } from '../read/get-messages.ts'
import { changeFlag } from './change-flag.ts'
import { requireFlagChange } from './update-flags.ts'

/** docs/interface/conventions.md#limits: of one request. More is cut, not refused. */
const MAX_MESSAGES_PER_UPDATE = 5_000

export interface UpdateFlagsForNarrowParams {
  readonly anchor: string
  readonly include_anchor: boolean
  readonly num_before: number
  readonly num_after: number
  readonly narrow: readonly RawNarrowTerm[]
  readonly op: string
  readonly flag: string
}

export interface UpdateFlagsForNarrowResult {
  readonly processed_count: number
  readonly updated_count: number
  readonly first_processed_id: number | null
  readonly last_processed_id: number | null
  readonly found_oldest: boolean
  readonly found_newest: boolean
  readonly ignored_because_not_subscribed_channels: readonly number[]
}

/**
 * Puts a personal flag on the messages of a narrow around an anchor, or takes it off.
 * Source: docs/interface/reading.md#change-flags-in-a-narrow; docs/interface/reading.md#change-flags; docs/decisions/interface.md#messages.
 */
export const updateFlagsForNarrow: Command<
  Caller,
  UpdateFlagsForNarrowParams,
  LoadedWindow,
  UpdateFlagsForNarrowResult
> = {
  async load(store, view, caller, params, stale) {
    const { terms, window } = readRequest(view, caller, params)
    return loadWindow(store, view, caller, terms, window, stale)
  },
  apply(tx, caller, params, loaded) {
    const { terms, window } = readRequest(tx, caller, params)
    const plan = compileNarrow(tx, caller, terms, loaded.found?.ids)
    const matching = new MatchingMessages(tx, caller, plan, universeOf(tx, caller, plan))
    const change = requireFlagChange(params)
    const { messages, found } = messagesAround(tx, matching, window, loaded)
    const { changed, ignoredChannels } = changeFlag(tx, caller, messages, change)
    return {
      processed_count: messages.length,
      updated_count: changed.length,
      first_processed_id: messages[0]?.id ?? null,
      last_processed_id: messages.at(-1)?.id ?? null,
      found_oldest: found.found_oldest,
      found_newest: found.found_newest,
      ignored_because_not_subscribed_channels: ignoredChannels,
    }
  },
}

function readRequest(
  view: RealmView,
  caller: Caller,
  params: UpdateFlagsForNarrowParams,
): { terms: readonly NarrowTerm[]; window: WindowRequest } {
  const terms = readNarrowTerms(params.narrow)
  const anchor = readAnchor(params.anchor)
  const window = requireWindow(anchor, { ...params, ...clamped(params) })
  return { terms: resolveWith(view, caller, terms), window }
}

/** The numbers of messages on both sides of the anchor, within the limit. Each side keeps at least half of it. */
function clamped({ num_before, num_after }: UpdateFlagsForNarrowParams) {
  const half = MAX_MESSAGES_PER_UPDATE / 2
  const before = Math.min(num_before, Math.max(MAX_MESSAGES_PER_UPDATE - num_after, half))
  return { num_before: before, num_after: Math.min(num_after, MAX_MESSAGES_PER_UPDATE - before) }
}
