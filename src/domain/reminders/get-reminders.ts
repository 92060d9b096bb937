import type { ReadCommand } from '../../core/command.ts'
import type { PresentedReminder } from '../../events/reminders.ts'
import type { Caller } from '../caller.ts'
import { presentReminder } from './present-reminder.ts'
import { listRemindersOf } from './reminder-rows.ts'

/** Lists the caller's reminders, the next one first. Source: docs/interface/personal.md#reminders. */
export const getReminders: ReadCommand<Caller, unknown, void, { reminders: PresentedReminder[] }> = {
  reads: true,
  apply({ sql }, { user }) {
    return { reminders: listRemindersOf(sql, user.id).map(presentReminder) }
  },
}
