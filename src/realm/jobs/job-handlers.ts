import { userIdOfQueue } from '../../events/queue.ts'
import { DELIVER_WEBHOOK_CALLS } from '../../model/bots/enqueue-calls.ts'
import {
  CHANNEL_STATISTICS,
  renewChannelStatistics,
} from '../../model/channels/activity/channel-statistics.ts'
import { BEGIN_DIGESTS, beginDigests, expectDigests } from '../../model/digests/digests.ts'
import { GUIDE_NEWCOMER, guideNewcomer } from '../../model/emails/account-mails.ts'
import { HOUSEKEEPING } from '../../model/events/housekeeping-job.ts'
import { EXPORT_ORGANIZATION } from '../../model/exports/export-realm.ts'
import { FORGET_FIRST_ANSWERS, forgetFirstAnswers } from '../../model/idempotency/first-answer.ts'
import { EXPIRE_IMPORT_UPLOAD } from '../../model/imports/import-upload.ts'
import { INVITE_IMPORTED, inviteNextImported } from '../../model/imports/invite-imported.ts'
import { REMIND_INVITEE, remindInvitee } from '../../model/invitations/invitation-mail.ts'
import { continuePolicies } from '../../model/messages/move/policies-of-gone-topics.ts'
import { FILL_POSTINGS, fillPostings } from '../../model/messages/send/store-message.ts'
import { enterMissedWave, giveSecondChance } from '../../model/missed-messages/enter-missed-wave.ts'
import { ENTER_MISSED } from '../../model/missed-messages/note-missed-message.ts'
import {
  continueWithdrawal,
  WITHDRAW_PROFILE_VALUES,
} from '../../model/profile-fields/change-field-values.ts'
import { DELIVER_PUSHES } from '../../model/push/enqueue-pushes.ts'
import { REGISTER_PUSH_DEVICE } from '../../model/push/register-push-device.ts'
import { REGISTER_TOKEN } from '../../model/push/register-token.ts'
import { beginDeletion, DELETE_REALM } from '../../model/realm/realm-deletion.ts'
import {
  DELIVER_REMINDER,
  deliverReminder,
  messageOfReminder,
  REMOVE_REMINDERS,
  removeRemindersByJob,
} from '../../model/reminders/remove-reminder.ts'
import { EXPIRE_MESSAGES, FORGET_OLD, forgetOld } from '../../model/retention/retention.ts'
import { DELIVER_SCHEDULED } from '../../model/scheduled-messages/emit-scheduled.ts'
import { EXPIRE_RESUMABLE_UPLOAD, forgetResumableUpload } from '../../model/uploads/resumable-upload.ts'
import { ANNOUNCE_FULL_MEMBERS, announceFullMembers } from '../../model/user-groups/announce-full-members.ts'
import { ANNOUNCE_NAMING, announceNamingByJob } from '../../model/user-groups/emit-groups-of-account.ts'
import {
  CONTINUE_GROUP_CHANGE,
  continueGroupChange,
} from '../../model/user-groups/large-membership-change.ts'
import { MIGRATE_POLICIES } from '../../model/user-topics/migrate-policies.ts'
import {
  ANNOUNCE_LOWERED_BOTS,
  announceLoweredBotsByJob,
} from '../../model/users/accounts/change-user-role.ts'
import { CLOSE_BOTS, closeBotsByJob } from '../../model/users/accounts/close-account.ts'
import { continueErasure, ERASE_ACCOUNT } from '../../model/users/accounts/erase-account.ts'
import { CONFIRM_ADDRESS, requestConfirmation } from '../../model/users/addresses/unconfirmed-address.ts'
import { FORGET_BROWSER_SESSIONS, forgetBrowserSessions } from '../../model/users/login/sessions.ts'
import {
  FORGET_WEBSITES,
  forgetOldWebsites,
  PREVIEW_WEBSITES,
} from '../../model/website-previews/request-previews.ts'
import { SEND_EMAILS } from '../../store/emails/email-rows.ts'
import { keysOfImage } from '../../store/images/public-image.ts'
import { IMPORT_ORGANIZATION } from '../../store/imports/import-rows.ts'
import {
  cancelRemoval,
  listDueRemovals,
  nextRemovalAt,
  REMOVE_FILES,
} from '../../store/uploads/removal-rows.ts'
import { keysToRemove } from '../../store/uploads/upload-keys.ts'
import { exportOrganization } from '../exports/export-organization.ts'
import { deletionBegunAt } from '../identity.ts'
import { expireImportUpload, importOrganization } from '../imports/import-organization.ts'
import { PROJECT } from '../outgoing/lanes.ts'
import { sendEmails } from '../outgoing/mail/send-emails.ts'
import { previewWebsites } from '../outgoing/previews/preview-websites.ts'
import { deliverPushes } from '../outgoing/push/deliver-pushes.ts'
import { registerPushDevice, registerToken } from '../outgoing/push/register-push-device.ts'
import { deliverWebhookCalls } from '../outgoing/webhooks/deliver-webhook-calls.ts'
import { roundsOf } from '../polls/wake-polls.ts'
import type { Runtime } from '../runtime.ts'
import { changeBy, changeByJob, suspendableChange, whenThereIsRoom } from './change-by-job.ts'
import { deliverScheduled } from './deliver-scheduled.ts'
import { expireOldMessages } from './expire-messages.ts'
import type { JobHandlers } from './jobs.ts'

/** The handler of each kind of due work. `realm/outgoing/lanes.ts` has its lane, times and tries. */
export const JOB_HANDLERS: JobHandlers = {
  [BEGIN_DIGESTS]: changeByJob(beginDigests),
  [DELIVER_PUSHES]: deliverPushes,
  [CHANNEL_STATISTICS]: renewStatistics,
  [DELIVER_WEBHOOK_CALLS]: deliverWebhookCalls,
  [CONFIRM_ADDRESS]: changeByJob((tx, key) => requestConfirmation(tx, Number(key))),
  [DELETE_REALM]: startDeletion,
  [DELIVER_REMINDER]: whenThereIsRoom(deliverDueReminder),
  [DELIVER_SCHEDULED]: whenThereIsRoom(deliverScheduled),
  [EXPIRE_MESSAGES]: expireOldMessages,
  [EXPIRE_IMPORT_UPLOAD]: expireImportUpload,
  [EXPIRE_RESUMABLE_UPLOAD]: changeByJob(forgetResumableUpload),
  [FORGET_BROWSER_SESSIONS]: changeByJob(forgetBrowserSessions),
  [FORGET_FIRST_ANSWERS]: changeByJob(forgetFirstAnswers),
  [FORGET_OLD]: changeByJob(forgetOld),
  [FORGET_WEBSITES]: changeByJob(forgetOldWebsites),
  [EXPORT_ORGANIZATION]: exportOrganization,
  [IMPORT_ORGANIZATION]: whenThereIsRoom(importOrganization),
  [ENTER_MISSED]: changeByJob(enterMissedWave),
  [GUIDE_NEWCOMER]: changeByJob((tx, key) => guideNewcomer(tx, Number(key))),
  [HOUSEKEEPING]: keepHouse,
  [FILL_POSTINGS]: changeByJob(fillPostings),
  [PREVIEW_WEBSITES]: previewWebsites,
  [SEND_EMAILS]: sendEmails,
  [REGISTER_PUSH_DEVICE]: registerPushDevice,
  [REGISTER_TOKEN]: registerToken,
  [REMIND_INVITEE]: changeByJob((tx, key) => remindInvitee(tx, Number(key))),
  [REMOVE_FILES]: removeFiles,
  [REMOVE_REMINDERS]: changeByJob(removeRemindersByJob),
  [ANNOUNCE_FULL_MEMBERS]: changeByJob(announceFullMembers),
  [CONTINUE_GROUP_CHANGE]: changeByJob(continueGroupChange),
  [MIGRATE_POLICIES]: changeByJob(continuePolicies),
  [WITHDRAW_PROFILE_VALUES]: changeByJob(continueWithdrawal),
  [ANNOUNCE_LOWERED_BOTS]: changeByJob(announceLoweredBotsByJob),
  [CLOSE_BOTS]: changeByJob(closeBotsByJob),
  [ERASE_ACCOUNT]: changeByJob(continueErasure),
  [ANNOUNCE_NAMING]: changeByJob(announceNamingByJob),
  [INVITE_IMPORTED]: changeByJob(inviteNextImported),
  [PROJECT]: (runtime, key) => runtime.projector.retry(key),
}

/** Delivers one reminder: `key` is its id. It runs again at once if the message was edited while its text was read. */
async function deliverDueReminder(runtime: Runtime, key: string): Promise<number | undefined> {
  const { sql, tail } = runtime
  const message = messageOfReminder(sql, Number(key))
  const bodies = message && (await tail.readerOver(runtime).readVersions([message]))
  return suspendableChange(runtime, (tx) => deliverReminder(tx, Number(key), bodies?.get(message!.id)))
}

/** Runs housekeeping. Users whose client has gone get mail about what it missed. */
function keepHouse(runtime: Runtime): number | undefined {
  const gone = new Map<number, number>()
  const next = runtime.housekeeping.run(runtime, (queueId, seenAt) => {
    const userId = userIdOfQueue(queueId)
    gone.set(userId, Math.max(gone.get(userId) ?? 0, seenAt))
  })
  for (const [userId, seenAt] of gone) changeBy(runtime, (tx) => giveSecondChance(tx, userId, seenAt))
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
  const next = changeBy(runtime, (tx) => {
    // Digests are scheduled already, except in a restored object that has lost the job.
    expectDigests(tx)
    return renewChannelStatistics(tx)
  })
  runtime.statistics.restUntil(next, now)
  return next
}

/** Begins to delete the organization once its days are over. */
function startDeletion(runtime: Runtime): number | undefined {
  const next = changeBy(runtime, beginDeletion)
  if (next !== undefined || deletionBegunAt(runtime.storage.sql) === undefined) return next
  runtime.leave()
  // The alarm goes off again, and then finds no organization here.
  return runtime.now()
}
