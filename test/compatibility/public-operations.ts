import { fileURLToPath } from 'node:url'
import { DEV_ENDPOINTS } from '../../src/dev/endpoints.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { refusalOf } from '../../src/features/server/not-offered.ts'

/** One operation of the public API, as public-operations.json lists it. */
export interface PublicOperation {
  readonly method: string
  /** The path with `{name}` for each variable part. */
  readonly path: string
  /** Section of the interface document, for those it describes. */
  readonly section: string | null
  readonly mobile: boolean
  readonly terminal: boolean
  /** 1: in the interface document; 2: clients need it; 3: the rest. */
  readonly priority: number
}

export const OPERATIONS_FILE = fileURLToPath(new URL('./public-operations.json', import.meta.url))

/**
 * Returns whether an endpoint or a route of its own serves the operation. Names of path parameters do not matter: where the
 * public API takes an id or an address, we declare one endpoint for each.
 */
export function isServed(operation: Pick<PublicOperation, 'method' | 'path'>): boolean {
  return standingOf(operation).kind !== 'not yet'
}

/** The state of an operation here. `refuses`: every deployment answers it with these words. */
export type Standing =
  | { readonly kind: 'works' | 'development only' | 'not yet' }
  | { readonly kind: 'refuses'; readonly why: string }

export function standingOf({ method, path }: Pick<PublicOperation, 'method' | 'path'>): Standing {
  return STANDINGS.get(`${method} ${shapeOf(path)}`) ?? { kind: 'not yet' }
}

/** Routes of http/router.ts without a declaration: they answer with a file, or a redirect to one. */
const WITHOUT_DECLARATION = [
  'GET /avatar/{user}',
  'GET /avatar/{user}/medium',
  'GET /user_uploads/thumbnail/{realm_id}/{filename}/{format}',
]

const STANDINGS = new Map<string, Standing>([
  ...WITHOUT_DECLARATION.map((route) => [shapeOf(route), { kind: 'works' }] as const),
  ...ENDPOINTS.map((endpoint) => [callOf(endpoint), standingOfEndpoint(endpoint)] as const),
  ...DEV_ENDPOINTS.map((endpoint) => [callOf(endpoint), { kind: 'development only' }] as const),
])

function standingOfEndpoint({ command }: (typeof ENDPOINTS)[number]): Standing {
  const why = command && refusalOf(command)
  return why === undefined ? { kind: 'works' } : { kind: 'refuses', why }
}

function callOf({ method, path }: { method: string; path: string }): string {
  return shapeOf(`${method} ${path.replace(/:([a-z_]+)\+?/g, '{$1}')}`)
}

function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}')
}
