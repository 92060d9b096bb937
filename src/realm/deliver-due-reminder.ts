import { deliverReminder } from '../domain/reminders/deliver-reminder.ts'
import { afterCommit } from './after-commit.ts'
import type { JobHandler } from './job-handler.ts'
import { transactOn } from './transaction.ts'

/** Delivers one reminder: `key` is its id. */
export const deliverDueReminder: JobHandler = (runtime, key) => {
  const onCommit = (commit: Parameters<typeof afterCommit>[1]) => afterCommit(runtime, commit)
  transactOn({ ...runtime, now: runtime.now(), onCommit })((tx) => deliverReminder(tx, Number(key)))
  return undefined
}
