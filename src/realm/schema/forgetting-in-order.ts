/**
 * Step `forgetting-in-order` of the schema: what is deleted after a month is found by its time. Of the uploads of a month all have a row,
 * and without these indexes each turn that deletes some would read all of them.
 */
export const FORGETTING_IN_ORDER_STATEMENTS: readonly string[] = [
  `CREATE INDEX unclaimed_attachment_by_time ON unclaimed_attachment (since)`,
  `CREATE INDEX emptied_topic_by_time ON emptied_topic (since)`,
]
