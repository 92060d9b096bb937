import type { RealmTransaction } from '../../../core/realm-transaction.ts'
import { parseWidget } from '../../../markdown/widgets.ts'
import { enqueueWebhookCalls } from '../../bots/enqueue-webhook-calls.ts'
import { claimAttachments } from '../../uploads/claim-attachments.ts'
import { followAfterSend, policyAfterSend } from '../../user-topics/automatic-policies.ts'
import type { TopicPolicy } from '../../user-topics/user-topic-rows.ts'
import { requestPreviews } from '../../website-previews/request-previews.ts'
import type { SentBefore } from '../message-rows.ts'
import type { Composition } from './compose.ts'
import type { MessageOrigin } from './message-origin.ts'
import { policyInBits, storeMessage } from './store-message.ts'

export interface SentMessage {
  readonly id: number
  /** The sender's new policy for the topic, only if sending changed it. */
  readonly automatic_new_visibility_policy?: TopicPolicy
}

/**
 * Stores a message that somebody wrote, now or for later, and follows its topic for its sender and for
 * mentioned users by their settings. Notices of the organization's own bots are only stored.
 */
export function deliverMessage(
  tx: RealmTransaction,
  message: Composition,
  origin: MessageOrigin,
): SentMessage {
  const policy = policyAfterSend(tx, message)
  const widget = message.widget ?? parseWidget(message.content)
  const id = storeMessage(tx, { ...message, widget, policy }, origin)
  followAfterSend(tx, message, policy)
  enqueueWebhookCalls(tx, message, id)
  requestPreviews(tx, id, message)
  claimAttachments(tx, id, message.rendered.uploadPaths)
  return answer(id, policy)
}

/** Returns the first answer to a send that is repeated. */
export function sentBefore({ id, bits }: SentBefore): SentMessage {
  return answer(id, policyInBits(bits))
}

function answer(id: number, policy: TopicPolicy | undefined): SentMessage {
  return policy === undefined ? { id } : { id, automatic_new_visibility_policy: policy }
}
