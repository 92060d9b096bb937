/**
 * Step `realm-uuids` of the schema: each organization has an id that no other has, on any server (RFC 9562, version 4). Before, it was made
 * for the first notification on a device; such an id stays.
 */
export const REALM_UUID_STATEMENTS: readonly string[] = [
  `INSERT OR IGNORE INTO meta (key, value) VALUES ('realm_uuid', lower(
    hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
    substr('89AB', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
  ))`,
]
