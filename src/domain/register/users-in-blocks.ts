import type { Block, BlockKind, PartOfBlock } from '../../core/blocks.ts'
import type { Sql } from '../../core/sql.ts'
import { rangesOfUserIds } from '../users/user-rows.ts'

/**
 * Ids of a block: a change of one of these users makes the block anew. Triggers of the schema have the same
 * number.
 */
const USERS_IN_A_BLOCK = 128

interface UserBlocks {
  readonly kind: BlockKind
  readonly family: string
  /** Returns the parts for the users with these ids. */
  make(first: number, last: number): readonly string[]
}

/** Returns the blocks of all users, by id. */
export function usersInBlocks(sql: Sql, { kind, family, make }: UserBlocks): Block[] {
  return rangesOfUserIds(sql, USERS_IN_A_BLOCK).map((number) => ({
    kind,
    number,
    family,
    make: () => make(number * USERS_IN_A_BLOCK, (number + 1) * USERS_IN_A_BLOCK - 1),
  }))
}

export function userBlockOf(id: number): number {
  return Math.floor(id / USERS_IN_A_BLOCK)
}

export function partsOf(blocks: readonly Block[], part: number): PartOfBlock[] {
  return blocks.map((block) => ({ block, part }))
}

/** Returns items as JSON, each with a comma before it. */
export function items(values: readonly (object | number)[]): string {
  return values.map((value) => `,${JSON.stringify(value)}`).join('')
}
