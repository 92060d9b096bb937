import { fromJson, type JsonText } from '../../core/json.ts'
import { readTarEntries } from './tar.ts'

/** Files with messages in an archive (docs/export.md). */
const MESSAGE_FILES = /^export\/messages\/\d+\.json$/

/**
 * Returns a chunk of an archive without these messages, of the same length: spaces at the end of the file
 * fill it up, so that nothing after it moves, nor the parts that are joined already.
 */
export function takeOutMessages(chunk: Uint8Array, gone: ReadonlySet<number>): Uint8Array {
  const changed = chunk.slice()
  for (const { name, start, size } of readTarEntries(chunk)) {
    if (!MESSAGE_FILES.test(name)) continue
    const file = fromJson(
      new TextDecoder().decode(chunk.subarray(start, start + size)) as JsonText<{
        readonly messages: readonly { readonly id: number }[]
      }>,
    )
    const messages = file.messages.filter(({ id }) => !gone.has(id))
    if (messages.length === file.messages.length) continue
    const content = new TextEncoder().encode(JSON.stringify({ messages }, null, 1))
    changed.fill(SPACE, start, start + size)
    changed.set(content, start)
    changed[start + size - 1] = NEW_LINE
  }
  return changed
}

const SPACE = 32
const NEW_LINE = 10
