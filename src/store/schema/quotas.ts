/**
 * The use of each quota (core/quotas.ts), kept by triggers, so that everything
 * that writes or deletes such a row is counted in the same commit, and nothing has to be added up.
 */

/** Rows of one table that are counted under one name. Expressions name a column `row.column`. */
interface Counted {
  readonly kind: string
  readonly table: string
  /** The owning account; '': the organization. */
  readonly account: string
  /** The columns of texts of any length. */
  readonly texts: readonly string[]
  /** Number that the row counts for; 1 by default. */
  readonly count?: string
}

const COUNTED: readonly Counted[] = [
  own('drafts', 'draft', 'recipients', 'topic', 'content'),
  own('snippets', 'saved_snippet', 'title', 'content'),
  {
    // A sent message keeps only its id, so it does not count.
    ...own('scheduled', 'scheduled_message', 'destination', 'content', 'rendered_content'),
    count: `(row.state <> 'sent')`,
  },
  own('reminders', 'reminder', 'content', 'rendered_content'),
  own('alertWords', 'alert_word', 'word'),
  own('mutedUsers', 'muted_user'),
  // With those who are muted: who mutes and unmutes the same person again and again has a row for each time.
  own('mutedUsers', 'ended_mute'),
  // Without their names, whose length has a limit: so moving a topic that many follow writes no further row.
  own('topicSettings', 'user_topic'),
  own('views', 'navigation_view', 'fragment', 'name'),
  own('botStorage', 'bot_storage', 'key', 'value'),
  own(
    'pushDevices',
    'push_device',
    'account_id',
    'public_key',
    'bouncer_public_key',
    'encrypted_registration',
  ),
  own('pushTokens', 'push_token', 'token', 'app_id'),
  { kind: 'webhookCalls', table: 'webhook_call', account: 'row.bot_id', texts: ['row.message'] },
  { kind: 'files', table: 'attachment', account: 'row.owner_id', texts: ['row.path', 'row.name'] },
  { kind: 'uploads', table: 'resumable_upload', account: 'row.owner_id', texts: ['row.metadata'] },
  shared('accounts', 'user'),
  {
    kind: 'bots',
    table: 'user',
    account: 'row.bot_owner_id',
    texts: [],
    count: '(row.bot_owner_id IS NOT NULL)',
  },
  { kind: 'profiles', table: 'user', account: 'row.id', texts: ['row.profile_data'], count: '0' },
  {
    kind: 'channels',
    table: 'channel',
    account: 'row.creator_id',
    texts: ['row.name', 'row.description', 'row.rendered_description', 'row.settings', 'row.properties'],
  },
  {
    kind: 'groups',
    table: 'user_group',
    account: 'row.creator_id',
    texts: ['row.name', 'row.description', 'row.settings'],
  },
  { kind: 'groupMembers', table: 'user_group_member', account: creatorOfGroup(), texts: [] },
  { kind: 'subgroups', table: 'user_group_subgroup', account: creatorOfGroup(), texts: [] },
  { kind: 'emoji', table: 'custom_emoji', account: 'row.author_id', texts: ['row.name'] },
  {
    kind: 'folders',
    table: 'channel_folder',
    account: 'row.creator_id',
    texts: ['row.name', 'row.description', 'row.rendered_description'],
  },
  shared('defaultGroups', 'default_channel_group', 'name', 'description', 'channel_ids'),
  shared(
    'linkifiers',
    'linkifier',
    ...['pattern', 'url_template', 'example_input', 'reverse_template', 'alternative_url_templates'],
  ),
  shared('playgrounds', 'playground', 'name', 'pygments_language', 'url_template'),
  shared('profileFields', 'profile_field', 'name', 'hint', 'field_data'),
  shared('domains', 'realm_domain', 'domain'),
  shared('settings', 'realm_setting', 'value'),
  ...['invitation', 'invitation_link'].map((table) => ({
    kind: 'invitations',
    table,
    account: 'row.referrer_id',
    texts: ['row.channel_ids', 'row.group_ids', 'row.welcome_text'],
  })),
]

function own(kind: string, table: string, ...texts: string[]): Counted {
  return { kind, table, account: 'row.user_id', texts: texts.map((column) => `row.${column}`) }
}

function shared(kind: string, table: string, ...texts: string[]): Counted {
  return { kind, table, account: '', texts: texts.map((column) => `row.${column}`) }
}

function creatorOfGroup(): string {
  return '(SELECT creator_id FROM user_group WHERE id = row.group_id)'
}

/** Returns the bytes of a counted row; a profile without values is `{}`. */
function bytesOf({ kind, texts }: Counted): string {
  const sum = texts.map((text) => `octet_length(ifnull(${text}, ''))`).join(' + ') || '0'
  return kind === 'profiles' ? `(${sum} - 2)` : `(${sum})`
}

/** -1: a row without the owner that such rows usually have. */
function accountOf({ account }: Counted): string {
  return account === '' ? '0' : `ifnull(${account}, -1)`
}

const CHANGE =
  'ON CONFLICT (kind, account_id) DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes'

function triggersOf(counted: Counted): string[] {
  const { kind, table, count = '1' } = counted
  const name = `${table}_${kind}`
  const account = accountOf(counted)
  const bytes = bytesOf(counted)
  const of = (row: 'OLD' | 'NEW', expression: string) => expression.replaceAll('row.', `${row}.`)
  const columns = [...new Set([account, bytes, count].join(' ').match(/(?<=row\.)\w+/g))]
  const isNothing = (row: 'OLD' | 'NEW') => `${of(row, bytes)} = 0 AND ${of(row, count)} = 0`
  const entry = (row: 'OLD' | 'NEW', sign: '' | '-') =>
    [...new Set(['0', of(row, account)])].map(
      (whose) => `('${kind}', ${whose}, ${sign}${of(row, count)}, ${sign}${of(row, bytes)})`,
    )
  const insert = (entries: readonly string[]) =>
    `INSERT INTO quota_use (kind, account_id, count, bytes) VALUES ${entries.join(', ')} ${CHANGE};`
  return [
    `CREATE TRIGGER ${name}_added AFTER INSERT ON ${table} WHEN NOT (${isNothing('NEW')})
     BEGIN ${insert(entry('NEW', ''))} END`,
    `CREATE TRIGGER ${name}_removed AFTER DELETE ON ${table} WHEN NOT (${isNothing('OLD')})
     BEGIN ${insert(entry('OLD', '-'))} END`,
    ...(columns.length === 0
      ? []
      : [
          `CREATE TRIGGER ${name}_changed AFTER UPDATE OF ${columns.join(', ')} ON ${table}
     WHEN ${of('OLD', account)} <> ${of('NEW', account)}
       OR ${of('OLD', bytes)} <> ${of('NEW', bytes)} OR ${of('OLD', count)} <> ${of('NEW', count)}
     BEGIN ${insert([...entry('OLD', '-'), ...entry('NEW', '')])} END`,
        ]),
  ]
}

/** Kinds that are counted by triggers. */
export const COUNTED_KINDS: readonly string[] = [...new Set(COUNTED.map(({ kind }) => kind))]

export const QUOTA_STATEMENTS: readonly string[] = [
  // account_id: 0 for the organization; -1 for rows without an owner.
  `CREATE TABLE quota_use (
    kind TEXT NOT NULL,
    account_id INTEGER NOT NULL,
    count INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (kind, account_id)
  ) WITHOUT ROWID`,
  `INSERT INTO quota_use (kind, account_id, count, bytes) VALUES ${COUNTED_KINDS.map((kind) => `('${kind}', 0, 0, 0)`).join(', ')}`,
  ...COUNTED.flatMap(triggersOf),
]

/** Returns a query that adds up a kind: rows of `account`, `count` and `bytes`; account 0 is the organization. */
export function recountQuery(wanted: string): string {
  const parts = COUNTED.filter(({ kind }) => kind === wanted).map((counted) => {
    const { table, count = '1' } = counted
    return `SELECT ${accountOf(counted)} AS account, ${count} AS count, ${bytesOf(counted)} AS bytes FROM ${table} row`
  })
  const all = parts.join(' UNION ALL ')
  return `WITH one AS (${all})
    SELECT account, sum(count) AS count, sum(bytes) AS bytes FROM one WHERE account <> 0 GROUP BY account
    UNION ALL SELECT 0, ifnull(sum(count), 0), ifnull(sum(bytes), 0) FROM one`
}
