import { ListLater } from '../../core/blocks.ts'
import { LARGE_ANSWERS } from '../../core/budgets.ts'
import { joinedBytes } from '../../core/joined-bytes.ts'
import { JSON_OF_ONE_TURN } from '../../core/turn-budgets.ts'

/** Number of items of a list between two looks at the length: ten of the longest have 1.2 million characters. */
const ITEMS_AT_A_TIME = 10

/** Yields the items of a list as JSON, without its brackets, in pieces: each of one turn, or what is left. */
function* itemsInPieces(list: readonly unknown[] | ListLater): Generator<string, void> {
  const { rows, present } = list instanceof ListLater ? list : new ListLater(list, (item) => item)
  let text = ''
  for (let at = 0; at < rows.length; at += ITEMS_AT_A_TIME) {
    const some = rows.slice(at, at + ITEMS_AT_A_TIME)
    const items = JSON.stringify(some.map((row) => present(row))).slice(1, -1)
    text += at === 0 ? items : `,${items}`
    if (text.length < JSON_OF_ONE_TURN) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/**
 * Yields the JSON of a list, or of an object with lists or thousands of fields, in pieces: each of one turn, or what is left. Nobody may
 * change them meanwhile.
 */
export function* jsonInPieces(value: object): Generator<string, void> {
  if (isList(value)) {
    yield '['
    yield* itemsInPieces(value)
    yield ']'
    return
  }
  let text = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`
    if (!isList(field)) {
      text += JSON.stringify(field)
      if (text.length < JSON_OF_ONE_TURN) continue
      yield text
      text = ''
      continue
    }
    yield `${text}[`
    yield* itemsInPieces(field)
    text = ']'
  }
  yield `${text}}`
}

function isList(value: unknown): value is readonly unknown[] | ListLater {
  return Array.isArray(value) || value instanceof ListLater
}

/**
 * Returns an object as the bytes of its JSON. What its lists contain is written in several turns if it is long, so nobody may change
 * that meanwhile.
 */
export async function jsonInTurns(value: object): Promise<Uint8Array> {
  const encoder = new TextEncoder()
  const written: Uint8Array[] = []
  let text = ''
  let comma = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    text += `${comma}${JSON.stringify(name)}:`
    comma = ','
    if (!Array.isArray(field)) {
      text += JSON.stringify(field)
      continue
    }
    text += '['
    for (const piece of itemsInPieces(field)) {
      text += piece
      if (text.length < JSON_OF_ONE_TURN) continue
      written.push(encoder.encode(text))
      text = ''
      await scheduler.wait(LARGE_ANSWERS.pauseMs)
    }
    text += ']'
  }
  written.push(encoder.encode(comma === ',' ? `${text}}` : '{}'))
  return written.length === 1 ? written[0]! : joinedBytes(written)
}
