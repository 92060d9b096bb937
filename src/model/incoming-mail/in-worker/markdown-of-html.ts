import { type BlockTextBuilder, compile, type DomNode, type Formatter } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { childrenOf, findInside, hasBlock, inOneLine, isElement, table, textOf } from './markdown-table.ts'

/** Limit of the HTML of a mail that is read, in UTF-16 units. */
const MAX_HTML_LENGTH = 200_000
/** Limit of open elements, more than any program's mail has: the library looks through them at each tag. */
const MAX_OPEN = 500
/** Formats emphasis, if it has content. */
const emphasis =
  (mark: string): Formatter =>
  (element, walk, builder) => {
    if (childrenOf(element).length === 0) return
    builder.addInline(mark, { noWordTransform: true })
    walk(childrenOf(element), builder)
    builder.addInline(mark, { noWordTransform: true })
  }

const IMAGE: ReadonlySet<string> = new Set(['img'])

/**
 * Formats a link. The address is left out where it leads into the mail itself, and the text where it equals the
 * address. A link around a picture gets the picture's words.
 */
const link: Formatter = (element, walk, builder) => {
  const href = element.attribs?.href?.trim() ?? ''
  const address = /^https?:\/\//i.test(href) ? encoded(href) : undefined
  const text = inOneLine(textOf(element))
  if (address === undefined || text === href) {
    walk(childrenOf(element), builder)
    return
  }
  const name = text || inOneLine(findInside(element, IMAGE)?.attribs?.alt ?? '')
  if (name === '') builder.addInline(address, { noWordTransform: true })
  else if (text === '' || hasBlock(element)) {
    builder.addInline(`[${withoutMarkup(name)}](${address})`, { noWordTransform: true })
  } else {
    builder.addInline('[', { noWordTransform: true })
    walk(childrenOf(element), builder)
    builder.addInline(`](${address})`, { noWordTransform: true })
  }
}

/** Encodes the characters of an address that would end it in Markdown. */
function encoded(href: string): string {
  return href.replaceAll(/[\s()<>]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
}

function withoutMarkup(name: string): string {
  return name.replaceAll(/[[\]]/g, '\\$&')
}

const heading: Formatter = (element, walk, builder) => {
  if (inOneLine(textOf(element)) === '') return
  const level = Number(element.name!.slice(1))
  builder.openBlock({ leadingLineBreaks: 2 })
  walk(childrenOf(element), builder)
  const blockTransform = (text: string) => `${'#'.repeat(level)} ${inOneLine(text)}`
  builder.closeBlock({ trailingLineBreaks: 2, blockTransform })
}

/** Classes of quotations and signatures, which some mail programs put into `pre`. */
const PROSE = /\bmoz-(?:quote-pre|signature)\b/

/** Formats preformatted text as code. */
const preformatted: Formatter = (element, walk, builder) => {
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

const code: Formatter = (element, _walk, builder) => {
  const text = inOneLine(textOf(element))
  if (text === '') return
  const mark = '`'.repeat(longestRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  builder.addInline(mark + space + text + space + mark, { noWordTransform: true })
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}

type Walk = Parameters<Formatter>[1]

/** Formats a list. Lists within its items, or between them as some programs write them, are indented. */
const list: Formatter = (element, walk, builder) => {
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

/** Formats a list of definitions: each term is an item, with a list of its meanings. */
const definitions: Formatter = (element, walk, builder) => {
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
  /** Items of a list within this item. */
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

const formats: Readonly<Record<string, readonly string[]>> = {
  link: ['a'],
  strong: ['b', 'strong'],
  em: ['i', 'em'],
  heading: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  preformatted: ['pre'],
  code: ['code', 'tt', 'kbd', 'samp'],
  list: ['ul', 'ol'],
  definitions: ['dl'],
  table: ['table'],
  skip: ['img', 'style', 'title'],
}

const read = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_LENGTH, maxDepth: 100, maxChildNodes: 5_000, ellipsis: '…' },
  formatters: {
    strong: emphasis('**'),
    em: emphasis('*'),
    ...{ link, heading, preformatted, code, list, definitions, table },
  },
  selectors: Object.entries(formats).flatMap(([format, selectors]) =>
    selectors.map((selector) => ({ selector, format })),
  ),
})

/** Returns the HTML of a mail as Markdown, without pictures. */
export function markdownOfHtml(html: string): string {
  return read(beforeTooMuchIsOpen(html.slice(0, MAX_HTML_LENGTH)))
}

/**
 * Cuts the HTML where more elements would be open than allowed, with the library's own parser, which knows where
 * comments, scripts and attribute values end.
 */
function beforeTooMuchIsOpen(html: string): string {
  let open = 0
  let end: number | undefined
  const parser = new Parser({
    onopentag() {
      open += 1
      if (open <= MAX_OPEN) return
      end = parser.startIndex
      parser.pause()
    },
    onclosetag() {
      open -= 1
    },
  })
  parser.write(html)
  return end === undefined ? html : html.slice(0, end)
}
