import { compile, type Formatter } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { childrenOf, findInside, hasBlock, inOneLine, textOf } from './elements.ts'
import { code, definitions, heading, list, preformatted } from './markdown-blocks.ts'
import { table } from './markdown-table.ts'

/** Length of a mail's HTML that is read, in UTF-16 units. */
const MAX_HTML_LENGTH = 200_000
/** Elements that are open at a time, above those of any mail that programs write: the library looks through them at each further tag. */
const MAX_OPEN = 500
/** Formats emphasis; without content nothing is left. */
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
 * Formats a link. Its address is left out where it leads into the mail itself, and its text where that is the same. A link around a
 * picture has the picture's words.
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

/** Returns an address with the characters encoded that would end it in Markdown. */
function encoded(href: string): string {
  return href.replaceAll(/[\s()<>]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
}

function withoutMarkup(name: string): string {
  return name.replaceAll(/[[\]]/g, '\\$&')
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

/** Returns the HTML of a mail as text that can be posted: with quotations as such, and without pictures. */
export function markdownOfHtml(html: string): string {
  return read(beforeTooMuchIsOpen(html.slice(0, MAX_HTML_LENGTH)))
}

/**
 * Returns the beginning of the HTML, up to where more elements would be open than are allowed, by the parser that the library
 * uses, which knows where comments, scripts and values of attributes end.
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
