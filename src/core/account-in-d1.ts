/** An account as D1 has it (migrations/0002-account.sql). */
export type AccountRow = readonly [
  userId: number,
  fullName: string,
  role: number,
  kind: string,
  isActive: number,
  joinedAt: number,
  ofEmail: string | null,
  ofKey: string,
]

/** An account in D1: its row, and the day on which it was last active. */
export interface AccountInD1 {
  readonly row: AccountRow
  readonly lastActiveOn: string | null
}
