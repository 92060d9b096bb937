import type { Endpoint } from '../../api/define-endpoint.ts'
import { createScheduledMessageEndpoint } from './create-scheduled-message.ts'
import { deleteScheduledMessageEndpoint } from './delete-scheduled-message.ts'
import { editScheduledMessageEndpoint } from './edit-scheduled-message.ts'
import { listScheduledMessagesEndpoint } from './list-scheduled-messages.ts'

export const SCHEDULED_MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  createScheduledMessageEndpoint,
  deleteScheduledMessageEndpoint,
  editScheduledMessageEndpoint,
  listScheduledMessagesEndpoint,
]
