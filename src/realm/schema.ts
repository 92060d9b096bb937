import { CONFIRMATION_TABLES } from './schema-confirmations.ts'
import { FILE_TABLES } from './schema-files.ts'
import { ORGANIZATION_TABLES } from './schema-organization.ts'
import { PUSH_TABLES } from './schema-push.ts'

/**
 * The realm object's SQLite schema: an append-only list of steps. A step is never edited once it has
 * been released; the object applies those it has not seen when it starts, and the list checks itself.
 *
 * Ids of rows that clients see rise and are never reused (AUTOINCREMENT, or a counter in `meta`).
 * Each secondary index is one more row written, and billed, for every insert: think before adding one.
 */
export interface SchemaStep {
  /** Position in the list, from 1. */
  readonly version: number
  readonly name: string
  readonly statements: readonly string[]
}

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    version: 1,
    name: 'first-conversation',
    statements: [
      // Single values: identity, counters, cursors.
      `CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY) WITHOUT ROWID`,
      // Organization properties and permission settings that differ from their default; value is JSON.
      `CREATE TABLE realm_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,

      `CREATE TABLE user (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        delivery_email TEXT NOT NULL,
        full_name TEXT NOT NULL,
        role INTEGER NOT NULL,
        role_since_event INTEGER NOT NULL DEFAULT 0,
        is_active INTEGER NOT NULL DEFAULT 1,
        bot_type INTEGER,
        bot_owner_id INTEGER,
        is_system_bot INTEGER NOT NULL DEFAULT 0,
        can_create_users INTEGER NOT NULL DEFAULT 0,
        can_change_emails INTEGER NOT NULL DEFAULT 0,
        joined_at INTEGER NOT NULL,
        timezone TEXT NOT NULL DEFAULT '',
        avatar_source TEXT NOT NULL DEFAULT 'G',
        avatar_version INTEGER NOT NULL DEFAULT 1,
        avatar_path TEXT,
        api_key TEXT NOT NULL,
        password_hash TEXT,
        settings TEXT NOT NULL DEFAULT '{}',
        profile_data TEXT NOT NULL DEFAULT '{}',
        read_floor INTEGER NOT NULL DEFAULT 0
      )`,
      `CREATE UNIQUE INDEX user_by_email ON user (lower(delivery_email))`,
      // A mention names its user: without this, every text with one would read them all.
      `CREATE INDEX user_by_name ON user (lower(full_name))`,
      // Roles a user had before: events are shown by the role at the time they happened.
      `CREATE TABLE role_period (
        user_id INTEGER NOT NULL, until_event INTEGER NOT NULL, role INTEGER NOT NULL,
        PRIMARY KEY (user_id, until_event)
      ) WITHOUT ROWID`,

      // The eight system groups have ids 1 to 8; their members follow from roles and are not stored.
      `CREATE TABLE user_group (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        creator_id INTEGER,
        created_at INTEGER,
        deactivated INTEGER NOT NULL DEFAULT 0,
        settings TEXT NOT NULL DEFAULT '{}'
      )`,
      `CREATE UNIQUE INDEX user_group_by_name ON user_group (name)`,
      `CREATE TABLE user_group_member (
        group_id INTEGER NOT NULL, user_id INTEGER NOT NULL, PRIMARY KEY (group_id, user_id)
      ) WITHOUT ROWID`,
      `CREATE INDEX user_group_member_by_user ON user_group_member (user_id)`,
      `CREATE TABLE user_group_subgroup (
        group_id INTEGER NOT NULL, subgroup_id INTEGER NOT NULL, PRIMARY KEY (group_id, subgroup_id)
      ) WITHOUT ROWID`,
      `CREATE INDEX user_group_subgroup_by_subgroup ON user_group_subgroup (subgroup_id)`,

      `CREATE TABLE channel (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        description TEXT NOT NULL DEFAULT '',
        rendered_description TEXT NOT NULL DEFAULT '',
        created_at INTEGER NOT NULL,
        creator_id INTEGER,
        is_private INTEGER NOT NULL DEFAULT 0,
        is_web_public INTEGER NOT NULL DEFAULT 0,
        history_public INTEGER NOT NULL DEFAULT 1,
        is_archived INTEGER NOT NULL DEFAULT 0,
        is_default INTEGER NOT NULL DEFAULT 0,
        first_message_id INTEGER,
        retention_days INTEGER,
        topics_policy TEXT NOT NULL DEFAULT 'inherit',
        folder_id INTEGER,
        settings TEXT NOT NULL DEFAULT '{}',
        is_recently_active INTEGER NOT NULL DEFAULT 1,
        weekly_traffic INTEGER
      )`,
      `CREATE UNIQUE INDEX channel_by_name ON channel (name_key)`,
      `CREATE TABLE default_channel_group (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL,
        channel_ids TEXT NOT NULL
      )`,
      `CREATE TABLE channel_folder (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        description TEXT NOT NULL,
        rendered_description TEXT NOT NULL,
        position INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        creator_id INTEGER,
        is_archived INTEGER NOT NULL DEFAULT 0
      )`,
      // The row stays when somebody leaves, with the personal settings; *_since start the present period.
      `CREATE TABLE subscription (
        channel_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        is_active INTEGER NOT NULL,
        since_event INTEGER NOT NULL,
        since_message INTEGER NOT NULL,
        color TEXT NOT NULL,
        is_muted INTEGER NOT NULL DEFAULT 0,
        pin_to_top INTEGER NOT NULL DEFAULT 0,
        desktop_notifications INTEGER,
        audible_notifications INTEGER,
        push_notifications INTEGER,
        email_notifications INTEGER,
        wildcard_mentions_notify INTEGER,
        PRIMARY KEY (channel_id, user_id)
      ) WITHOUT ROWID`,
      `CREATE INDEX subscription_by_user ON subscription (user_id, is_active)`,
      // Periods that have ended, for events and receipts of that time: (since, until].
      `CREATE TABLE subscription_period (
        user_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        since_event INTEGER NOT NULL,
        until_event INTEGER NOT NULL,
        since_message INTEGER NOT NULL,
        until_message INTEGER NOT NULL,
        PRIMARY KEY (user_id, channel_id, since_event, until_event)
      ) WITHOUT ROWID`,

      `CREATE TABLE topic (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        channel_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL
      )`,
      `CREATE UNIQUE INDEX topic_by_name ON topic (channel_id, name_key)`,
      // A direct conversation is the set of its participants: ascending ids, comma-joined.
      `CREATE TABLE conversation (id INTEGER PRIMARY KEY AUTOINCREMENT, members TEXT NOT NULL UNIQUE)`,
      `CREATE TABLE conversation_member (
        user_id INTEGER NOT NULL, conversation_id INTEGER NOT NULL, PRIMARY KEY (user_id, conversation_id)
      ) WITHOUT ROWID`,
      // Names of sending clients.
      `CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)`,

      // The message index (DESIGN 4). recipient_id: see core/recipient-id.ts; topic_id is 0 in a direct
      // conversation; bits: domain/messages/message-bits.ts; version counts content edits.
      `CREATE TABLE message_index (
        id INTEGER PRIMARY KEY,
        recipient_id INTEGER NOT NULL,
        topic_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        client_id INTEGER NOT NULL,
        sent_at INTEGER NOT NULL,
        bits INTEGER NOT NULL,
        version INTEGER NOT NULL DEFAULT 0,
        edited_at INTEGER,
        moved_at INTEGER,
        -- The last of its moves, in message_move; most messages have none.
        move_id INTEGER,
        send_key TEXT
      )`,
      `CREATE INDEX message_by_recipient ON message_index (recipient_id)`,
      `CREATE INDEX message_by_topic ON message_index (topic_id) WHERE topic_id > 0`,
      // Wildcard mentions are a bit of the message; without this, finding one's mentions reads all messages.
      `CREATE INDEX message_by_wildcard ON message_index (id) WHERE (bits & 32) != 0`,
      // Moves to another topic or channel: a row for each group of messages that were moved together and
      // have had the same moves before (previous_id). runs: only for moves between channels, see
      // domain/messages/message-move-rows.ts.
      `CREATE TABLE message_move (
        id INTEGER PRIMARY KEY,
        previous_id INTEGER,
        user_id INTEGER NOT NULL,
        at INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        prev_topic TEXT,
        topic TEXT,
        prev_channel_id INTEGER,
        channel_id INTEGER,
        subscribers_received INTEGER NOT NULL DEFAULT 0,
        runs TEXT
      )`,
      `CREATE INDEX message_move_by_channel ON message_move (channel_id) WHERE runs IS NOT NULL`,
      // Messages to be sent later, by due job. Failed ones wait for their author; of sent ones the id remains.
      `CREATE TABLE scheduled_message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        destination TEXT NOT NULL,
        content TEXT NOT NULL,
        rendered_content TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        client TEXT NOT NULL,
        origin TEXT NOT NULL,
        read_by_sender INTEGER NOT NULL
      )`,
      `CREATE INDEX scheduled_message_by_user ON scheduled_message (user_id) WHERE state <> 'sent'`,
      // Only sends that carry a key pay for this one.
      `CREATE INDEX message_by_send_key ON message_index (send_key) WHERE send_key IS NOT NULL`,
      // Sparse personal flags: what cannot be derived from periods and read ranges.
      `CREATE TABLE message_flag (
        user_id INTEGER NOT NULL, message_id INTEGER NOT NULL, bits INTEGER NOT NULL,
        PRIMARY KEY (user_id, message_id)
      ) WITHOUT ROWID`,
      `CREATE INDEX message_flag_by_message ON message_flag (message_id)`,
      // Read ids above user.read_floor: one bit an id, 4,096 ids a block.
      `CREATE TABLE read_block (
        user_id INTEGER NOT NULL, block INTEGER NOT NULL, ids BLOB NOT NULL, PRIMARY KEY (user_id, block)
      ) WITHOUT ROWID`,
      `CREATE TABLE reaction (
        message_id INTEGER NOT NULL,
        reaction_type TEXT NOT NULL,
        emoji_code TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        emoji_name TEXT NOT NULL,
        seq INTEGER NOT NULL,
        PRIMARY KEY (message_id, reaction_type, emoji_code, user_id)
      ) WITHOUT ROWID`,

      // The log (DESIGN 3): event ids rise and are never reused; the newest row is never trimmed.
      `CREATE TABLE log (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        audience TEXT,
        event TEXT,
        writes TEXT
      )`,
      // A queue is a cursor on the log, not a copy. acked and seen_at are saved coarsely.
      `CREATE TABLE queue (
        id TEXT PRIMARY KEY,
        user_id INTEGER NOT NULL,
        start_event INTEGER NOT NULL,
        acked_event INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        lifespan INTEGER NOT NULL,
        options TEXT NOT NULL
      ) WITHOUT ROWID`,
      `CREATE TABLE job (
        kind TEXT NOT NULL, key TEXT NOT NULL, due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (kind, key)
      ) WITHOUT ROWID`,
      // Presence, packed: JSON list of [user id, active at | null, connected at, update id] for 256 users a
      // row; saved lazily (domain/presence/presence-memory.ts).
      `CREATE TABLE presence_block (block INTEGER PRIMARY KEY, entries TEXT NOT NULL)`,

      // Personal: what users have set for topics, of themselves, and against each other.
      `CREATE TABLE user_topic (
        user_id INTEGER NOT NULL,
        channel_id INTEGER NOT NULL,
        name_key TEXT NOT NULL,
        name TEXT NOT NULL,
        policy INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, channel_id, name_key)
      ) WITHOUT ROWID`,
      // Moves and mentions ask who has set something for a topic.
      `CREATE INDEX user_topic_by_topic ON user_topic (channel_id, name_key)`,
      `CREATE TABLE user_status (
        user_id INTEGER PRIMARY KEY,
        status_text TEXT NOT NULL,
        emoji_name TEXT NOT NULL,
        emoji_code TEXT NOT NULL,
        reaction_type TEXT NOT NULL
      )`,
      `CREATE TABLE muted_user (
        user_id INTEGER NOT NULL,
        muted_user_id INTEGER NOT NULL,
        muted_at INTEGER NOT NULL,
        PRIMARY KEY (user_id, muted_user_id)
      ) WITHOUT ROWID`,
      `CREATE INDEX muted_user_by_muted ON muted_user (muted_user_id)`,
      `CREATE TABLE alert_word (
        user_id INTEGER NOT NULL,
        word_key TEXT NOT NULL,
        word TEXT NOT NULL,
        PRIMARY KEY (user_id, word_key)
      ) WITHOUT ROWID`,
      `CREATE TABLE saved_snippet (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        title TEXT NOT NULL,
        content TEXT NOT NULL,
        created_at INTEGER NOT NULL
      )`,
      `CREATE INDEX saved_snippet_by_user ON saved_snippet (user_id)`,
      // recipients: JSON list of ids, of a channel or of people; edited_at: UNIX seconds with microseconds.
      `CREATE TABLE draft (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        type TEXT NOT NULL,
        recipients TEXT NOT NULL,
        topic TEXT NOT NULL,
        content TEXT NOT NULL,
        edited_at REAL NOT NULL
      )`,
      `CREATE INDEX draft_by_user ON draft (user_id)`,

      // Invitations by e-mail and links that anybody may use: two number spaces, one shape. lists are JSON.
      ...['invitation', 'invitation_link'].map(
        (table) => `CREATE TABLE ${table} (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          secret TEXT NOT NULL UNIQUE,
          email TEXT,
          referrer_id INTEGER NOT NULL,
          invited_at INTEGER NOT NULL,
          expires_at INTEGER,
          invite_as INTEGER NOT NULL,
          notifies_referrer INTEGER NOT NULL,
          channel_ids TEXT NOT NULL,
          group_ids TEXT NOT NULL,
          joins_default_channels INTEGER NOT NULL,
          welcome_text TEXT,
          origin TEXT NOT NULL,
          state TEXT NOT NULL DEFAULT 'pending'
        )`,
      ),
      // Where accounts may have their address while emails_restricted_to_domains is on.
      `CREATE TABLE realm_domain (
        domain TEXT PRIMARY KEY, allows_subdomains INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID`,
      // Mail that is still to be handed over; in local development it stays, to be looked at.
      `CREATE TABLE email (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        recipient TEXT NOT NULL,
        subject TEXT NOT NULL,
        body TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        sent_at INTEGER
      )`,
      // What a bot's owner set for it, beside the account; bots without anything of the kind have no row.
      // service_*: of an outgoing webhook. warned_at: when the owner was last told of a failure.
      `CREATE TABLE bot_setting (
        user_id INTEGER PRIMARY KEY,
        sending_channel_id INTEGER,
        events_channel_id INTEGER,
        all_public_channels INTEGER NOT NULL DEFAULT 0,
        service_name TEXT,
        service_url TEXT,
        service_interface INTEGER,
        service_token TEXT,
        warned_at INTEGER
      )`,
      `CREATE TABLE bot_storage (
        user_id INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, key)
      ) WITHOUT ROWID`,
      // Messages that an outgoing webhook is still to be told of; message: JSON, as it was when it was sent.
      `CREATE TABLE webhook_call (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        bot_id INTEGER NOT NULL,
        cause TEXT NOT NULL,
        message TEXT NOT NULL,
        origin TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0
      )`,
      // What has been done to polls and to-do lists, in order; message_index.bits says which have any.
      `CREATE TABLE submessage (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id INTEGER NOT NULL,
        sender_id INTEGER NOT NULL,
        msg_type TEXT NOT NULL,
        content TEXT NOT NULL
      )`,
      `CREATE INDEX submessage_by_message ON submessage (message_id)`,
      `CREATE TABLE reminder (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        message_id INTEGER NOT NULL,
        content TEXT NOT NULL,
        rendered_content TEXT NOT NULL,
        origin TEXT NOT NULL,
        due_at INTEGER NOT NULL
      )`,
      `CREATE INDEX reminder_by_user ON reminder (user_id)`,
      `CREATE TABLE navigation_view (
        user_id INTEGER NOT NULL,
        fragment TEXT NOT NULL,
        is_pinned INTEGER NOT NULL,
        name TEXT,
        PRIMARY KEY (user_id, fragment)
      ) WITHOUT ROWID`,
      // Hints that a user has seen.
      `CREATE TABLE onboarding_step (
        user_id INTEGER NOT NULL, step TEXT NOT NULL, PRIMARY KEY (user_id, step)
      ) WITHOUT ROWID`,
      // Failures of authentication: kept in storage so that an eviction does not give new attempts.
      `CREATE TABLE login_failure (username TEXT NOT NULL, at INTEGER NOT NULL)`,
      `CREATE INDEX login_failure_by_username ON login_failure (username, at)`,
      ...CONFIRMATION_TABLES,
      ...FILE_TABLES,
      ...ORGANIZATION_TABLES,
      ...PUSH_TABLES,
    ],
  },
]

/** Throws when the list itself is wrong, so that a bad edit fails every test rather than one realm. */
export function checkSchemaSteps(steps: readonly SchemaStep[] = SCHEMA_STEPS): void {
  steps.forEach((step, index) => {
    if (step.version !== index + 1) throw new Error(`Schema step ${step.name} must have version ${index + 1}`)
    if (step.statements.length === 0) throw new Error(`Schema step ${step.name} is empty`)
  })
}

/**
 * Brings the database up to date. Must run where nothing else can (the constructor's
 * `blockConcurrencyWhile`), inside one transaction.
 *
 * @throws when the database was written by a newer Parley: going on would harm it.
 */
export function upgradeSchema(sql: SqlStorage): void {
  checkSchemaSteps()
  sql.exec(
    `CREATE TABLE IF NOT EXISTS schema_step (version INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL)`,
  )
  const applied = sql
    .exec<{ version: number; name: string; digest: string }>(
      `SELECT version, name, digest FROM schema_step ORDER BY version`,
    )
    .toArray()
  if (applied.length > SCHEMA_STEPS.length) {
    throw new Error(`The database has schema ${applied.length}, this server knows ${SCHEMA_STEPS.length}`)
  }
  for (const step of SCHEMA_STEPS) {
    const before = applied[step.version - 1]
    const digest = digestOf(step)
    if (before) {
      if (before.digest !== digest) throw new Error(`Schema step ${step.version} (${step.name}) was edited`)
      continue
    }
    for (const statement of step.statements) sql.exec(statement)
    sql.exec(`INSERT INTO schema_step VALUES (?, ?, ?)`, step.version, step.name, digest)
  }
}

/** FNV-1a over the step's text: enough to notice an edit, and synchronous. */
function digestOf(step: SchemaStep): string {
  let hash = 0x811c9dc5
  for (const char of [step.name, ...step.statements].join('\n')) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
