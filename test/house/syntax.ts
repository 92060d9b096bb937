/** A node of the syntax tree that `parseSync` of Vite makes. */
export interface Syntax {
  readonly type: string
  readonly [key: string]: unknown
}

export function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string'
}

/** Returns the name of a called function: `it` for `it.each(rows)`, for `it.each` with a table, and for `it` itself. */
export function nameOf(callee: Syntax): string | undefined {
  if (callee.type === 'Identifier') return callee.name as string
  const inner = callee.object ?? callee.callee ?? callee.tag
  return isSyntax(inner) ? nameOf(inner) : undefined
}

/** Returns all calls in a tree, also those inside other calls. */
export function callsIn(tree: unknown): Syntax[] {
  const calls: Syntax[] = []
  const visit = (node: unknown) => {
    if (Array.isArray(node)) for (const one of node) visit(one)
    if (!isSyntax(node)) return
    if (node.type === 'CallExpression') calls.push(node)
    for (const child of Object.values(node)) visit(child)
  }
  visit(tree)
  return calls
}
