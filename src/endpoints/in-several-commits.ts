import {
  COMMITS_OF_ONE_REQUEST_MS,
  PAUSE_BETWEEN_COMMITS,
  REALM_CALLS_OF_ONE_REQUEST,
} from '../core/commit-budgets.ts'
import { TimeLimit } from '../core/time-limit.ts'
import { workGate } from '../core/work-gate.ts'

/**
 * Makes the next commit of a long change until none is left, with pauses for everybody else. Returns the last
 * result, which is not complete if the request has used up its calls or its time.
 */
export async function inSeveralCommits<Result>(
  first: Result,
  isLast: (result: Result) => boolean,
  next: (result: Result) => Promise<Result>,
): Promise<Result> {
  const time = new TimeLimit(COMMITS_OF_ONE_REQUEST_MS)
  let result = first
  for (let calls = 1; !isLast(result) && calls < REALM_CALLS_OF_ONE_REQUEST; calls += 1) {
    if (time.isOver) break
    await workGate.nextTurn(PAUSE_BETWEEN_COMMITS)
    result = await next(result)
  }
  return result
}
