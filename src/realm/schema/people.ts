/** Tables of the realm’s own values, of accounts and of user groups. A part of step 1 of the schema. */
export const PEOPLE_TABLES: readonly string[] = [
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
  // A mention names its user: without this, every text with one would read all users.
  `CREATE INDEX user_by_name ON user (lower(full_name))`,
  // Former roles of users: events are filtered by the role at their time.
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
]
