import { log } from '../core/log.ts'

/** Characters of the chunks in which an answer is sent, plus one part of its list. */
const CHUNK = 256_000

/** A list that is still being made: the JSON of some of its items at a time, with commas between them. */
export type ListInParts = AsyncIterable<string>

export function isListInParts(field: [string, unknown]): field is [string, ListInParts] {
  const value = field[1]
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Yields the JSON of an object of which one field is a list that is still being made; that field comes last.
 */
export async function* jsonInChunks(
  object: object,
  name: string,
  list: ListInParts,
): AsyncGenerator<string, string, undefined> {
  const { [name]: _, ...others } = object as Record<string, unknown>
  let text = `${JSON.stringify(others).slice(0, -1)},${JSON.stringify(name)}:[`
  let separator = ''
  for await (const part of list) {
    text += separator + part
    separator = ','
    if (text.length < CHUNK) continue
    yield text
    text = ''
  }
  return `${text}]}`
}

/**
 * Returns the body of a response: a text if the first chunk is the whole, otherwise a stream. Rejects if the
 * first chunk cannot be made. If a later one cannot, the answer breaks off: its status is 200 by then, but
 * the part sent is no valid JSON, whether or not the platform shows that the connection broke.
 */
export async function beginSending(
  chunks: AsyncGenerator<string, string, undefined>,
): Promise<string | ReadableStream<Uint8Array>> {
  const first = await chunks.next()
  if (first.done) return first.value
  const encoder = new TextEncoder()
  let started: IteratorResult<string, string> | undefined = first
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = started ?? (await chunks.next())
        started = undefined
        controller.enqueue(encoder.encode(value))
        if (done) controller.close()
      } catch (error) {
        log('error', 'An answer breaks off', { error })
        controller.error(error)
      }
    },
    async cancel() {
      await chunks.return('')
    },
  })
}
