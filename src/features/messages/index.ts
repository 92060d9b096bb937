import type { Endpoint } from '../../api/define-endpoint.ts'
import { deleteMessageEndpoint } from './delete-message.ts'
import { getMessageHistoryEndpoint } from './get-message-history.ts'
import { getReadReceiptsEndpoint } from './get-read-receipts.ts'
import { getMessagesEndpoint } from './many-messages.ts'
import { markAllReadEndpoint, markChannelReadEndpoint, markTopicReadEndpoint } from './mark-read.ts'
import { matchNarrowEndpoint } from './match-narrow.ts'
import { getMessageEndpoint } from './one-message.ts'
import { renderMessageEndpoint } from './render-message.ts'
import { reportMessageEndpoint } from './report-message.ts'
import { sendMessageEndpoint } from './send-message.ts'
import { updateFlagsEndpoint } from './update-flags.ts'
import { updateFlagsForNarrowEndpoint } from './update-flags-for-narrow.ts'
import { updateMessageEndpoint } from './update-message.ts'

export const MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  deleteMessageEndpoint,
  getMessageEndpoint,
  getMessageHistoryEndpoint,
  getMessagesEndpoint,
  getReadReceiptsEndpoint,
  renderMessageEndpoint,
  reportMessageEndpoint,
  sendMessageEndpoint,
  updateFlagsEndpoint,
  markAllReadEndpoint,
  markChannelReadEndpoint,
  markTopicReadEndpoint,
  matchNarrowEndpoint,
  updateFlagsForNarrowEndpoint,
  updateMessageEndpoint,
]
