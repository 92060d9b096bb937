import { ApiError } from '../core/errors.ts'
import type { RealmTransaction } from '../core/realm-transaction.ts'
import { botSettings } from '../domain/bots/bot-setting-rows.ts'
import { CALL_WEBHOOKS } from '../domain/bots/call-webhook-bots.ts'
import { answerWebhookCall, failWebhookCall } from '../domain/bots/finish-webhook-call.ts'
import {
  leaseWebhookCall,
  nextWebhookCallAt,
  postponeWebhookCall,
  type WebhookCall,
} from '../domain/bots/webhook-call-rows.ts'
import { webhookRequest } from '../domain/bots/webhook-request.ts'
import { findUser } from '../domain/users/user-rows.ts'
import { afterCommit } from './after-commit.ts'
import { scheduleJob } from './job-alarm.ts'
import { postWebhook, type WebhookOutcome } from './post-webhook.ts'
import type { Runtime } from './runtime.ts'
import { transactOn } from './transaction.ts'

const ATTEMPTS = 3
/** Longer than an attempt takes. */
const LEASE_SECONDS = 60
const FIRST_RETRY_SECONDS = 5

/**
 * Begins to post to the outgoing webhooks that are due, a few at a time, and answers when to look again.
 * Nothing waits for them: one that is slow holds up no other job.
 */
export function callWebhooks(runtime: Runtime): number | undefined {
  beginCalls(runtime)
  const next = nextWebhookCallAt(runtime.sql)
  // What is due and had no place yet is begun when another ends.
  return next === undefined ? undefined : Math.max(next, runtime.now() + FIRST_RETRY_SECONDS)
}

function beginCalls(runtime: Runtime): void {
  while (runtime.webhooks.isFree) {
    const now = runtime.now()
    const call = leaseWebhookCall(runtime.sql, now, now + LEASE_SECONDS)
    if (!call) return
    runtime.webhooks.take()
    void carryOut(runtime, call)
      .catch((error) => console.error(`Webhook call ${call.id} failed`, error))
      .finally(() => {
        runtime.webhooks.leave()
        beginCalls(runtime)
      })
  }
}

async function carryOut(runtime: Runtime, call: WebhookCall): Promise<void> {
  const bot = findUser(runtime.sql, call.botId)
  const { service } = botSettings(runtime.sql, call.botId)
  if (!bot?.isActive || !service) {
    change(runtime, (tx) => answerWebhookCall(tx, call, undefined))
    return
  }
  const request = webhookRequest(runtime.realm, bot, service, call)
  finish(runtime, call, await postWebhook(request, runtime.webhooks.allowedHosts))
}

function finish(runtime: Runtime, call: WebhookCall, outcome: WebhookOutcome): void {
  if (outcome.kind === 'unreachable' && call.attempts < ATTEMPTS) {
    const dueAt = runtime.now() + FIRST_RETRY_SECONDS * 4 ** (call.attempts - 1)
    postponeWebhookCall(runtime.sql, call.id, dueAt)
    scheduleJob(runtime, { kind: CALL_WEBHOOKS, key: '', dueAt })
    return
  }
  if (outcome.kind !== 'answered') {
    change(runtime, (tx) => failWebhookCall(tx, call, outcome.reason))
    return
  }
  try {
    change(runtime, (tx) => answerWebhookCall(tx, call, outcome.reply))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    change(runtime, (tx) => failWebhookCall(tx, call, error.message))
  }
}

function change(runtime: Runtime, make: (tx: RealmTransaction) => void): void {
  transactOn({
    ...runtime,
    now: runtime.now(),
    onCommit: (commit) => afterCommit(runtime, commit),
  })(make)
}
