import type { Command } from '../../../core/command.ts'
import { FLAGGED_IN_ONE_COMMIT } from '../../../core/commit-budgets.ts'
import { BadRequestError } from '../../../core/errors.ts'
import { invalidMessage } from '../../../permissions/message-rules.ts'
import type { Caller } from '../../caller.ts'
import { findMessages } from '../message-rows.ts'
import {
  changeFlag,
  EDITABLE_FLAGS,
  type EditableFlag,
  entersHistory,
  type FlagChange,
  requireMayFlag,
} from './change-flag.ts'
import { FLAG_BIT } from './message-bits.ts'

export interface UpdateFlagsParams {
  readonly messages: readonly number[]
  readonly op: string
  readonly flag: string
  /** The result of earlier commits of the same request. */
  readonly earlier?: PartlyFlagged['earlier']
}

/** The answer of a commit that changed the flags of some messages: the Worker asks for the others. */
export interface PartlyFlagged {
  readonly earlier: {
    /** Number of finished ids of the request, each counted once. */
    readonly done: number
    readonly changed: readonly number[]
    readonly ignoredChannels: readonly number[]
  }
}

export interface UpdateFlagsResult {
  readonly messages: readonly number[]
  /** Channels that were left out when marking as unread. */
  readonly ignored_because_not_subscribed_channels?: readonly number[]
}

/**
 * Sets or clears a personal flag on messages. Source: docs/interface/reading.md#change-flags;
 * docs/decisions/interface.md#messages.
 */
export const updateFlags: Command<Caller, UpdateFlagsParams, void, UpdateFlagsResult | PartlyFlagged> = {
  // Checks all messages before the first of thousands is changed.
  async load({ walks }, view, caller, params) {
    const ids = [...new Set(params.messages)]
    if (params.earlier || ids.length <= FLAGGED_IN_ONE_COMMIT) return
    const change = requireFlagChange(params)
    for (let at = 0; entersHistory(change) && at < ids.length; at += FLAGGED_IN_ONE_COMMIT) {
      await walks.turn()
      const part = ids.slice(at, at + FLAGGED_IN_ONE_COMMIT)
      const found = findMessages(view.sql, part)
      if (found.length < part.length) throw invalidMessage()
      requireMayFlag(view, caller, found, change)
    }
  },
  apply(tx, caller, params) {
    const change = requireFlagChange(params)
    const { earlier = { done: 0, changed: [], ignoredChannels: [] } } = params
    const ids = [...new Set(params.messages)]
    const done = earlier.done + FLAGGED_IN_ONE_COMMIT
    const part = ids.slice(earlier.done, done)
    const found = new Map(findMessages(tx.sql, part).map((message) => [message.id, message]))
    const isFirst = earlier.done === 0
    if (isFirst && entersHistory(change) && found.size < part.length) throw invalidMessage()
    const messages = part.flatMap((id) => found.get(id) ?? [])
    const { changed, ignoredChannels } = changeFlag(tx, caller, messages, change, isFirst ? 'all' : 'visible')
    const all = {
      done,
      changed: [...earlier.changed, ...changed],
      ignoredChannels: [...new Set([...earlier.ignoredChannels, ...ignoredChannels])].sort((a, b) => a - b),
    }
    if (done < ids.length) return { earlier: all }
    const marksUnread = change.flag === 'read' && change.op === 'remove'
    return {
      messages: all.changed,
      ...(marksUnread ? { ignored_because_not_subscribed_channels: all.ignoredChannels } : {}),
    }
  },
}

/**
 * Refuses a change of flags that users may not make. Errors in the order of
 * docs/interface/reading.md#change-flags.
 */
export function requireFlagChange({ op, flag }: { readonly op: string; readonly flag: string }): FlagChange {
  if (!isEditable(flag)) {
    throw new BadRequestError(
      Object.hasOwn(FLAG_BIT, flag) ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`,
    )
  }
  if (op !== 'add' && op !== 'remove') throw new BadRequestError(`Invalid message flag operation: '${op}'`)
  return { op, flag }
}

function isEditable(flag: string): flag is EditableFlag {
  return (EDITABLE_FLAGS as readonly string[]).includes(flag)
}
