import type { Sql } from '../../core/sql.ts'

/**
 * Devices on which users are logged in, as the devices themselves registered. The table `client_device` is
 * owned by this file.
 */

/** Ids of a user's devices, oldest first. */
export function listClientDevices(sql: Sql, userId: number): number[] {
  return sql
    .all<{ id: number }>(`SELECT id FROM client_device WHERE user_id = ? ORDER BY id`, userId)
    .map(({ id }) => id)
}

/** The new device's id: never one that was there before. */
export function insertClientDevice(sql: Sql, userId: number): number {
  return sql.first<{ id: number }>(`INSERT INTO client_device (user_id) VALUES (?) RETURNING id`, userId)!.id
}

/** Only the user's own; false when there is none of this id. */
export function deleteClientDevice(sql: Sql, userId: number, id: number): boolean {
  return (
    sql.first(`DELETE FROM client_device WHERE id = ? AND user_id = ? RETURNING id`, id, userId) !== undefined
  )
}

export function deleteClientDevicesOf(sql: Sql, userId: number): void {
  sql.run(`DELETE FROM client_device WHERE user_id = ?`, userId)
}
