/** Tables of what an organization sets up for all of its members. A part of step 1 of the schema. */
export const ORGANIZATION_TABLES: readonly string[] = [
  // Deactivated ones stay: reactions still show them. path, still_path: addresses of the images.
  `CREATE TABLE custom_emoji (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    still_path TEXT,
    author_id INTEGER NOT NULL,
    is_deactivated INTEGER NOT NULL DEFAULT 0
  )`,
  `CREATE UNIQUE INDEX custom_emoji_by_name ON custom_emoji (name) WHERE is_deactivated = 0`,
  `CREATE TABLE linkifier (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pattern TEXT NOT NULL,
    url_template TEXT NOT NULL,
    position INTEGER NOT NULL
  )`,
  `CREATE TABLE playground (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    pygments_language TEXT NOT NULL,
    url_template TEXT NOT NULL
  )`,
  // type: domain/profile-fields/field-types.ts; field_data is JSON text, '' where the type has none.
  `CREATE TABLE profile_field (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    hint TEXT NOT NULL,
    field_data TEXT NOT NULL,
    in_summary INTEGER NOT NULL,
    is_required INTEGER NOT NULL,
    editable_by_user INTEGER NOT NULL
  )`,
]
