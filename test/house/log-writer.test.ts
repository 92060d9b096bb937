import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { isSyntax } from './syntax.ts'

/** Whether code names `console`, be it a variable or a property. */
function namesConsole(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(namesConsole)
  if (!isSyntax(tree)) return false
  return (tree.type === 'Identifier' && tree.name === 'console') || Object.values(tree).some(namesConsole)
}

it('nothing but core/log.ts names console', () => {
  const src = join(PROJECT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const naming = files.filter((path) => {
    const code = readFileSync(join(src, path), 'utf8')
    return code.includes('console') && namesConsole(parseSync(path, code).program)
  })
  expect(naming).toEqual(['core/log.ts'])
})
