import type { Endpoint } from '../define-endpoint.ts'
import { deleteMessageEndpoint } from './delete-message.ts'
import { getMessageEndpoint } from './get-message.ts'
import { getMessageHistoryEndpoint } from './get-message-history.ts'
import { getMessagesEndpoint } from './get-messages.ts'
import { sendMessageEndpoint } from './send-message.ts'
import { updateFlagsEndpoint } from './update-flags.ts'

export const MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  deleteMessageEndpoint,
  getMessageEndpoint,
  getMessageHistoryEndpoint,
  getMessagesEndpoint,
  sendMessageEndpoint,
  updateFlagsEndpoint,
]
