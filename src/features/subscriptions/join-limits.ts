import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { hasEndedMoreThan } from '../../store/subscriptions/period-rows.ts'

/**
 * Subscriptions that an account may have ended and still begin others: a row of each stays, since it says which messages and events the
 * account has received.
 */
const ENDED_SUBSCRIPTIONS_OF_ACCOUNT = 50_000

/**
 * Refuses to subscribe an account that has joined and left without end: each time leaves a row for good.
 * @throws BadRequestError
 */
export function requireFewEnded(sql: Sql, userId: number): void {
  if (!hasEndedMoreThan(sql, userId, ENDED_SUBSCRIPTIONS_OF_ACCOUNT)) return
  throw new BadRequestError(
    `One account cannot have more than ${ENDED_SUBSCRIPTIONS_OF_ACCOUNT} ended subscriptions.`,
  )
}
