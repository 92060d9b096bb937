import { ListLater } from '../../core/blocks.ts'
import { LARGE_ANSWERS } from '../../core/budgets.ts'
import { joinedBytes } from '../../core/joined-bytes.ts'
import type { Pause } from '../../core/realm-transaction.ts'
import { JSON_OF_ONE_TURN } from '../../core/turn-budgets.ts'

/** Number of items of a list between two looks at the length: ten of the longest have 1.2 million characters. */
const ITEMS_AT_A_TIME = 10

/** Number of items that are still to be presented from which on that begins in a turn of its own. */
export const WORTH_A_TURN = 200

/** A piece of JSON. `cost`: the characters whose writing takes as long as making it does. */
interface Piece {
  readonly text: string
  readonly cost: number
}

function plain(text: string): Piece {
  return { text, cost: text.length }
}

/** Yields the items of a list as JSON, without its brackets, in pieces: each of one turn, or what is left. */
function* itemsInPieces(list: readonly unknown[] | ListLater): Generator<Piece, void> {
  const { rows, present, characters } = list instanceof ListLater ? list : new ListLater(list, (item) => item)
  let text = ''
  let cost = 0
  for (let at = 0; at < rows.length; at += ITEMS_AT_A_TIME) {
    const some = rows.slice(at, at + ITEMS_AT_A_TIME)
    const items = JSON.stringify(some.map((row) => present(row))).slice(1, -1)
    text += at === 0 ? items : `,${items}`
    cost += items.length + some.length * characters
    if (cost < JSON_OF_ONE_TURN) continue
    yield { text, cost }
    text = ''
    cost = 0
  }
  if (text !== '') yield { text, cost }
}

/**
 * Yields the JSON of a list, or of an object with lists or thousands of fields, in pieces: each of one turn, or what is left. Nobody may
 * change them meanwhile.
 */
export function* jsonInPieces(value: object): Generator<Piece, void> {
  if (isList(value)) {
    yield plain('[')
    yield* itemsInPieces(value)
    yield plain(']')
    return
  }
  let text = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    if (!isList(field)) {
      text += JSON.stringify(field)
      if (text.length < JSON_OF_ONE_TURN) continue
      yield plain(text)
      text = ''
      continue
    }
    yield plain(`${text}[`)
    yield* itemsInPieces(field)
    text = ']'
  }
  yield plain(`${text}}`)
}

function isList(value: unknown): value is readonly unknown[] | ListLater {
  return Array.isArray(value) || value instanceof ListLater
}

/**
 * Returns an object as the bytes of its JSON. What its lists contain is written in several turns if it is long, so nobody may change
 * that meanwhile.
 */
export async function jsonInTurns(value: object, pause: Pause): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const written: Uint8Array[] = []
  let text = ''
  let spent = 0
  let comma = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    text += `${comma}${JSON.stringify(name)}:`
    comma = ','
    if (!isList(field)) {
      text += JSON.stringify(field)
      continue
    }
    text += '['
    // The turn has read all rows of a list that is still to be presented.
    if (field instanceof ListLater && field.rows.length >= WORTH_A_TURN) await pause(LARGE_ANSWERS.pauseMs)
    for (const piece of itemsInPieces(field)) {
      text += piece.text
      spent += piece.cost
      if (spent < JSON_OF_ONE_TURN) continue
      written.push(encoder.encode(text))
      text = ''
      spent = 0
      await pause(LARGE_ANSWERS.pauseMs)
    }
    text += ']'
  }
  written.push(encoder.encode(comma === ',' ? `${text}}` : '{}'))
  return written.length === 1 ? written[0]! : joinedBytes(written)
}
