import { fileURLToPath } from 'node:url'
import { ENDPOINTS } from '../../src/endpoints/index.ts'

/** One operation of the public API, as public-operations.json lists it. */
export interface PublicOperation {
  readonly method: string
  /** With `{name}` in place of what varies. */
  readonly path: string
  /** Section of the interface document, for those it describes. */
  readonly section: string | null
  readonly mobile: boolean
  readonly terminal: boolean
  /** 1: in the interface document; 2: clients need it; 3: the rest. */
  readonly priority: number
}

export const OPERATIONS_FILE = fileURLToPath(new URL('./public-operations.json', import.meta.url))

/** What is declared, as `METHOD /path` with the public names of the path's parameters. */
export function servedPaths(): Set<string> {
  return new Set(ENDPOINTS.map(({ method, path }) => `${method} ${path.replace(/:([a-z_]+)/g, '{$1}')}`))
}
