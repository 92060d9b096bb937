import { Hash, Hmac } from 'node:crypto'

type Method = (...args: never[]) => unknown

/** What reads or writes text, with the length of what one call takes: characters, or bytes. */
const READERS: readonly (readonly [
  owner: object,
  name: string | symbol,
  length: (self: unknown, args: unknown[], result: unknown) => number,
])[] = [
  [JSON, 'parse', (_, [text]) => lengthOf(text)],
  [JSON, 'stringify', (_, _args, text) => lengthOf(text)],
  [TextDecoder.prototype, 'decode', (_, [bytes]) => lengthOf(bytes)],
  [Hash.prototype, 'update', (_, [data]) => lengthOf(data)],
  [Hmac.prototype, 'update', (_, [data]) => lengthOf(data)],
  [URLSearchParams.prototype, Symbol.iterator, (params) => lengthOf(String(params))],
  ...['split', 'replace', 'replaceAll', 'normalize', 'toWellFormed', 'toLowerCase', 'trim', 'match'].map(
    (name) => [String.prototype, name, (text: unknown) => lengthOf(text)] as const,
  ),
]

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? value.byteLength : 0
}

/**
 * Asks, and returns how many characters and bytes were decoded, parsed, written, hashed or searched meanwhile, in the Worker and in the
 * objects: each as often as it was.
 */
export async function countReading<Answer>(
  ask: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly read: number }> {
  let read = 0
  const undo: (() => void)[] = []
  const put = (owner: object, name: string | symbol, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(owner, name)
    Object.defineProperty(owner, name, { configurable: true, writable: true, value })
    undo.push(() => {
      if (before) Object.defineProperty(owner, name, before)
      else Reflect.deleteProperty(owner, name)
    })
  }
  for (const [owner, name, length] of READERS) {
    const original = Reflect.get(owner, name) as Method
    put(owner, name, function counted(this: unknown, ...args: unknown[]) {
      const result = Reflect.apply(original, this, args)
      read += length(this, args, result)
      return result
    })
  }
  const { formData } = Response.prototype
  put(Response.prototype, 'formData', async function counted(this: Response) {
    const bytes = await this.clone().arrayBuffer()
    read += bytes.byteLength
    return Reflect.apply(formData, this, [])
  })
  try {
    const answer = await ask()
    return { answer, read }
  } finally {
    for (const back of undo.reverse()) back()
  }
}
