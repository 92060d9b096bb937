import { ENTRIES_AT_ONCE } from '../../core/budgets.ts'
import { inParts } from '../../core/parts-of-lists.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { type NeutralRecord, SETTINGS_LEFT_BEHIND } from '../../imports/neutral.ts'
import { POLICIES, type Referable, withIdsReferred, withReferences } from '../../imports/server-texts.ts'
import { listAlertWords, listNavigationViews } from '../../store/personal/personal-rows.ts'
import { listUserTopics } from '../../store/user-topics/user-topic-rows.ts'
import { userSettings } from '../../store/users/settings/user-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import { unreadIdsOf } from '../messages/flags/found-unread.ts'
import { LONG_LISTS } from '../register/personal-lists.ts'
import type { SnapshotOptions } from '../register/snapshot.ts'
import { presentDraft, presentScheduledMessage } from '../unsent/present-unsent.ts'
import { type ExportSource, type ExportView, isOwnHost } from './export-source.ts'
import { filesNamedIn } from './read-uploads.ts'

/** A file for each consenting user: settings, drafts and the like. */
export const personalSource: ExportSource = {
  name: 'personal',
  read(view, [after = 0]) {
    const { tx, exported, scope } = view
    const userId = exported.consenting.find((id) => id > after && scope.consenting.has(id))
    if (userId === undefined) return { kind: 'records', records: [], next: null }
    const user = findUser(tx.sql, userId)!
    return {
      kind: 'records',
      name: `personal/${userId}.jsonl`,
      records: [...choiceRecords(tx, user), ...unsentRecords(view, user), ...markRecords(view, user)],
      next: [userId],
    }
  },
}

function choiceRecords(tx: RealmReads, account: User): NeutralRecord[] {
  const { sql } = tx
  const { id } = account
  const user = String(id)
  const chosen = Object.entries(userSettings(account)).filter(([name]) => !SETTINGS_LEFT_BEHIND.has(name))
  return [
    { type: 'user_settings', user, settings: Object.fromEntries(chosen) },
    ...listUserTopics(sql, id).flatMap(({ channelId, name, policy }): NeutralRecord[] => {
      const word = POLICIES[policy]
      return word ? [{ type: 'user_topic', user, channel: String(channelId), topic: name, policy: word }] : []
    }),
    ...listAlertWords(sql, id).map((word): NeutralRecord => ({ type: 'alert_word', user, word })),
    ...LONG_LISTS.mutedUsers(tx, account, ALL).map(
      (muted): NeutralRecord => ({ type: 'muted_user', user, muted: String(muted.id) }),
    ),
    ...LONG_LISTS.savedSnippets(tx, account, ALL).map(
      (one): NeutralRecord => ({
        type: 'saved_snippet',
        id: String(one.id),
        user,
        title: one.title,
        content: one.content,
      }),
    ),
    ...listNavigationViews(sql, id).map(
      ({ fragment, is_pinned, name }): NeutralRecord => ({
        type: 'navigation_view',
        user,
        fragment: withIdsReferred(fragment),
        pinned: is_pinned,
        name,
      }),
    ),
  ]
}

/** Returns what a user has written for later. */
function unsentRecords(view: ExportView, account: User): NeutralRecord[] {
  const { tx } = view
  const user = String(account.id)
  const drafts = LONG_LISTS.drafts(tx, account, ALL).map((row) => presentDraft(tx, account.id, row))
  const scheduled = LONG_LISTS.scheduledMessages(tx, account, ALL).map((row) => ({
    ...presentScheduledMessage(tx, row),
  }))
  const files = filesNamedIn(
    view,
    [...drafts, ...scheduled].map(({ content }) => content),
  )
  const within: Referable = { isOwn: isOwnHost(view), hasFile: (path) => files.has(path) }
  return [
    ...drafts.map(
      (draft): NeutralRecord => ({
        type: 'draft',
        id: String(draft.id),
        user,
        content: withReferences(draft.content, within),
        ...placeOf(draft),
        edited_ms: draft.timestamp * 1_000,
      }),
    ),
    ...scheduled.map(
      (message): NeutralRecord => ({
        type: 'scheduled_message',
        id: String(message.scheduled_message_id),
        user,
        content: withReferences(message.content, within),
        ...placeOf(message),
        due_ms: message.scheduled_delivery_timestamp * 1_000,
        failed: message.failed,
      }),
    ),
    ...LONG_LISTS.reminders(tx, account, ALL).map(
      (one): NeutralRecord => ({
        type: 'reminder',
        id: String(one.id),
        user,
        message: String(one.messageId),
        due_ms: one.dueAt * 1_000,
        note: one.note,
      }),
    ),
  ]
}

function placeOf({
  type,
  to,
  topic = '',
}: {
  readonly type: string
  readonly to: number | readonly number[]
  readonly topic?: string
}): { channel?: string; topic?: string; to?: string[] } {
  const ids = [to].flat().map(String)
  if (type === 'private') return { to: ids }
  return type === 'stream' && ids[0] !== undefined ? { channel: ids[0], topic } : {}
}

/** Returns the user's stars and unread messages. Stars on messages that the user cannot read count again once they can. */
function markRecords({ tx, exported }: ExportView, account: User): NeutralRecord[] {
  const user = String(account.id)
  const stars = LONG_LISTS.starredMessages(tx, account, ALL).map(({ id }) => String(id))
  const unread = unreadIdsOf(tx, account).filter((id) => id <= exported.newestMessageId)
  return [
    ...Array.from(
      inParts(stars, ENTRIES_AT_ONCE),
      (messages): NeutralRecord => ({ type: 'starred_messages', user, messages: [...messages] }),
    ),
    ...Array.from(
      inParts(unread.map(String), ENTRIES_AT_ONCE),
      (messages): NeutralRecord => ({ type: 'read_state', user, unread: [...messages] }),
    ),
  ]
}

/** Options of a snapshot of some types: each list is read, also an empty one. */
const ALL: SnapshotOptions = {
  types: [],
  eventTypes: null,
  clientGravatar: false,
  slimPresence: true,
  includeSubscribers: false,
  capabilities: new Set(),
  userAgent: '',
  presenceHistoryLimitDays: null,
}
