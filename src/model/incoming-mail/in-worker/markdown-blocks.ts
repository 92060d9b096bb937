import type { BlockTextBuilder, DomNode, Formatter } from 'html-to-text'
import { childrenOf, inOneLine, isElement, textOf } from './elements.ts'

/** Formats a heading as one, in one line. */
export const heading: Formatter = (element, walk, builder) => {
  if (inOneLine(textOf(element)) === '') return
  const level = Number(element.name!.slice(1))
  builder.openBlock({ leadingLineBreaks: 2 })
  walk(childrenOf(element), builder)
  const blockTransform = (text: string) => `${'#'.repeat(level)} ${inOneLine(text)}`
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform })
}

/** Words of programs of mail, which some put into `pre`: a quotation, a signature. */
const PROSE = /\bmoz-(?:quote-pre|signature)\b/

/** Formats preformatted text as code. */
export const preformatted: Formatter = (element, walk, builder) => {
  const text = textOf(element)
    .replace(/^\r?\n/, '')
    .trimEnd()
  if (text === '') return
  builder.openBlock({ leadingLineBreaks: 2, isPre: true })
  if (PROSE.test(element.attribs?.class ?? '')) walk(childrenOf(element), builder)
  else {
    const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
    builder.addLiteral(`${fence}\n${text}\n${fence}`)
  }
  builder.closeBlock({ trailingLineBreaks: 2 })
}

/** Formats code within a line. */
export const code: Formatter = (element, _walk, builder) => {
  const text = inOneLine(textOf(element))
  if (text === '') return
  const mark = '`'.repeat(longestRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  builder.addInline(mark + space + text + space + mark, { noWordTransform: true })
}

/** Returns the length of the longest run of backticks. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}

type Walk = Parameters<Formatter>[1]

/** Formats a list: lists within its items, or beside them as some programs write them, are indented. */
export const list: Formatter = (element, walk, builder) => {
  const first = Number(element.attribs?.start ?? 1)
  let number = Number.isSafeInteger(first) && first >= 0 ? first : 1
  const items = childrenOf(element)
    .filter((child) => child.name !== undefined || inOneLine(textOf(child)) !== '')
    .map((node) => {
      const mark = element.name === 'ol' ? `${number}. ` : '* '
      if (isElement(node, 'li')) number += 1
      return { node, prefix: isElement(node, 'li') ? mark : '' }
    })
  writeList(items, isNested(element), walk, builder)
}

/** Formats a list of definitions: each term an item, and what it means a list within it. */
export const definitions: Formatter = (element, walk, builder) => {
  const items: { node: DomNode; prefix: string; inner: Item[] }[] = []
  for (const node of itemsOf(element)) {
    const item = { node, prefix: '* ', inner: [] }
    if (isElement(node, 'dd') && items.length > 0) items.at(-1)!.inner.push(item)
    else items.push(item)
  }
  writeList(items, isNested(element), walk, builder)
}

/** Terms and meanings may be grouped by a `div`. */
function itemsOf(element: DomNode): readonly DomNode[] {
  return childrenOf(element).flatMap((child) => {
    if (isElement(child, 'div')) return itemsOf(child)
    return child.name !== undefined || inOneLine(textOf(child)) !== '' ? [child] : []
  })
}

function isNested({ parent }: DomNode): boolean {
  return parent != null && isElement(parent, 'li', 'ul', 'ol', 'dd')
}

interface Item {
  readonly node: DomNode
  readonly prefix: string
  /** The items of a list within this one. */
  readonly inner?: readonly Item[]
}

function writeList(items: readonly Item[], isInner: boolean, walk: Walk, builder: BlockTextBuilder): void {
  if (items.length === 0) return
  const maxPrefixLength = Math.max(...items.map(({ prefix }) => prefix.length))
  builder.openList({ interRowLineBreaks: 1, leadingLineBreaks: isInner ? 1 : 2, maxPrefixLength })
  for (const { node, prefix, inner = [] } of items) {
    builder.openListItem({ prefix })
    walk([node], builder)
    writeList(inner, true, walk, builder)
    builder.closeListItem()
  }
  builder.closeList({ trailingLineBreaks: isInner ? 1 : 2 })
}
