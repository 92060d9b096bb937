/** Where earlier builds have what is left for a continuation: a row of `meta` before its key. */
const FORMER = [
  ['continue-group-change', 'group_change:', 'value'],
  ['erase-account', 'erasing:', 'value'],
  ['close-bots', 'closing_bots:', 'value'],
  ['announce-lowered-bots', 'lowered_bots:', 'value'],
  ['announce-naming', 'announcing_naming:', 'value'],
  ['withdraw-profile-values', 'profile_withdrawal:', `json_object('above', value)`],
] as const

/** Step `continuations`: what changes have left to later commits has one form, and one kind of job. Of all these there are few rows. */
export const CONTINUATIONS_IN_ONE_FORM: readonly string[] = [
  ...FORMER.map(
    ([name, prefix, left]) =>
      `INSERT INTO meta (key, value) SELECT 'continuation:${name}:' || substr(key, ${prefix.length + 1}), ${left}
       FROM meta WHERE ${between(prefix)}`,
  ),
  // One row for each topic, in the order of their keys.
  `INSERT INTO meta (key, value) SELECT 'continuation:migrate-policies:', json_group_array(json(value))
   FROM (SELECT value FROM meta WHERE ${between('policies:')} ORDER BY key) HAVING count(*) > 0`,
  // One job for each message.
  `INSERT INTO meta (key, value) SELECT 'continuation:remove-reminders:' || key, json_array(CAST(key AS INTEGER))
   FROM job WHERE kind = 'remove-reminders'`,
  `DELETE FROM meta WHERE ${[...FORMER.map(([, prefix]) => prefix), 'policies:'].map(between).join(' OR ')}`,
  `UPDATE job SET kind = 'finish-change', key = kind || ':' || key
   WHERE kind IN ('migrate-policies', 'remove-reminders', ${FORMER.map(([name]) => `'${name}'`).join(', ')})`,
]

function between(prefix: string): string {
  return `key BETWEEN '${prefix}' AND '${prefix}~'`
}
