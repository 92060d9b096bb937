import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { invalidMessage } from '../../permissions/message-rules.ts'
import type { Caller } from '../caller.ts'
import {
  changeFlag,
  EDITABLE_FLAGS,
  type EditableFlag,
  entersHistory,
  type FlagChange,
} from './change-flag.ts'
import { FLAG_BIT } from './message-bits.ts'
import { findMessages } from './message-rows.ts'

export interface UpdateFlagsParams {
  readonly messages: readonly number[]
  readonly op: string
  readonly flag: string
}

export interface UpdateFlagsResult {
  readonly messages: readonly number[]
  /** Only for marking unread. */
  readonly ignored_because_not_subscribed_channels?: readonly number[]
}

/**
 * Puts a personal flag on messages, or takes it off.
 * Source: SPEC 4.19; behaviour 4.19; decisions 3.
 */
export const updateFlags: Command<Caller, UpdateFlagsParams, void, UpdateFlagsResult> = {
  apply(tx, caller, params) {
    const change = requireFlagChange(params)
    const ids = [...new Set(params.messages)]
    const found = new Map(findMessages(tx.sql, ids).map((message) => [message.id, message]))
    if (entersHistory(change) && found.size < ids.length) throw invalidMessage()
    const messages = ids.flatMap((id) => found.get(id) ?? [])
    const { changed, ignoredChannels } = changeFlag(tx, caller, messages, change)
    const marksUnread = change.flag === 'read' && change.op === 'remove'
    return {
      messages: changed,
      ...(marksUnread ? { ignored_because_not_subscribed_channels: ignoredChannels } : {}),
    }
  },
}

/** What was asked for, if a user may ask it. Errors in the order of behaviour 4.19. */
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
