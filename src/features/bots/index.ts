import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { reserveBotPictureStep } from './bot-picture.ts'
import { getBotStorageEndpoint, removeBotStorageEndpoint, updateBotStorageEndpoint } from './bot-storage.ts'
import { createBotEndpoint } from './create-bot.ts'
import { deactivateBotEndpoint } from './deactivate-bot.ts'
import { getEventSubscriptionsEndpoint, updateEventSubscriptionsEndpoint } from './event-subscriptions.ts'
import { getBotApiKeyEndpoint } from './get-bot-api-key.ts'
import { getBotsEndpoint } from './get-bots.ts'
import { getWebhookDeliveriesEndpoint } from './get-webhook-deliveries.ts'
import { regenerateBotApiKeyEndpoint } from './regenerate-bot-api-key.ts'
import { renewWebhookSecretEndpoint } from './renew-webhook-secret.ts'
import { resendWebhookDeliveryEndpoint } from './resend-webhook-delivery.ts'
import { updateBotEndpoint } from './update-bot.ts'

export const BOT_ENDPOINTS: readonly Endpoint[] = [
  createBotEndpoint,
  deactivateBotEndpoint,
  getBotApiKeyEndpoint,
  getBotStorageEndpoint,
  getBotsEndpoint,
  getEventSubscriptionsEndpoint,
  getWebhookDeliveriesEndpoint,
  regenerateBotApiKeyEndpoint,
  removeBotStorageEndpoint,
  renewWebhookSecretEndpoint,
  resendWebhookDeliveryEndpoint,
  updateBotEndpoint,
  updateBotStorageEndpoint,
  updateEventSubscriptionsEndpoint,
]

export const BOT_STEPS: readonly Operation[] = [reserveBotPictureStep]
