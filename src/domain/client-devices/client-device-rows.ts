import type { Sql, WritableSql } from '../../core/sql.ts'

/**
 * Devices on which users are logged in, as the devices have registered themselves. The table `client_device`
 * is owned by this file.
 */

/** Returns ids of a user's devices, oldest first. */
export function listClientDevices(sql: Sql, userId: number): number[] {
  return sql
    .all<{ id: number }>(`SELECT id FROM client_device WHERE user_id = ? ORDER BY id`, userId)
    .map(({ id }) => id)
}

/** Inserts a device and returns its id, which no device had before. */
export function insertClientDevice(sql: WritableSql, userId: number): number {
  return sql.runForFirst<{ id: number }>(
    `INSERT INTO client_device (user_id) VALUES (?) RETURNING id`,
    userId,
  )!.id
}

/** Deletes a device of the user; false when the user has none with this id. */
export function deleteClientDevice(sql: WritableSql, userId: number, id: number): boolean {
  return (
    sql.runForFirst(`DELETE FROM client_device WHERE id = ? AND user_id = ? RETURNING id`, id, userId) !==
    undefined
  )
}

export function deleteClientDevicesOf(sql: WritableSql, userId: number): void {
  sql.run(`DELETE FROM client_device WHERE user_id = ?`, userId)
}
