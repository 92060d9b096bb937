import { ENDED_SUBSCRIPTIONS_OF_ACCOUNT } from '../../core/commit-budgets.ts'
import { BadRequestError } from '../../core/errors.ts'
import type { Sql } from '../../core/sql.ts'
import { hasEndedMoreThan } from './period-rows.ts'

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
