import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { QUOTA_OF_TABLE } from '../support/inside-table-quotas.ts'
import { readSourceTree } from './import-graph.ts'

/**
 * Statements of the object that return a list without a LIMIT from tables without a quota: the file, the statement's
 * beginning, and what limits the list. Lists of ids that a statement is given (`json_each`) are limited by their callers.
 */
const BOUNDED_BY: readonly (readonly [file: string, begins: string, bound: string])[] = [
  [
    'missed-messages/missed-mail-rows',
    'SELECT user_id AS id FROM subscription',
    'accounts that want all of a channel mailed',
  ],
  ['push/push-device-rows', 'SELECT * FROM web_push_subscription', '20 an account'],
  ['push/push-device-rows', 'SELECT DISTINCT user_id', 'accounts'],
  ['quotas/quota-rows', 'SELECT account_id, count', 'accounts'],
  ['client-devices/client-device-rows', 'SELECT * FROM client_device', '50 an account'],
  ['client-devices/client-device-rows', 'SELECT DISTINCT user_id', 'accounts'],
  ['login-providers/login-provider-rows', 'SELECT * FROM login_identity', 'one a provider'],
  ['second-factors/second-factor-rows', 'SELECT * FROM passkey WHERE user_id', '20 an account'],
  ['second-factors/second-factor-rows', 'SELECT DISTINCT user_id', 'accounts'],
  ['second-factors/second-factor-rows', 'SELECT user_id AS id FROM totp', 'accounts'],
  ['dead-letters/dead-letter-rows', 'SELECT * FROM dead_letter WHERE last', 'the newest are kept'],
  ['dead-letters/dead-letter-rows', 'SELECT kind, count(*)', 'kinds of dead letters'],
  ['backups/backup-rows', 'SELECT part, name', 'a chunk for a thousand rows'],
  ['backups/backup-rows', 'SELECT * FROM backup WHERE removed_at', '23 are kept, and 11 a day'],
  ['backups/backup-rows', 'SELECT * FROM aside_backup WHERE removed_at', 'the same'],
  ['erasure/erasure-rows', 'SELECT * FROM erasure WHERE asked_at', 'people who were erased since a backup'],
  ['erasure/personal-rows', 'SELECT name FROM pragma_table_info', 'columns of a key'],
  ['erasure/personal-rows', 'SELECT DISTINCT message_id', 'a page of reactions'],
  ['holds/hold-rows', 'SELECT * FROM hold', '1,000'],
  ['backups/copied-tables', 'SELECT name, seq', 'tables'],
  ['exports/export-rows', 'SELECT * FROM realm_export', '5 a week'],
  ['exports/collecting-rows', 'SELECT * FROM realm_export_chunk', 'a chunk of the archive'],
  [
    'imports/import-piece-rows',
    'SELECT * FROM realm_import_piece',
    'a piece for some megabytes of the archive',
  ],
  ['imports/import-upload-rows', 'SELECT number', '10,000 parts'],
  [
    'imports/imported-rows',
    'SELECT id, target_id AS targetId, import_id AS importId, ifnull(digest',
    'the messages of a commit',
  ],
  ['imports/import-piece-rows', 'SELECT problem FROM realm_import_problem', '1,000 an import'],
  [
    'messages/channel-topic-rows',
    'SELECT m.topic_id',
    'topics of a channel in which an account keeps messages',
  ],
  ['messages/message-rows', 'SELECT id, name FROM client', '2,000'],
  ['messages/conversation-rows', 'SELECT conversation_id', 'a block of 256 ids'],
  ['flags/flag-rows', 'SELECT message_id, bits FROM message_flag WHERE user_id', 'ids of a turn'],
  ['messages/message-time-rows', 'SELECT recipient_id, COUNT(*)', 'channels and conversations of a week'],
  ['messages/message-posting-rows', 'SELECT id, sender_id, bits', 'a block of 4,096 ids'],
  ['messages/message-posting-rows', 'SELECT block, ids', 'a row for 4,096 messages'],
  ['messages/message-rows', 'SELECT * FROM message_index WHERE id BETWEEN', 'twice the ids asked for'],
  ['flags/read-rows', 'SELECT block, ids FROM read_block', 'a row for 4,096 messages'],
  ['flags/unread-message-rows', 'SELECT block, user_ids', 'a row for 4,096 accounts'],
  ['read/record-holder-rows', 'SELECT u.id, u.role', 'accounts'],
  ['read/record-holder-rows', 'SELECT json_group_array', 'accounts'],
  ['flags/read-rows', 'SELECT json_group_array(message_id)', 'EXCEPTIONS_READ_AT_ONCE'],
  ['subscriptions/subscriber-rows', 'SELECT json_group_array', 'channels'],
  ['subscriptions/subscription-rows', 'SELECT json_group_array(channel_id)', 'channels'],
  ['subscriptions/period-rows', 'SELECT json_group_array(user_id)', 'accounts'],
  ['exports/export-rows', 'WITH person', 'accounts'],
  ['messages/topic-rows', 'SELECT id, name FROM topic WHERE id >', 'ids of a turn'],
  ['personal/personal-rows', 'SELECT step', 'hints that the server knows'],
  ['presence/presence-and-status-rows', 'SELECT entries', 'accounts, 256 a row'],
  ['scim/scim-rows', 'SELECT user_id FROM scim_user', 'accounts'],
  [
    'subscriptions/subscription-rows',
    'SELECT * AS found, u.settings',
    'accounts, one row for all with the same settings',
  ],
  ['uploads/resumable-upload-rows', 'SELECT start', 'chunks of an upload'],
  ['presence/presence-and-status-rows', 'SELECT user_id', 'accounts'],
  ['users/user-block-rows', 'WITH RECURSIVE block', 'accounts, 128 a row'],
  ['verification/verification-rows', 'SELECT', 'ids of a turn'],
  ['verification/check-rows', 'SELECT id FROM', 'ids of a turn'],
  ['verification/check-rows', 'SELECT m.', 'ids of a turn'],
  ['verification/check-rows', 'SELECT path FROM attachment', 'files under one prefix'],
  ['verification/check-rows', 'SELECT key FROM file_removal', 'the same'],
  ['projection/projection-rows', 'SELECT id, message_ids', 'REFUSED_ENTRIES'],
  ['projection/projection-rows', 'SELECT entries', 'TAIL_ENTRIES'],
  ['projection/body-database-rows', 'SELECT number', 'databases of the deployment'],
]

const LISTS = /\.(?:all|each|values|list)(?:<[^(]*>)?\(\s*(?:(?:\w+\.)*sql,\s*)?`([^`]*)`/g

/** Lists by the declaration of a table's rows: its constant, and what follows the table's name in the statement. */
const LISTS_OF_ROWS = /\b([A-Z_]+(?:\.\w+)?)\.list\(\s*(?:\w+\.)*sql,\s*`([^`]*)`/g
const TABLES_OF_ROWS = /\b(\w+)(?: =|:) new Rows<.*?>\(\s*'(\w+)(?: \w+)?'/g

/** Returns the table of each constant that declares the rows of one. */
function tablesOfRows(program: string): [name: string, table: string][] {
  return [...program.matchAll(TABLES_OF_ROWS)].map(([, name, table]) => [name!, table!])
}

/** Returns the statements of a program that read a list without a limit, without line breaks. `imported`: tables of other programs' rows. */
function unlimitedIn(program: string, imported: ReadonlyMap<string, string>): string[] {
  const declared = new Map([...imported, ...tablesOfRows(program)])
  const ofRows = [...program.matchAll(LISTS_OF_ROWS)].map(
    ([, name, rest]) => `SELECT * FROM ${declared.get(name!.split('.').at(-1)!)} ${rest}`,
  )
  return [...[...program.matchAll(LISTS)].map(([, statement]) => statement!), ...ofRows]
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' '))
    .map((statement) => statement.replaceAll(/SELECT \$\{[\w.]+\}/g, 'SELECT *'))
    .filter((statement) => /^(SELECT|WITH)/.test(statement))
    .filter((statement) => !/\bLIMIT\b|json_each/.test(statement))
    .filter((statement) => {
      const tables = [...statement.matchAll(/\b(?:FROM|JOIN) (\w+)/g)].map(([, table]) => table!)
      return tables.some((table) => !Array.isArray(QUOTA_OF_TABLE[table]))
    })
}

it('every list that the object reads has a limit, a quota, or a stated reason', () => {
  const tree = [...readSourceTree(join(PROJECT, 'src'))].filter(([file]) => !/\b(d1|dev)\//.test(file))
  const exported = new Map(
    tree.flatMap(([, program]) => tablesOfRows([...program.matchAll(/^export const .*$/gm)].join('\n'))),
  )
  const used = new Set<string>()
  const unbounded = tree.flatMap(([file, program]) =>
    unlimitedIn(program, exported).flatMap((statement) => {
      const known = BOUNDED_BY.find(
        ([where, begins]) => file.endsWith(`${where}.ts`) && statement.startsWith(begins),
      )
      if (known) used.add(known.join())
      return known ? [] : [`${file}: ${statement}`]
    }),
  )
  expect(unbounded).toEqual([])
  // Entries that are no longer used must be removed from the list.
  expect(BOUNDED_BY.filter((one) => !used.has(one.join()))).toEqual([])
})
