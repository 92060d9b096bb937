import { CHANGES_OF_COMMIT, PAUSES, ROWS_OF_SLICE } from '../../core/budgets.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { recipientOf } from '../../core/recipient-id.ts'
import { DAY } from '../../core/time.ts'
import { deleteMessages } from '../../model/editing/delete-messages.ts'
import { isChannelHeld } from '../../model/holds/held.ts'
import { EXPIRY_EVERY_SECONDS, isRetentionLimited, retentionDays } from '../../model/retention/retention.ts'
import { discardAttachment } from '../../model/uploads/attachments.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { isFileHeld } from '../../store/holds/hold-rows.ts'
import { countWithin } from '../../store/messages/edit/deletion-rows.ts'
import { type IndexedMessage, nextRecipientId } from '../../store/messages/message-rows.ts'
import { oldestMessagesBefore } from '../../store/messages/message-time-rows.ts'
import { readMeta, writeMeta } from '../../store/meta-rows.ts'
import { attachmentsLinkedFrom, findAttachments, isUnclaimed } from '../../store/uploads/attachment-rows.ts'
import type { JobHandler } from './change-by-job.ts'

/** Number of commits in one run of the job, since other due work waits for it. */
const STEPS_PER_RUN = 20

/** Deletes messages that are too old, once a day while any channel has a limit. Each step is a commit, and other jobs run in between. */
export const expireOldMessages: JobHandler = async (runtime) => {
  for (let step = 0; step < STEPS_PER_RUN; step += 1) {
    if (runtime.change(expireMessages) === 'complete') {
      return isRetentionLimited(runtime.sql) ? runtime.now() + EXPIRY_EVERY_SECONDS : undefined
    }
    await scheduler.wait(PAUSES.commit)
  }
  return runtime.now()
}

/** Channels and conversations that one commit checks when nothing in them has expired. */
const LOOKED_AT = 500

/**
 * Deletes a batch of messages that are older than their channel or the organization keeps them: for everyone, starred or not, with their
 * data and the files that nothing else links to, unless they are on hold. The position is stored, and the next batch continues there. Source:
 * docs/interface/channels.md#delete-a-topic; docs/interface/subscriptions.md#subscribe.
 */
function expireMessages(tx: RealmTransaction): 'complete' | 'more' {
  let after = readMeta<number>(tx.sql, 'expired_up_to') ?? 0
  for (let looked = 0; looked < LOOKED_AT; looked += 1) {
    const recipientId = nextRecipientId(tx.sql, after)
    if (recipientId === undefined) {
      writeMeta(tx.sql, 'expired_up_to', 0)
      return 'complete'
    }
    const expired = expiredMessages(tx, recipientId)
    if (expired.length > 0) {
      expire(tx, expired)
      break
    }
    after = recipientId
  }
  writeMeta(tx.sql, 'expired_up_to', after)
  return 'more'
}

function expiredMessages(tx: RealmReads, recipientId: number): IndexedMessage[] {
  const recipient = recipientOf(recipientId)
  const channel = recipient.kind === 'channel' ? findChannel(tx.sql, recipient.id) : undefined
  const days = retentionDays(tx.sql, channel)
  if (days === null || (channel && isChannelHeld(tx.sql, channel.id))) return []
  const oldest = oldestMessagesBefore(tx.sql, recipientId, tx.now - days * DAY, CHANGES_OF_COMMIT)
  const ids = oldest.map(({ id }) => id)
  return oldest.slice(0, countWithin(tx.sql, ids, ROWS_OF_SLICE))
}

/** Deletes messages, and files that only they link to. The owner of such a file gets an event for both. */
function expire(tx: RealmTransaction, messages: readonly IndexedMessage[]): void {
  const linked = attachmentsLinkedFrom(
    tx.sql,
    messages.map(({ id }) => id),
  )
  deleteMessages(tx, messages)
  for (const attachment of findAttachments(tx.sql, linked)) {
    if (isUnclaimed(tx.sql, attachment.id) && !isFileHeld(tx.sql, attachment))
      discardAttachment(tx, attachment)
  }
}
