import {
  leaseWebhookCall,
  nextWebhookCallAt,
  retryWebhookCallLater,
  type WebhookCall,
} from '../../store/bots/webhook-call-rows.ts'
import { beginOutgoing, type OutgoingRuntime, type OutgoingWork } from '../outgoing-work.ts'
import { postCall } from './attempt.ts'
import { giveUpWebhookCall } from './failure.ts'

/** Calls of webhooks: one call of a bot at a time, so a server that hangs takes only its share. */
const WEBHOOKS: OutgoingWork<WebhookCall> = {
  lane: 'webhooks',
  job: 'call-webhooks',
  lease({ sql, webhooks }, now, until) {
    const call = leaseWebhookCall(sql, now, until, [...webhooks.busyBots])
    if (call) webhooks.busyBots.add(call.botId)
    return call
  },
  carryOut: postCall,
  release: ({ webhooks }, call) => webhooks.busyBots.delete(call.botId),
  retryLater: (tx, call, dueAt) => retryWebhookCallLater(tx.sql, call, dueAt),
  giveUp: giveUpWebhookCall,
  nextAt: ({ sql }) => nextWebhookCallAt(sql),
}

/** Begins to post to the outgoing webhooks that are due. Returns when to look again (UNIX seconds). */
export function deliverWebhookCalls(runtime: OutgoingRuntime): number | undefined {
  return beginOutgoing(runtime, WEBHOOKS)
}
