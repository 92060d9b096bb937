/** The limit of HTML in characters; beyond it the plain text is pasted. */
const MOST = 500_000

/** The attribute that has the style of a pasted element, and no effect. */
export const STYLE = 'data-pasted-style'

const SILENT = 'head, script, style, template, title, noscript, link, meta'
const BLOCKS =
  'address, article, blockquote, div, dd, dl, dt, figure, footer, h1, h2, h3, h4, h5, h6, header, hr, li, ol, p, pre, section, table, tr, ul'
/** The elements for which Markdown has a form. */
const REPRESENTATIONS =
  'a[href^="http"], a[href^="mailto:"], b, strong, i, em, s, del, strike, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre, code, table'
const STYLES = ['font-weight', 'italic', 'line-through'].map((style) => `span[${STYLE}*="${style}"]`).join()

/**
 * Parses pasted HTML where nothing is loaded and no script runs. Undefined if there is none, or too much. Styles are moved to another
 * attribute first, since the page's policy would block and log each.
 */
export function bodyOf(html: string): HTMLElement | undefined {
  if (html === '' || html.length > MOST) return undefined
  const unstyled = html.replaceAll(/<(\/?)style\b/gi, '<$1template').replaceAll(/\sstyle=/gi, ` ${STYLE}=`)
  const { body } = new DOMParser().parseFromString(unstyled, 'text/html')
  for (const silent of body.querySelectorAll(SILENT)) silent.remove()
  // The words themselves may have had such an attribute.
  for (const text of textsOf(body)) text.data = text.data.replaceAll(` ${STYLE}=`, ' style=')
  return body
}

/** Returns the text nodes of a document. */
function textsOf(body: HTMLElement): Text[] {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

export function hasForms(body: HTMLElement): boolean {
  return body.querySelector(`${REPRESENTATIONS}, ${STYLES}`) !== null
}

/** Returns the cells of a document that is a table and nothing else, as spreadsheets copy; undefined for others. */
export function cellsOf(body: HTMLElement): string[][] | undefined {
  const [table, ...others] = body.querySelectorAll('table')
  if (!table || others.length > 0) return undefined
  const isAlone = table.textContent?.trim() === body.textContent?.trim()
  if (!isAlone || table.querySelector('ul, ol, pre, p + p, h1, h2, h3')) return undefined
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      cell.textContent ?? '',
      // A cell that spans several columns is in the first of them.
      ...Array.from({ length: Math.min(cell.colSpan, 50) - 1 }, () => ''),
    ]),
  )
}

/** Returns the words of a document, with a line for each block. */
export function wordsOf(body: HTMLElement): string {
  const copy = body.cloneNode(true) as HTMLElement
  for (const element of copy.querySelectorAll(BLOCKS)) element.before('\n')
  for (const element of copy.querySelectorAll(BLOCKS)) element.after('\n')
  for (const element of copy.querySelectorAll('br')) element.replaceWith('\n')
  for (const element of copy.querySelectorAll('td + td, th + th, th + td')) element.before('\t')
  return (copy.textContent ?? '')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
