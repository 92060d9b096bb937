import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  afterJoining,
  type JoinedPart,
  type JoinPlan,
  nextOfJoin,
  type PartlySubscribed,
} from '../../domain/subscriptions/join-plan.ts'
import { inSeveralCommits } from '../in-several-commits.ts'

/**
 * Makes a long change of subscriptions in several commits, of which each gets and does a part of the plan.
 * @throws ServiceUnavailableError (503) when the time of one request is over.
 */
export async function inParts<Plan extends { readonly rest: unknown }, Whole extends object>(
  first: Whole | Plan,
  next: (plan: Plan) => Promise<Whole | Plan>,
): Promise<Whole> {
  const last = await inSeveralCommits(first, isWhole, (before) =>
    isPlan<Plan>(before) ? next(before) : Promise.resolve(before),
  )
  if (isPlan<Plan>(last)) throw new ServiceUnavailableError()
  return last
}

function isPlan<Plan extends object>(result: object): result is Plan {
  return 'rest' in result
}

/** Whether the result of a commit is the answer to the request: it leaves no plan, and is not only what it has done of one. */
export function isWhole<Result extends object>(result: Result): boolean {
  return !['rest', 'joined', 'added', 'left'].some((name) => name in result)
}

/** Makes the next commit of a plan by which users join. */
export async function joinNextPart<Whole extends object, Plan extends PartlySubscribed>(
  plan: Plan,
  make: (part: JoinPlan) => Promise<Whole | Plan | JoinedPart>,
): Promise<Whole | Plan> {
  const done = await make(nextOfJoin(plan.rest))
  return 'joined' in done ? { ...plan, rest: afterJoining(plan.rest, done) } : done
}
