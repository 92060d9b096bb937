import type { Endpoint, Operation } from '../../api/define-endpoint.ts'
import { reserveBotPictureStep } from './bot-picture.ts'
import { getBotStorageEndpoint, removeBotStorageEndpoint, updateBotStorageEndpoint } from './bot-storage.ts'
import {
  deactivateBotEndpoint,
  getBotApiKeyEndpoint,
  getBotsEndpoint,
  regenerateBotApiKeyEndpoint,
} from './bots.ts'
import { createBotEndpoint } from './create-bot.ts'
import { getEventSubscriptionsEndpoint, updateEventSubscriptionsEndpoint } from './event-subscriptions.ts'
import {
  getWebhookDeliveriesEndpoint,
  renewWebhookSecretEndpoint,
  resendWebhookDeliveryEndpoint,
} from './outgoing-webhooks.ts'
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
