import type { DomNode, Formatter, TableCell } from 'html-to-text'

/** Limit of the columns and rows that a cell spans: an attribute can name any number. */
const MAX_SPAN = 50
/** Limit of the characters of a cell in a table of data without borders and headings; tables for layout have more. */
const MAX_CELL_LENGTH = 200

const TABLE: ReadonlySet<string> = new Set(['table'])
const IMAGE: ReadonlySet<string> = new Set(['img'])

/** Formats a table of data as a table, and one for layout as its contents. */
export const table: Formatter = (element, walk, builder) => {
  const rows = rowsOf(element)
  if (!isOfData(element, rows)) {
    builder.openBlock({ leadingLineBreaks: 1 })
    walk(childrenOf(element), builder)
    builder.closeBlock({ trailingLineBreaks: 1 })
    return
  }
  builder.openTable()
  for (const row of rows) {
    builder.openTableRow()
    for (const cell of cellsOf(row)) {
      builder.openTableCell()
      walk(childrenOf(cell), builder)
      builder.closeTableCell({ colspan: spanOf(cell, 'colspan'), rowspan: spanOf(cell, 'rowspan') })
    }
    builder.closeTableRow()
  }
  builder.closeTable({ leadingLineBreaks: 2, trailingLineBreaks: 2, tableToString: markdownOfRows })
}

function rowsOf(element: DomNode): readonly DomNode[] {
  return childrenOf(element).flatMap((child) => {
    if (isElement(child, 'tr')) return [child]
    return isElement(child, 'thead', 'tbody', 'tfoot') ? rowsOf(child) : []
  })
}

function cellsOf(row: DomNode): readonly DomNode[] {
  return childrenOf(row).filter((child) => isElement(child, 'td', 'th'))
}

function spanOf({ attribs }: DomNode, name: 'colspan' | 'rowspan'): number {
  const span = Number(attribs?.[name] ?? 1)
  return Number.isInteger(span) ? Math.min(Math.max(span, 1), MAX_SPAN) : 1
}

/** Whether a table has data: most tables in mail are for layout, some of them in columns. */
function isOfData(element: DomNode, rows: readonly DomNode[]): boolean {
  if (/^(?:presentation|none)$/i.test(element.attribs?.role ?? '')) return false
  if (findInside(element, TABLE)) return false
  const cells = rows.map(cellsOf)
  if (!cells.some((row) => row.length > 1)) return false
  if (cells.flat().some((cell) => isElement(cell, 'th'))) return true
  if (Number(element.attribs?.border ?? 0) > 0) return true
  const widths = new Set(cells.map((row) => row.reduce((width, cell) => width + spanOf(cell, 'colspan'), 0)))
  return (
    rows.length > 1 &&
    widths.size === 1 &&
    !findInside(element, IMAGE) &&
    cells.flat().every((cell) => inOneLine(textOf(cell)).length <= MAX_CELL_LENGTH)
  )
}

/** Returns rows as a Markdown table, whose first line is the headings. Cells that others cover are empty. */
function markdownOfRows(rows: readonly (readonly TableCell[])[]): string {
  /** For each column, the number of further rows that a cell above covers. */
  const covered: number[] = []
  const lines = rows.map((row) => {
    const line: string[] = []
    const skipCovered = () => {
      while ((covered[line.length] ?? 0) > 0) {
        covered[line.length]! -= 1
        line.push('')
      }
    }
    for (const { text, colspan, rowspan } of row) {
      skipCovered()
      for (let column = 0; column < colspan; column += 1) {
        covered[line.length] = rowspan - 1
        line.push(column === 0 ? inOneLine(text).replaceAll('|', '\\|') : '')
      }
    }
    skipCovered()
    return line
  })
  const width = Math.max(...lines.map(({ length }) => length))
  const written = lines.map((line) => `| ${line.concat(Array(width - line.length).fill('')).join(' | ')} |`)
  return [written[0], `|${' --- |'.repeat(width)}`, ...written.slice(1)].join('\n')
}

/** Elements that begin a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  'p div table tr ul ol li dl dt dd blockquote pre h1 h2 h3 h4 h5 h6 hr br'.split(' '),
)

export function childrenOf({ children = [] }: DomNode): readonly DomNode[] {
  return children
}

export function isElement(node: DomNode, ...names: readonly string[]): boolean {
  return node.name !== undefined && names.includes(node.name)
}

/** Returns the text inside, with a line end for each `br`. */
export function textOf(node: DomNode): string {
  if (node.data !== undefined && node.children === undefined) return node.data
  if (isElement(node, 'br')) return '\n'
  if (isElement(node, 'style', 'script')) return ''
  return childrenOf(node).map(textOf).join('')
}

/** Returns the first element inside that has one of these names. */
export function findInside(node: DomNode, names: ReadonlySet<string>): DomNode | undefined {
  for (const child of childrenOf(node)) {
    const found = child.name !== undefined && names.has(child.name) ? child : findInside(child, names)
    if (found) return found
  }
  return undefined
}

export function hasBlock(node: DomNode): boolean {
  return findInside(node, BLOCKS) !== undefined
}

export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
