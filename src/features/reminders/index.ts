import type { Endpoint } from '../../api/define-endpoint.ts'
import { createReminderEndpoint } from './create-reminder.ts'
import { deleteReminderEndpoint } from './delete-reminder.ts'
import { getRemindersEndpoint } from './get-reminders.ts'

export const REMINDER_ENDPOINTS: readonly Endpoint[] = [
  createReminderEndpoint,
  deleteReminderEndpoint,
  getRemindersEndpoint,
]
