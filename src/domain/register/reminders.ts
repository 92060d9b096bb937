import { presentReminder } from '../reminders/present-reminder.ts'
import { listRemindersOf } from '../reminders/reminder-rows.ts'
import type { Snapshot } from './snapshot.ts'

/** Key of `reminders`: the caller's own, undelivered. */
export const remindersSnapshot: Snapshot = ({ sql }, { user }) => ({
  reminders: listRemindersOf(sql, user.id).map(presentReminder),
})
