import type { Endpoint } from '../../api/define-endpoint.ts'
import { deleteMessageEndpoint } from './delete-message.ts'
import { getMessageEndpoint } from './get-message.ts'
import { getMessageHistoryEndpoint } from './get-message-history.ts'
import { getMessagesEndpoint } from './get-messages.ts'
import { getReadReceiptsEndpoint } from './get-read-receipts.ts'
import { markAllReadEndpoint } from './mark-all-read.ts'
import { markChannelReadEndpoint } from './mark-channel-read.ts'
import { markTopicReadEndpoint } from './mark-topic-read.ts'
import { matchNarrowEndpoint } from './match-narrow.ts'
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
