import { type Counts, sample } from '../../core/metrics.ts'
import type { Sql } from '../../core/sql.ts'
import { dayOf } from '../../core/time.ts'
import { countedMessages } from '../../store/messages/message-count.ts'
import { usageOfDays } from '../../store/usage/usage-rows.ts'
import { type Bill, billOf, firstDayOfBill } from './bill.ts'

/** Bytes of D1 for each message: a database of 10 GB takes some five million (docs/operations.md#deploying). */
const D1_BYTES_OF_MESSAGE = 2_000

/**
 * Returns the bill of the organization, by the days that are saved. The bytes in D1 are estimated, since organizations share it.
 * @param figures that have the bytes in the other stores
 */
export function costNow(sql: Sql, figures: Readonly<Counts>, now: number): Bill {
  const megabytes = (store: string) => (figures[sample('storage_bytes', { store })] ?? 0) / 1e6
  const stored = {
    object: megabytes('object'),
    d1: (countedMessages(sql) * D1_BYTES_OF_MESSAGE) / 1e6,
    files: megabytes('files'),
  }
  return billOf(usageOfDays(sql, firstDayOfBill(now), dayOf(now)), stored, now)
}
