/**
 * Step `open-group-changes` of the schema: the users of an open change of a group's members are a row of their own
 * (domain/user-groups/group-change-rows.ts), with four bytes for each, and the change counts how far it is.
 */

/** The users of the change as it was stored: those who were added, are to be added, were removed, and are to be removed. */
const LISTS = [`'$.added'`, `'$.add'`, `'$.removed'`, `'$.remove'`] as const

function lengthOf(list: string): string {
  return `coalesce(json_array_length(value, ${list}), 0)`
}

const [ADDED, ADD, REMOVED, REMOVE] = LISTS.map(lengthOf)

/** An id in hexadecimal digits, the lowest byte first. */
const DIGITS = `printf('%02x%02x%02x%02x', id & 255, id >> 8 & 255, id >> 16 & 255, id >> 24 & 255)`

const USERS = LISTS.map(
  (list, at) => `SELECT ${at} AS list, key AS position, value AS id FROM json_each(change.value, ${list})`,
).join(' UNION ALL ')

const OPEN = `key BETWEEN 'group_change:0' AND 'group_change:9999999999999'`

export const OPEN_GROUP_CHANGE_STATEMENTS: readonly string[] = [
  `INSERT INTO meta (key, value)
   SELECT replace(change.key, ':', '_users:'),
     (SELECT unhex(group_concat(${DIGITS}, '' ORDER BY list, position)) FROM (${USERS}))
   FROM meta AS change WHERE ${OPEN.replace('key', 'change.key')}`,
  // Users were removed once all were added.
  `UPDATE meta SET value = json_patch(
     json_object('userId', value ->> '$.userId', 'users', ${ADDED} + ${ADD} + ${REMOVED} + ${REMOVE}, 'adds', ${ADDED} + ${ADD},
       'changed', ${ADDED} + ${REMOVED}, 'notified', 0),
     iif(value ->> '$.isSilent', '{"isSilent":true}', '{}'))
   WHERE ${OPEN}`,
]
