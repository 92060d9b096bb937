/** Exports rows of due work, for tests that need some of every kind, or in a certain state. */

export {
  deleteWebhookCall,
  deleteWebhookCallsAbout,
  insertWebhookCalls,
  leaseWebhookCall,
} from '../../src/store/bots/webhook-call-rows.ts'
export { enqueueDigest } from '../../src/store/digests/digest-rows.ts'
export { insertEmail } from '../../src/store/emails/email-rows.ts'
export { leaseJob, nextJobOf } from '../../src/store/jobs/job-rows.ts'
export { addMissedMessage } from '../../src/store/missed-messages/missed-mail-rows.ts'
export { insertPendingPush } from '../../src/store/push/pending-push-rows.ts'
export { putPushToken } from '../../src/store/push/push-token-rows.ts'
export { addStalePushes } from '../../src/store/push/shown-push-rows.ts'
export { enqueueRemoval } from '../../src/store/uploads/removal-rows.ts'
export { enqueuePreviewRequest } from '../../src/store/website-previews/website-preview-rows.ts'
