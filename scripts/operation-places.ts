/** Where each operation is declared, and where it is tested. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.ts'

export interface Declaration {
  readonly file: string
  readonly area: string
  /** Number of operations that are declared in the same file. */
  readonly beside: number
}

/** Returns the declaration of each operation, by the operation's id. */
function readDeclarations(): ReadonlyMap<string, Declaration> {
  return new Map(
    filesBelow('src/features').flatMap((path) => {
      const file = `src/features/${path}`
      const ids = [...readFileSync(join(PROJECT, file), 'utf8').matchAll(/operation: '([a-z0-9-]+)'/g)]
      return ids.map(([, id]) => [id!, { file, area: path.split('/')[0]!, beside: ids.length }] as const)
    }),
  )
}

export const DECLARED = readDeclarations()

const TESTS = filesBelow('test/features')
  .filter((path) => path.endsWith('.test.ts'))
  .sort()
/** Tests without their endings: `messages/send-message`. */
const STEMS = new Map(TESTS.map((path) => [path, path.replace(/(?:\.long|\.large)?\.test\.ts$/, '')]))

/**
 * Returns the tests of an operation: those of its own name, or else those of the file that declares it, or else those of its area. A long test
 * is in several files, with an aspect after the name: `send-message-wildcards.test.ts`.
 */
export function testedIn(operation: string): string[] {
  const { file, area } = DECLARED.get(operation)!
  const declaring = file.replace(/^src\/features\/(.*)\.ts$/, '$1')
  for (const name of [`${area}/${operation}`, declaring, `${area}/${area}`]) {
    const found = TESTS.filter((path) => isOf(STEMS.get(path)!, name))
    if (found.some((path) => STEMS.get(path) === name)) return found.map((path) => `test/features/${path}`)
  }
  return []
}

/** Returns whether a test has this name, or an aspect of it and no longer name of an operation. */
function isOf(stem: string, name: string): boolean {
  if (stem === name) return true
  if (!stem.startsWith(`${name}-`)) return false
  const area = name.split('/')[0]!
  const longer = [...DECLARED.keys()].filter((operation) => `${area}/${operation}`.length > name.length)
  return !longer.some((operation) => `${stem}-`.startsWith(`${area}/${operation}-`))
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )
}
