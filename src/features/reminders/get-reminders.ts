import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmReads } from '../../core/realm-transaction.ts'
import { type PresentedReminder, reminderSchema } from '../../events/reminders.ts'
import type { Caller } from '../../model/caller.ts'
import { presentReminder } from '../../model/reminders/reminder-text.ts'
import { listRemindersOf } from '../../store/reminders/reminder-rows.ts'

/** Lists the caller's reminders, the next one first. Source: docs/interface/personal.md#reminders. */
export const getRemindersEndpoint = defineEndpoint({
  operation: 'get-reminders',
  method: 'GET',
  path: '/reminders',
  access: 'user',
  params: {},
  returns: v.object({ reminders: v.array(reminderSchema) }),
  command: { reads: true, apply: getReminders },
})

function getReminders({ sql }: RealmReads, { user }: Caller): { reminders: PresentedReminder[] } {
  return { reminders: listRemindersOf(sql, user.id).map(presentReminder) }
}
