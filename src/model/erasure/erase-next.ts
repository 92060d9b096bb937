import {
  CHANGES_OF_COMMIT,
  ENTRIES_AT_ONCE,
  LARGE_CHANGES_OF_COMMIT,
  ROWS_OF_SLICE,
} from '../../core/budgets.ts'
import type { Continuation, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientId } from '../../core/recipient-id.ts'
import { changeErasure } from '../../store/erasure/erasure-rows.ts'
import {
  conversationsWithNobody,
  deleteAddressesInLog,
  deleteImportedNames,
  deleteRowsOf,
  deleteVotes,
  messagesReactedTo,
  type Removed,
  TABLES_OF_ROWS,
  uploadsUnderWay,
} from '../../store/erasure/personal-rows.ts'
import { isFileHeld } from '../../store/holds/hold-rows.ts'
import { forgetImportedFile } from '../../store/imports/imported-rows.ts'
import type { Key } from '../../store/key-pages.ts'
import { countWithin } from '../../store/messages/edit/deletion-rows.ts'
import { findMessage } from '../../store/messages/message-rows.ts'
import { oldestMessagesBefore } from '../../store/messages/message-time-rows.ts'
import { reactionsOf, settleReactions } from '../../store/reactions/reaction-rows.ts'
import { listAttachmentsOf } from '../../store/uploads/attachment-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { deleteMessages, deleteMessagesOf } from '../editing/delete-messages.ts'
import { scheduleHousekeeping } from '../events/housekeeping-job.ts'
import { takeReaction } from '../reactions/take-reaction.ts'
import { removeAttachment } from '../uploads/attachments.ts'
import { forgetResumableUpload } from '../uploads/resumable-upload.ts'
import { eraseAccount } from './erase-account.ts'
import { noteRemoved } from './note-removed.ts'

/** What is left of an erasure. */
interface Left {
  readonly erasureId: number
  /** The first one is being erased. */
  readonly accounts: readonly number[]
  /** The step that comes next, by its place in STEPS, and where it goes on. */
  readonly step: number
  readonly after: Key | null
  /** Whether messages, reactions and votes go too: messages up to this id. */
  readonly removes: boolean
  readonly upTo: number
}

/** What one commit has removed, and where the step goes on; absent at its end. */
interface Made {
  readonly removed: Removed
  readonly next?: Key | undefined
}

type Step = (tx: RealmTransaction, userId: number, left: Pick<Left, 'after' | 'removes' | 'upTo'>) => Made

const NOTHING: Made = { removed: {} }
const EVERYWHERE = { inPublicChannels: true, inPrivateChannels: true, inConversations: true }

/** Each makes one commit of its work. The order may change only at the end: a stored erasure names a step by its place. */
const STEPS: readonly Step[] = [
  eraseOwnAccount,
  eraseRows,
  eraseFiles,
  eraseUploads,
  eraseWhatNobodyElseReads,
  eraseMessages,
  eraseReactions,
  eraseVotes,
  eraseImportedNames,
  eraseNetworkAddresses,
]

/** Removes the rest of a person and their bots, commit by commit. */
export const erasing: Continuation<Left> = {
  name: 'erase-person',
  next(tx, left) {
    const [userId, ...others] = left.accounts
    const made = STEPS[left.step]!(tx, userId!, left)
    noteRemoved(tx.sql, left.erasureId, made.removed)
    if (made.next) return { ...left, after: made.next }
    if (left.step + 1 < STEPS.length) return { ...left, step: left.step + 1, after: null }
    if (others.length > 0) return { ...left, accounts: others, step: 0, after: null }
    changeErasure(tx.sql, left.erasureId, { finishedAt: tx.now })
    // The log still has former names and texts.
    scheduleHousekeeping(tx)
    return undefined
  },
}

/** The person's own account was erased in the first commit; what arrived meanwhile goes here, and the accounts of bots. */
function eraseOwnAccount(tx: RealmTransaction, userId: number): Made {
  return findUser(tx.sql, userId)?.isDeleted ? NOTHING : { removed: eraseAccount(tx, userId) }
}

function eraseRows(tx: RealmTransaction, userId: number, { after }: Pick<Left, 'after'>): Made {
  const removed: Record<string, number> = {}
  let room = ENTRIES_AT_ONCE
  for (let at = Number(after?.[0] ?? 0); at < TABLES_OF_ROWS.length; at += 1) {
    if (room <= 0) return { removed, next: [at] }
    const count = deleteRowsOf(tx.sql, TABLES_OF_ROWS[at]!, userId, room)
    removed[TABLES_OF_ROWS[at]!.table] = count
    if (count === room) return { removed, next: [at] }
    room -= count
  }
  return { removed }
}

/** Links to the files lead nowhere from then on. */
function eraseFiles(tx: RealmTransaction, userId: number, { after }: Pick<Left, 'after'>): Made {
  const files = listAttachmentsOf(tx.sql, userId, Number(after?.[0] ?? 0), LARGE_CHANGES_OF_COMMIT)
  const free = files.filter((file) => !isFileHeld(tx.sql, file))
  for (const file of free) {
    removeAttachment(tx, file)
    forgetImportedFile(tx.sql, file.id)
  }
  const removed = {
    attachment: free.length,
    file_bytes: free.reduce((sum, { size }) => sum + size, 0),
    held_files: files.length - free.length,
  }
  const last = files.at(-1)
  return { removed, next: last && [last.id] }
}

function eraseUploads(tx: RealmTransaction, userId: number): Made {
  const ids = uploadsUnderWay(tx.sql, userId, LARGE_CHANGES_OF_COMMIT)
  for (const id of ids) {
    forgetResumableUpload(tx, id)
    tx.unschedule({ kind: 'expire-resumable-upload', key: id })
  }
  const next = ids.length < LARGE_CHANGES_OF_COMMIT ? undefined : [0]
  return { removed: { resumable_upload: ids.length }, next }
}

/** Notes to oneself, and what the server's own bots and the person have written to each other. */
function eraseWhatNobodyElseReads(
  tx: RealmTransaction,
  userId: number,
  { after }: Pick<Left, 'after'>,
): Made {
  const [id] = conversationsWithNobody(tx.sql, userId, Number(after?.[0] ?? 0), 1)
  if (id === undefined) return NOTHING
  const recipient = recipientId({ kind: 'conversation', id })
  const oldest = oldestMessagesBefore(tx.sql, recipient, Number.MAX_SAFE_INTEGER, CHANGES_OF_COMMIT)
  const ids = oldest.map((message) => message.id)
  const next = oldest.slice(0, countWithin(tx.sql, ids, ROWS_OF_SLICE))
  deleteMessages(tx, next)
  return { removed: { message_index: next.length }, next: next.length > 0 ? [id - 1] : [id] }
}

function eraseMessages(
  tx: RealmTransaction,
  userId: number,
  { after, removes, upTo }: Parameters<Step>[2],
): Made {
  if (!removes) return NOTHING
  const above = Number(after?.[0] ?? 0)
  const { reached, deleted, held } = deleteMessagesOf(tx, userId, EVERYWHERE, { above, upTo })
  const next = reached === undefined ? undefined : [reached]
  return { removed: { message_index: deleted, held_messages: held }, next }
}

/** Those to the messages of others: the person's own have gone with theirs. */
function eraseReactions(tx: RealmTransaction, userId: number, { after, removes }: Parameters<Step>[2]): Made {
  if (!removes) return NOTHING
  const { found, last } = messagesReactedTo(tx.sql, userId, after, ENTRIES_AT_ONCE)
  const user = findUser(tx.sql, userId)!
  let reaction = 0
  for (const messageId of found) {
    const message = findMessage(tx.sql, messageId)
    if (!message) continue
    settleReactions(tx.sql, messageId)
    const own =
      reactionsOf(tx.sql, [messageId])
        .get(messageId)
        ?.filter((one) => one.userId === userId) ?? []
    for (const one of own) takeReaction(tx, user, message, one)
    reaction += own.length
  }
  return { removed: { reaction }, next: last }
}

function eraseVotes(tx: RealmTransaction, userId: number, { after, removes }: Parameters<Step>[2]): Made {
  if (!removes) return NOTHING
  const { found, last } = deleteVotes(tx.sql, userId, after, ENTRIES_AT_ONCE)
  return { removed: { submessage: found }, next: last }
}

function eraseImportedNames(tx: RealmTransaction, userId: number, { after }: Pick<Left, 'after'>): Made {
  const { found, last } = deleteImportedNames(tx.sql, userId, after, ENTRIES_AT_ONCE)
  return { removed: { import_change: found }, next: last }
}

function eraseNetworkAddresses(tx: RealmTransaction, userId: number): Made {
  const count = deleteAddressesInLog(tx.sql, userId, ENTRIES_AT_ONCE)
  return { removed: { audit_entry: count }, next: count < ENTRIES_AT_ONCE ? undefined : [0] }
}
