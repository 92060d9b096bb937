/** Step `replaced-settings`: what the organization's settings were before an import, which undoing it brings back. */
export const REPLACED_SETTINGS: readonly string[] = [
  // name: of the setting, or `user_settings_defaults.` and the name of a default. former, written: JSON. former: null if the organization had
  // not changed the setting; written: what the import has made of it.
  `CREATE TABLE replaced_setting (
    import_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    former TEXT,
    written TEXT NOT NULL,
    PRIMARY KEY (import_id, name)
  ) WITHOUT ROWID`,
]
