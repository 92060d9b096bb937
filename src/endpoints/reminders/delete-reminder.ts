import * as v from 'valibot'
import { deleteReminder } from '../../domain/reminders/delete-reminder.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger } from '../parameter-types.ts'

/** Deletes a reminder. Source: docs/interface/personal.md#reminders. */
export const deleteReminderEndpoint = defineEndpoint({
  operation: 'delete-reminder',
  method: 'DELETE',
  path: '/reminders/:reminder_id',
  access: 'user',
  params: { reminder_id: pathInteger },
  returns: v.object({}),
  command: deleteReminder,
  audit: 'own',
})
