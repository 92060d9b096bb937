import type { JobKind } from '../../core/job-kinds.ts'
import { userIdOfQueue } from '../../events/queue.ts'
import { checkBackup } from '../../features/backups/background/check-backup.ts'
import { makeBackup } from '../../features/backups/background/make-backup.ts'
import { readBackup } from '../../features/backups/background/read-backup.ts'
import { listErasures } from '../../features/erasure/background/list-erasures.ts'
import { exportOrganization } from '../../features/exports/background/export-organization.ts'
import {
  expireImportUpload,
  importOrganization,
} from '../../features/imports/background/import-organization.ts'
import { beginDeletion } from '../../features/realm/deactivation.ts'
import { requestConfirmation } from '../../model/accounts/addresses/unconfirmed-address.ts'
import { announceRestore } from '../../model/backups/announce-restore.ts'
import { beginBackup, expectBackup } from '../../model/backups/begin-backup.ts'
import { renewChannelStatistics } from '../../model/channels/activity/channel-statistics.ts'
import { beginDigests, expectDigests } from '../../model/digests/digests.ts'
import { guideNewMember } from '../../model/emails/account-mails.ts'
import { announceFullMembers } from '../../model/group-changes/announce-full-members.ts'
import { forgetFirstAnswers } from '../../model/idempotency/first-answer.ts'
import { inviteNextImported } from '../../model/imports/invite-imported.ts'
import { remindInvitee } from '../../model/invitations/invitation-mail.ts'
import {
  giveSecondChance,
  insertNotificationBatch,
} from '../../model/missed-messages/insert-notification-batch.ts'
import { noteActivity } from '../../model/projection/note-activity.ts'
import { deliverReminder } from '../../model/reminders/remove-reminder.ts'
import { fillPostings } from '../../model/sending/store-message.ts'
import { forgetResumableUpload } from '../../model/uploads/resumable-upload.ts'
import { forgetBrowserSessions } from '../../model/users/login/sessions.ts'
import { compareAccounts } from '../../model/verification/compare-accounts.ts'
import { forgetOldWebsites } from '../../model/website-previews/request-previews.ts'
import { sendEmails } from '../../outgoing/emails/queue.ts'
import { previewWebsites } from '../../outgoing/previews/queue.ts'
import { deliverPushes } from '../../outgoing/push/queue.ts'
import { registerPushDevice, registerToken } from '../../outgoing/push/register-push-device.ts'
import { deliverWebhookCalls } from '../../outgoing/webhooks/queue.ts'
import { isClosedForRestore } from '../../store/backups/restoration-rows.ts'
import { keysOfImage } from '../../store/images/public-image.ts'
import { cancelRemoval, listDueRemovals, nextRemovalAt } from '../../store/uploads/removal-rows.ts'
import { keysToRemove } from '../../store/uploads/upload-keys.ts'
import { dropPreviewRequests } from '../../store/website-previews/website-preview-rows.ts'
import { deletionBegunAt, writeDeletionBegun } from '../identity.ts'
import { roundsOf } from '../polls/wake-polls.ts'
import type { Runtime } from '../runtime.ts'
import { changeByJob, type JobHandler, whenThereIsRoom } from './change-by-job.ts'
import { deliverScheduled } from './deliver-scheduled.ts'
import { expireOldMessages } from './expire-messages.ts'
import { finishChange } from './finish-change.ts'
import { forgetOld } from './forget-old.ts'
import type { JobHandlers } from './jobs.ts'
import { rewriteRows } from './rewrite-rows.ts'

/** The handler of each kind of due work. `outgoing/lanes.ts` has its lane, times and tries. */
export const JOB_HANDLERS: JobHandlers = {
  'begin-backup': changeByJob(beginBackup),
  'announce-restore': changeByJob(announceRestore),
  'check-backup': checkBeforeRestore,
  'begin-digests': changeByJob(beginDigests),
  'deliver-pushes': deliverPushes,
  'channel-statistics': renewStatistics,
  'call-webhooks': deliverWebhookCalls,
  'compare-accounts': changeByJob(compareAccounts),
  'confirm-address': changeByJob((tx, key) => requestConfirmation(tx, Number(key))),
  'delete-realm': startDeletion,
  'deliver-reminder': whenThereIsRoom(changeByJob(deliverReminder)),
  'deliver-scheduled-message': whenThereIsRoom(deliverScheduled),
  'expire-messages': expireOldMessages,
  'expire-import-upload': expireImportUpload,
  'expire-resumable-upload': changeByJob(forgetResumableUpload),
  'forget-browser-sessions': changeByJob(forgetBrowserSessions),
  'forget-first-answers': changeByJob(forgetFirstAnswers),
  'forget-old': changeByJob(forgetOld),
  'forget-websites': changeByJob(forgetOldWebsites),
  'export-organization': exportOrganization,
  'import-organization': whenThereIsRoom(importOrganization),
  'enter-missed': changeByJob(insertNotificationBatch),
  'guide-newcomer': changeByJob((tx, key) => guideNewMember(tx, Number(key))),
  'finish-change': finishChange,
  housekeeping: keepHouse,
  'fill-postings': changeByJob(fillPostings),
  'preview-websites': (runtime) =>
    runtime.cost.isShed('previews') ? dropPreviewRequests(runtime.sql) : previewWebsites(runtime),
  'send-emails': sendEmails,
  'register-push-device': registerPushDevice,
  'register-token': registerToken,
  'make-backup': makeBackup,
  'read-backup': whenThereIsRoom(readBackup),
  'list-erasures': listErasures,
  'note-activity': changeByJob(noteActivity),
  'remove-copy': removeCopy,
  'remind-invitee': changeByJob((tx, key) => remindInvitee(tx, Number(key))),
  'remove-files': removeFiles,
  'rewrite-rows': rewriteRows,
  'announce-full-members': changeByJob(announceFullMembers),
  'invite-imported': changeByJob(inviteNextImported),
  project: (runtime, key) => runtime.projector.retry(key),
}

/** Jobs of a copy of a backup, which sends nothing, changes nothing that it shows, and deletes no files, since they are the organization's. */
const JOBS_OF_COPIES: ReadonlySet<string> = new Set<JobKind>([
  'fill-postings',
  'finish-change',
  'forget-browser-sessions',
  'housekeeping',
  'project',
  'remove-copy',
  'rewrite-rows',
])

const HANDLERS_OF_COPIES = Object.fromEntries(
  Object.entries(JOB_HANDLERS).map(([kind, handler]) => [
    kind,
    JOBS_OF_COPIES.has(kind) ? handler : () => undefined,
  ]),
) as Record<JobKind, JobHandler>

/** Returns the handlers of an organization's jobs; a copy drops those that are not for it. */
export function jobHandlersOf({ copyOf }: Runtime['realm']): JobHandlers {
  return copyOf ? HANDLERS_OF_COPIES : JOB_HANDLERS
}

/** Begins to delete a copy once its days are over, or somebody has asked for it. */
function removeCopy({ storage, realm, leave, now }: Runtime): number | undefined {
  if (!realm.copyOf) return undefined
  writeDeletionBegun(storage.sql, now())
  leave()
  // The alarm goes off again, and then finds no organization here.
  return now()
}

/** Milliseconds for which housekeeping waits until D1 has said what it has. */
const D1_PATIENCE_MS = 5_000

/**
 * Runs housekeeping. An object that the alarm has woken first asks what D1 has: otherwise it would keep what was sent since the cursor was
 * saved, go back to sleep, and find the same at each further alarm.
 */
function keepHouse(runtime: Runtime): number | undefined | Promise<number | undefined> {
  const asked = runtime.projector.endDoubt(D1_PATIENCE_MS)
  return asked ? asked.then(() => keepHouseNow(runtime)) : keepHouseNow(runtime)
}

/** Users whose client has gone get mail about what it missed. */
function keepHouseNow(runtime: Runtime): number | undefined {
  const gone = new Map<number, number>()
  const next = runtime.housekeeping.run(runtime, (queueId, seenAt) => {
    const userId = userIdOfQueue(queueId)
    gone.set(userId, Math.max(gone.get(userId) ?? 0, seenAt))
  })
  for (const [userId, seenAt] of gone) runtime.change((tx) => giveSecondChance(tx, userId, seenAt))
  for (const poll of runtime.polls.markQuietStreams(runtime.now())) roundsOf(runtime).add(runtime, poll)
  return next
}

/** Number of files of one run. R2 takes up to a thousand keys in a call, and a picture may have several. */
const FILES_PER_RUN = 300

/**
 * Removes orphans from R2. A key leaves the list only once the file is gone: a crash in between deletes it twice, which does no harm.
 * Returns when to continue.
 */
async function removeFiles({ sql, uploads, now }: Runtime): Promise<number | undefined> {
  const keys = listDueRemovals(sql, now(), FILES_PER_RUN)
  if (keys.length > 0) await uploads.delete(keys.flatMap(keysToRemove).flatMap(keysOfImage))
  for (const key of keys) cancelRemoval(sql, key)
  return nextRemovalAt(sql)
}

/** Renews the statistics of channels once a day while anything happens. */
function renewStatistics(runtime: Runtime): number | undefined {
  const now = runtime.now()
  const next = runtime.change((tx) => {
    // Digests are scheduled already, except in a restored object that has lost the job.
    expectDigests(tx)
    tx.schedule({ kind: 'note-activity', key: '', dueAt: tx.now })
    if (runtime.backups.stores.length > 0) expectBackup(tx)
    return renewChannelStatistics(tx)
  })
  runtime.statistics.restUntil(next, now)
  return next
}

/** Begins to delete the organization once its days are over. */
async function checkBeforeRestore(runtime: Runtime): Promise<number | undefined> {
  const next = await checkBackup(runtime)
  // Nothing of a request may go on while rows are replaced.
  if (isClosedForRestore(runtime.sql)) await runtime.restart()
  return next
}

function startDeletion(runtime: Runtime): number | undefined {
  const next = runtime.change(beginDeletion)
  if (next !== undefined || deletionBegunAt(runtime.storage.sql) === undefined) return next
  runtime.leave()
  // The alarm goes off again, and then finds no organization here.
  return runtime.now()
}
