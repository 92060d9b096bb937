import type { User } from '../../../store/users/user-rows.ts'

/**
 * Returns the time at which a user joined, to the minute: `2019-10-20T07:50+00:00`
 * (docs/interface/users.md#the-user-object).
 */
export function dateJoined(user: Pick<User, 'joinedAt'>): string {
  return `${new Date(user.joinedAt * 1_000).toISOString().slice(0, 16)}+00:00`
}
