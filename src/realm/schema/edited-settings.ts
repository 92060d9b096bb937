/** Step `edited-settings` of the schema. */
export const EDITED_SETTING_STATEMENTS: readonly string[] = [
  // Names of the settings that the user has changed, as JSON; not those that an administrator has changed for them.
  `ALTER TABLE user ADD COLUMN edited_settings TEXT NOT NULL DEFAULT '[]'`,
  // What is stored of an account may come from the defaults of its time. It counts as the user's own, which nobody overrides by mistake.
  `UPDATE user SET edited_settings = (SELECT json_group_array(key) FROM json_each(user.settings)) WHERE settings <> '{}'`,
]
