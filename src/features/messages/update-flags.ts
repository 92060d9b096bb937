import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonIds, word } from '../../api/parameter-types.ts'
import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import { eachInCommits } from '../../core/in-commits.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import {
  type ChangedFlags,
  changeFlag,
  EDITABLE_FLAGS,
  type EditableFlag,
  entersHistory,
  type FlagChange,
  requireMayFlag,
} from '../../model/editing/change-flag.ts'
import { invalidMessage } from '../../rules/message-rules.ts'
import { FLAG_BIT } from '../../store/messages/flags/message-bits.ts'
import { findMessages, type IndexedMessage } from '../../store/messages/message-rows.ts'

/** Sets or clears a personal flag on messages. Source: docs/interface/reading.md#change-flags. */
export const updateFlagsEndpoint = defineEndpoint({
  operation: 'update-flags',
  route: 'POST /messages/flags',
  access: 'user',
  madeInCopies: true,
  params: {
    messages: jsonIds,
    op: described(word, '`add` or `remove`.'),
    flag: described(word, '`read`, `starred`, `collapsed` or `hide_link_previews`.'),
  },
  returns: v.object({
    messages: v.array(v.number()),
    ignored_because_not_subscribed_channels: v.optional(v.array(v.number())),
  }),
  command: {
    *commits(params) {
      const change = requireFlagChange(params)
      const ids = [...new Set(params.messages)]
      // All messages are checked before the first of thousands is changed.
      if (ids.length > ENTRIES_AT_ONCE && entersHistory(change)) {
        yield* eachInCommits(ids, ENTRIES_AT_ONCE, (tx, caller: Caller, next) =>
          requireMayFlag(tx, caller, requireMessages(tx, next), change),
        )
      }
      const made = yield* eachInCommits(
        ids,
        ENTRIES_AT_ONCE,
        (tx, caller: Caller, next, before: ChangedFlags | undefined) => {
          const isStrict = !before && entersHistory(change)
          const messages = isStrict ? requireMessages(tx, next) : messagesIn(tx, next)
          return changeFlag(tx, caller, messages, change, before ? 'visible' : 'all')
        },
      )
      const messages = made.flatMap(({ changed }) => changed)
      if (change.flag !== 'read' || change.op !== 'remove') return { messages }
      const ignored = new Set(made.flatMap(({ ignoredChannels }) => ignoredChannels))
      return { messages, ignored_because_not_subscribed_channels: [...ignored].sort((a, b) => a - b) }
    },
  },
  audit: 'own',
})

/** Returns the existing messages, in the given order. */
function messagesIn({ sql }: RealmReads, ids: readonly number[]): IndexedMessage[] {
  const found = new Map(findMessages(sql, ids).map((message) => [message.id, message]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** @throws BadRequestError if one does not exist */
function requireMessages(view: RealmReads, ids: readonly number[]): IndexedMessage[] {
  const found = messagesIn(view, ids)
  if (found.length < ids.length) throw invalidMessage()
  return found
}

/** Returns a valid change of a flag that users may make. Errors in the order of docs/interface/reading.md#change-flags. */
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
