import { firstPoints, isLongerThan } from '../core/text-length.ts'

const INDENT = '  '

/**
 * Returns a value as JSON, as `JSON.stringify(value, null, 2)` writes it, cut to a limit in code points. No more than that is written,
 * however large the value is: that of five megabytes may have gigabytes of indentation.
 * @param value of JSON, nested at most a few hundred levels deep.
 */
export function shortJson(
  value: unknown,
  longest: number,
): { readonly text: string; readonly isCut: boolean } {
  const written = new ShortText(2 * longest)
  write(value, '', written)
  const isCut = written.isFull || isLongerThan(written.text, longest)
  return { text: isCut ? firstPoints(written.text, longest) : written.text, isCut }
}

/** A text that takes no more once it is longer than its limit, in UTF-16 units. */
class ShortText {
  text = ''
  readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get isFull(): boolean {
    return this.text.length > this.limit
  }

  add(piece: string): void {
    if (!this.isFull) this.text += piece
  }
}

function write(value: unknown, indent: string, to: ShortText): void {
  if (to.isFull) return
  if (typeof value === 'string') to.add(quoted(value, to))
  else if (typeof value !== 'object' || value === null) to.add(JSON.stringify(value))
  else if (Array.isArray(value))
    writeAll('[', ']', value, indent, to, (item, inner) => write(item, inner, to))
  else {
    const object = value as Readonly<Record<string, unknown>>
    writeAll('{', '}', Object.keys(object), indent, to, (key, inner) => {
      to.add(`${quoted(key, to)}: `)
      write(object[key], inner, to)
    })
  }
}

function writeAll<Item>(
  open: string,
  close: string,
  items: readonly Item[],
  indent: string,
  to: ShortText,
  writeOne: (item: Item, indent: string) => void,
): void {
  if (items.length === 0) {
    to.add(`${open}${close}`)
    return
  }
  const inner = indent + INDENT
  to.add(open)
  for (const [at, item] of items.entries()) {
    if (to.isFull) return
    to.add(`${at === 0 ? '' : ','}\n${inner}`)
    writeOne(item, inner)
  }
  to.add(`\n${indent}${close}`)
}

/** Returns a text with its quotes. What is left out of a long one would be beyond the limit anyway. */
function quoted(text: string, { limit }: ShortText): string {
  return JSON.stringify(text.length > limit ? text.slice(0, limit + 1) : text)
}
