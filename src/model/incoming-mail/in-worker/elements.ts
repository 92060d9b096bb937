import type { DomNode } from 'html-to-text'

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

/** Returns the characters of all texts inside, with a line end for each `br`. */
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

/** Returns a text in one line. */
export function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
