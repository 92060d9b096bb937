/** Step `client-devices` of the schema. */
export const CLIENT_DEVICE_TABLES: readonly string[] = [
  `CREATE TABLE client_device (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL
  )`,
  `CREATE INDEX client_device_by_user ON client_device (user_id)`,
]
