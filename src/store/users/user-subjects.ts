/** The subjects of the table of users, for `Sql.about`. */

/** Ids of a block of users: what many see of them is made by the block. */
export const USERS_IN_A_BLOCK = 128

/** Returns the name of what the table of users says about someone. */
export function nameOfAccount(userId: number): string {
  return `account ${userId}`
}

export function blockOfUser(userId: number): number {
  return Math.floor(userId / USERS_IN_A_BLOCK)
}

/** Returns the name of what the table of users says that others see of a user's block. */
export function nameOfBlock(userId: number): string {
  return `block ${blockOfUser(userId)}`
}
