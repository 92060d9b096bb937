import { COMMITS_OF_ONE_REQUEST_MS, PAUSES } from '../../core/budgets.ts'
import type { ContinuationName } from '../../core/continuation-names.ts'
import type { NextTime } from '../../core/job-runtime.ts'
import type { Continuation } from '../../core/realm-transaction.ts'
import { TimeLimit } from '../../core/within-time.ts'
import { erasure } from '../../features/users/accounts.ts'
import { announcingLoweredBots } from '../../model/accounts/change-user-role.ts'
import { closingBots } from '../../model/accounts/close-account.ts'
import { migrations } from '../../model/editing/move/policies-of-emptied-topics.ts'
import { erasing } from '../../model/erasure/erase-next.ts'
import { announcingNaming } from '../../model/group-changes/emit-groups-of-account.ts'
import { changeOfMembers } from '../../model/group-changes/large-membership-change.ts'
import { withdrawal } from '../../model/profile-fields/change-field-values.ts'
import { removingReminders } from '../../model/reminders/remove-reminder.ts'
import { makeNextCommit } from '../calls/continuation.ts'
import type { Runtime } from '../runtime.ts'

const CONTINUATIONS: Readonly<Record<ContinuationName, Continuation<object>>> = {
  'continue-group-change': changeOfMembers,
  'erase-account': erasure,
  'erase-person': erasing,
  'withdraw-profile-values': withdrawal,
  'close-bots': closingBots,
  'announce-lowered-bots': announcingLoweredBots,
  'announce-naming': announcingNaming,
  'migrate-policies': migrations,
  'remove-reminders': removingReminders,
}

/** Makes the commits of a continuation for as long as a request would. Returns when to go on. */
export async function makeCommits(runtime: Runtime, name: ContinuationName, key: string): Promise<NextTime> {
  const time = new TimeLimit(COMMITS_OF_ONE_REQUEST_MS)
  while (!time.isOver) {
    const isLeft = await runtime.suspendableChange((tx) => makeNextCommit(tx, CONTINUATIONS[name], key))
    if (!isLeft) return undefined
    await runtime.pause(PAUSES.commit)
  }
  return runtime.now()
}
