import { compile, type Formatter } from 'html-to-text'
import { Parser } from 'htmlparser2'

/** Length of a mail's HTML that is read, in UTF-16 units. */
const MAX_HTML_LENGTH = 200_000
/** Elements that are open at a time, above those of any mail that programs write: the library looks through them at each further tag. */
const MAX_OPEN = 500
/** Formats emphasis; without content nothing is left. */
const emphasis =
  (mark: string): Formatter =>
  (element, walk, builder) => {
    if (element.children.length === 0) return
    builder.addInline(mark, { noWordTransform: true })
    walk(element.children, builder)
    builder.addInline(mark, { noWordTransform: true })
  }

/**
 * Formats a link. Its address is left out where its text is the same, and where it leads into the mail
 * itself.
 */
const link: Formatter = (element, walk, builder) => {
  const href = element.attribs?.href?.trim() ?? ''
  const isShown = /^https?:\/\//i.test(href) && !/[\s()<>]/.test(href) && !saysItself(element, href)
  if (isShown) builder.addInline('[', { noWordTransform: true })
  walk(element.children, builder)
  if (isShown) builder.addInline(`](${href})`, { noWordTransform: true })
}

function saysItself({ children }: Parameters<Formatter>[0], href: string): boolean {
  const [only] = children as readonly { readonly data?: string }[]
  return children.length === 1 && only?.data?.trim() === href
}

const read = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_LENGTH, maxDepth: 100, maxChildNodes: 5_000, ellipsis: '…' },
  formatters: { strong: emphasis('**'), em: emphasis('*'), link },
  selectors: [
    { selector: 'a', format: 'link' },
    { selector: 'b', format: 'strong' },
    { selector: 'strong', format: 'strong' },
    { selector: 'i', format: 'em' },
    { selector: 'em', format: 'em' },
    { selector: 'img', format: 'skip' },
    { selector: 'style', format: 'skip' },
    { selector: 'title', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
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
