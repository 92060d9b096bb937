import * as v from 'valibot'
import { getReminders } from '../../domain/reminders/get-reminders.ts'
import { reminderSchema } from '../../events/reminders.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** The caller's reminders. Source: docs/interface/personal.md#reminders. */
export const getRemindersEndpoint = defineEndpoint({
  operation: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  access: 'user',
  params: {},
  returns: v.object({ reminders: v.array(reminderSchema) }),
  command: getReminders,
})
