import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, jsonNonNegativeInteger, pathInteger, wordOf } from '../../api/parameter-types.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { beginReading, requireBackup } from '../../model/backups/begin-reading.ts'
import { formerReader } from '../../model/backups/former-access.ts'
import type { Caller } from '../../model/caller.ts'
import { findVisibleChannel } from '../../model/channels/visibility/find-for-caller.ts'
import { accessReader } from '../../model/messages/read/message-access.ts'
import { topicOfMessage } from '../../model/messages/topic-of-message.ts'
import { mayReadMessage } from '../../rules/message-rules.ts'
import {
  COMPARED_THINGS,
  DIFFERENCES,
  type Difference,
  listDifferences,
} from '../../store/backups/difference-rows.ts'
import { findComparison } from '../../store/backups/reading-rows.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { topicById } from '../../store/messages/topic-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'

/** Things of one answer. */
const PAGE = 100

/** Begins to compare a backup with today. Source: docs/interface/administration.md#compare-a-backup-with-today. */
export const compareBackupEndpoint = defineEndpoint({
  operation: 'compare-backup',
  route: 'POST /backups/:backup_id/differences',
  access: 'owner',
  params: { backup_id: pathInteger },
  returns: v.object({}),
  apply(tx, caller, { backup_id }) {
    beginReading(tx, caller, backup_id, null)
    return {}
  },
  audit: ({ params }) => ({ action: 'backup_compared', details: { backup_id: params.backup_id } }),
})

const difference = v.object({
  id: v.number(),
  changed: v.optional(v.array(v.string())),
  name: v.optional(v.string()),
  sender_id: v.optional(v.number()),
  timestamp: v.optional(v.number()),
  stream_id: v.optional(v.nullable(v.number())),
  topic: v.optional(v.nullable(v.string())),
})

/**
 * Says what differs between a backup and the day of the newest comparison: counts of everything, and lists of what the caller may see today.
 * Source: docs/interface/administration.md#compare-a-backup-with-today.
 */
export const getBackupDifferencesEndpoint = defineEndpoint({
  operation: 'get-backup-differences',
  route: 'GET /backups/:backup_id/differences',
  access: 'owner',
  params: {
    backup_id: pathInteger,
    of: described(v.optional(wordOf(COMPARED_THINGS), 'messages'), 'What is listed.'),
    difference: described(
      v.optional(wordOf(DIFFERENCES), 'only_in_backup'),
      'Which of them. The first thousand that were found are kept.',
    ),
    after: described(v.optional(jsonNonNegativeInteger, '0'), 'Only those with higher ids.'),
  },
  returns: v.object({
    began_at: v.nullable(v.number()),
    finished_at: v.nullable(v.number()),
    failed_at: v.nullable(v.number()),
    counts: v.record(v.picklist(COMPARED_THINGS), v.record(v.picklist(DIFFERENCES), v.number())),
    differences: v.array(difference),
    has_more: v.boolean(),
  }),
  query(tx, caller, { backup_id, of, difference: kind, after }) {
    requireBackup(tx.sql, backup_id)
    const comparison = findComparison(tx.sql, backup_id)
    const found = comparison ? listDifferences(tx.sql, comparison.id, { of, difference: kind }, after) : []
    const visible = visibleAmong(tx, caller, found)
    return {
      began_at: comparison?.beganAt ?? null,
      finished_at: comparison?.finishedAt ?? null,
      failed_at: comparison?.failedAt ?? null,
      counts: countsOf(comparison?.counts ?? {}),
      differences: visible.slice(0, PAGE),
      has_more: visible.length > PAGE,
    }
  },
})

type Presented = v.InferOutput<typeof difference>
type Counts = Record<(typeof COMPARED_THINGS)[number], Record<(typeof DIFFERENCES)[number], number>>

function countsOf(counts: Readonly<Record<string, number>>): Counts {
  const of = (thing: string) => ({
    only_in_backup: counts[`${thing}.only_in_backup`] ?? 0,
    only_today: counts[`${thing}.only_today`] ?? 0,
    changed: counts[`${thing}.changed`] ?? 0,
  })
  return { people: of('people'), channels: of('channels'), messages: of('messages') }
}

/** Returns those that the caller may see today, which for what is gone is decided by where it was, then and last. */
function visibleAmong(tx: RealmReads, caller: Caller, found: readonly Difference[]): readonly Presented[] {
  const access = accessReader(tx, caller)
  const mayReadFormer = formerReader(
    tx,
    caller,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ of, id, details }): Presented[] => {
    const changed = details.changed && { changed: [...details.changed] }
    if (of === 'people') {
      const name = findUser(tx.sql, id)?.fullName ?? details.name
      return name === undefined ? [] : [{ id, name, ...changed }]
    }
    if (of === 'channels') {
      const name = findVisibleChannel(tx.sql, caller, { id })?.name
      // A channel that is gone is known to everybody if it was public.
      const gone = findChannel(tx.sql, id) || details.isPrivate !== false ? undefined : details.name
      const shown = name ?? gone
      return shown === undefined ? [] : [{ id, name: shown, ...changed }]
    }
    const today = findMessage(tx.sql, id)
    const message = today ?? (details.message && { id, ...details.message })
    if (!message) return []
    if (!(today ? mayReadMessage(caller.actor, access(today)) : mayReadFormer(message))) return []
    const recipient = recipientOf(message.recipientId)
    const isChannel = recipient.kind === 'channel'
    const topic = today
      ? topicOfMessage(tx.sql, today)?.name
      : (topicById(tx.sql, message.topicId)?.name ?? details.message?.topic)
    return [
      {
        id,
        sender_id: message.senderId,
        timestamp: message.sentAt,
        stream_id: isChannel ? recipient.id : null,
        topic: isChannel ? (topic ?? null) : null,
        ...changed,
      },
    ]
  })
}
