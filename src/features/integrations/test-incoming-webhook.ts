import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { described, pathInteger, textUpTo, word } from '../../api/parameter-types.ts'
import { assert, BadRequestError } from '../../core/errors.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { findIntegration } from '../../integrations/index.ts'
import { requireOwnBot } from '../../model/bots/bot-rules.ts'
import { type Caller, callerOf } from '../../model/caller.ts'
import { keepFirstAnswer, keyedRequest } from '../../model/idempotency/first-answer.ts'
import { incomingWebhook } from '../../store/integrations/incoming-webhook-rows.ts'
import { checkedDelivery, openedSecrets, samplePost } from './in-worker/posts.ts'
import { SAMPLE_LENGTH } from './incoming-webhook.ts'
import {
  noteRefusal,
  type ReadingSettings,
  type ReceivedDelivery,
  type ReceivedPost,
  receiveDelivery,
} from './receive-delivery.ts'
import { DESTINATION_PARAMETERS, FILTER_PARAMETERS } from './receive-webhook.ts'

interface TestIncomingWebhookParams extends ReceivedPost {
  readonly bot_id: number
  /** JSON in place of the service's sample. */
  readonly payload?: string
}

/** First what the Worker needs for the post, then the outcome. */
type TestedWebhook = { readonly settings: ReadingSettings } | { readonly noted: Noted }
type Noted = Extract<ReceivedDelivery, { kind: 'done' }>['noted']

/** Returns the bot as the caller of its posts. */
function requireOpenBot(
  tx: RealmReads,
  caller: Caller,
  { bot_id, integration }: TestIncomingWebhookParams,
): Caller {
  const bot = requireOwnBot(tx.sql, caller, bot_id)
  if (!bot.isActive) throw new BadRequestError('No such bot')
  if (!findIntegration(integration)) throw new BadRequestError('No such integration')
  const { session: _, ...source } = caller.source
  return callerOf(tx.sql, bot, source, tx.now)
}

/**
 * Posts to a bot what a service would post, signed with the bot's secret, which is never shown. Its refusals are those of the post. Source:
 * docs/interface/webhooks.md#settings-of-a-bot. Parley's own.
 */
export const testIncomingWebhookEndpoint = defineEndpoint({
  operation: 'test-incoming-webhook',
  route: 'POST /bots/:bot_id/incoming_webhook/test',
  access: 'human-member',
  growsObject: true,
  params: {
    bot_id: pathInteger,
    integration: word,
    ...DESTINATION_PARAMETERS,
    ...FILTER_PARAMETERS,
    payload: v.optional(
      described(textUpTo(SAMPLE_LENGTH), 'JSON to post in place of the sample of the service.'),
    ),
  },
  returns: v.object({
    event: described(v.string(), 'Empty for services without kinds of events.'),
    outcome: v.picklist(['sent', 'nothing', 'refused']),
    error: v.nullable(v.string()),
  }),
  command: {
    apply(tx, caller, params: TestIncomingWebhookParams): TestedWebhook {
      const bot = requireOpenBot(tx, caller, params)
      if (!params.delivery) return { settings: incomingWebhook(tx.sql, bot.user.id) }
      const received = receiveDelivery(tx, bot, params)
      assert(received.kind === 'done', 'The Worker has read the post with the settings of the bot')
      const tested = { noted: received.noted }
      // The message records the key too, but as the bot's, and not as the tester's.
      const { idempotency } = caller.source
      const { id } = caller.user
      if (idempotency) keepFirstAnswer(tx, id, keyedRequest(id, idempotency), tested)
      return tested
    },
    afterRefusal(tx, caller, params: TestIncomingWebhookParams, refusal) {
      if (params.delivery) noteRefusal(tx, requireOpenBot(tx, caller, params), params, refusal)
    },
  },
  audit: 'speech',
  // Only the last call's answer is kept: the first one has secrets.
  idempotency: 'own',
  async finish(tested: TestedWebhook, params: TestIncomingWebhookParams, { secrets: sealer, run }) {
    if ('noted' in tested) return tested.noted
    const integration = findIntegration(params.integration)!
    const secrets = await openedSecrets(tested.settings.secrets, sealer)
    const read = secrets
      ? checkedDelivery(integration, samplePost(integration, params, secrets[0]), params, {
          ...tested.settings,
          secrets,
        })
      : ({ kind: 'secret lost' } as const)
    // Samples have fixed ids, by which a second test would count as a repetition.
    const delivery = { ...read, ...(read.kind === 'messages' ? { id: '' } : {}), isVerified: true }
    const { noted } = (await run('test-incoming-webhook', { ...params, delivery })) as { noted: Noted }
    return noted
  },
})
