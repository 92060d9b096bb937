/** Rows of work that is due later, for tests that need some of every kind, or in a certain state. */
export {
  deleteWebhookCall,
  deleteWebhookCallsAbout,
  insertWebhookCalls,
  leaseWebhookCall,
} from '../../src/domain/bots/webhook-call-rows.ts'
export { enqueueDigest } from '../../src/domain/digests/digest-rows.ts'
export { insertEmail } from '../../src/domain/emails/email-rows.ts'
export { addMissedMessage } from '../../src/domain/missed-messages/missed-mail-rows.ts'
export { insertPendingPush } from '../../src/domain/push/pending-push-rows.ts'
export { putPushToken } from '../../src/domain/push/push-token-rows.ts'
export { addStalePushes } from '../../src/domain/push/shown-push-rows.ts'
export { enqueueRemoval } from '../../src/domain/uploads/removal-rows.ts'
export { enqueuePreviewRequest } from '../../src/domain/website-previews/preview-request-rows.ts'
export { leaseJob, nextJobOf } from '../../src/realm/jobs/job-rows.ts'
