/** Which file imports which, and which imports are forbidden (docs/decisions/design.md#the-house). */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Files of one source tree: the text of each by its path in the tree, with `/` (`http/router.ts`). */
export type SourceTree = Map<string, string>

/**
 * The rooms from the top down; a file may import from its own room and from those below. Rooms on one
 * line do not import each other. `dev` and `own-machine` stand above the front door because they wrap it.
 */
export type Floors = readonly (readonly string[])[]

const FLOORS: Floors = [
  ['dev', 'own-machine'],
  ['worker.ts'],
  ['http'],
  ['realm', 'hasher'],
  ['engine'],
  ['features'],
  ['api'],
  ['outgoing'],
  ['model'],
  ['store'],
  ['imports'],
  ['integrations'],
  ['events'],
  ['rules', 'markdown', 'images'],
  ['core'],
]

/** Floors of the page. The state and the requests to the server import neither each other nor any view. */
export const FLOORS_OF_PAGE: Floors = [
  [
    'main.tsx',
    'early.ts',
    'service-worker.ts',
    'desktop-login.ts',
    'passkey-form.ts',
    'vite.config.ts',
    'components',
    'docs',
  ],
  ['views'],
  ['notifications'],
  ['actions'],
  ['navigation.ts'],
  ['chat.ts', 'ui'],
  ['texts'],
  ['state', 'api'],
]

export function readSourceTree(folder: string): SourceTree {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  )
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')]))
}

/** Every room may have texts, which import only what is plainest. What the page takes of the server has its own rule (`findServerInPage`). */
const OUTSIDE = /^\.\.\/(?:\.\.\/)*texts\/compiled\/|^\.\.\/src\//

/** Returns the relative imports of a file, values and types alike, as paths in the tree, without style sheets. */
export function importsOf(file: string, source: string): string[] {
  return pathsIn(file, source).filter((target) => !OUTSIDE.test(target))
}

function pathsIn(file: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+\.tsx?)'/g)
  return [...specifiers].map(([, specifier]) => posix.join(posix.dirname(file), specifier as string))
}

/** Returns a line for each import that goes up or sideways, or leads to no file. */
export function findWrongDirections(tree: SourceTree, floors = FLOORS): string[] {
  return [...tree].flatMap(([file, source]) =>
    importsOf(file, source).flatMap((target) => {
      if (!tree.has(target)) return [`${file} imports ${target}, which is not there`]
      const [from, to] = [roomOf(file), roomOf(target)]
      if (from === to) return []
      if (floorOf(from, floors) < floorOf(to, floors)) return []
      return [`${file} imports ${target}: ${from} must not know ${to}`]
    }),
  )
}

/** Rooms of `src` whose types the page may import: what declares the API, and the rules. */
const DECLARING = ['features', 'api', 'events', 'rules', 'core']

/**
 * Returns a line for each import by which the page takes more of the server than types of the API and pure rules. Paths in `page` begin below
 * `web`, those in `server` below `src`.
 */
export function findServerInPage(page: SourceTree, server: SourceTree): string[] {
  return [...page].flatMap(([file, source]) => {
    const code = importsOfServer(file, withoutTypes(source))
    return importsOfServer(file, source).flatMap((target) => {
      const isCode = code.includes(target)
      const rooms = isCode ? ['rules'] : DECLARING
      if (server.has(target) && rooms.includes(roomOf(target))) return []
      return [`${file} imports ${isCode ? 'code' : 'types'} of src/${target}`]
    })
  })
}

function importsOfServer(file: string, source: string): string[] {
  return pathsIn(file, source)
    .filter((path) => path.startsWith('../src/'))
    .map((path) => path.slice('../src/'.length))
}

/** Returns the program without its type-only imports. */
export function withoutTypes(source: string): string {
  return source
    .replace(/^(?:import|export) type (?:\{[^}]*\}|\*) from .*$/gm, '')
    .replace(/^import \{(?:\s*type \w+,?)+\s*\} from .*$/gm, '')
}

/** Returns a line for each import of a feature by another: what two need is in `api`, `model`, `rules` or `store`. */
export function findFeaturesInFeatures(tree: SourceTree): string[] {
  const areaOf = (file: string) => /^features\/([^/]+)\//.exec(file)?.[1]
  return [...tree].flatMap(([file, source]) => {
    const area = areaOf(file)
    if (area === undefined) return []
    return importsOf(file, source)
      .filter((target) => areaOf(target) !== undefined && areaOf(target) !== area)
      .map((target) => `${file} imports ${target}`)
  })
}

/** Returns each cycle of imports once, as `a.ts → b.ts → a.ts`. */
export function findCycles(tree: SourceTree): string[] {
  const cycles: string[] = []
  const finished = new Set<string>()
  const visit = (file: string, path: string[]) => {
    if (finished.has(file)) return
    const start = path.indexOf(file)
    if (start >= 0) {
      cycles.push([...path.slice(start), file].join(' → '))
      return
    }
    for (const target of importsOf(file, tree.get(file) ?? '')) visit(target, [...path, file])
    finished.add(file)
  }
  for (const file of tree.keys()) visit(file, [])
  return cycles
}

/**
 * Returns each pair of areas of a room that import each other, as `calls <-> polls`. An area is a folder of the room; the files beside the
 * folders are one, too.
 */
export function findMutualPairs(tree: SourceTree, room: string): string[] {
  const known = importsBetweenAreas(tree, room)
  return [...known].flatMap(([area, others]) =>
    [...others]
      .filter((other) => area < other && known.get(other)?.has(area))
      .map((other) => `${area} <-> ${other}`),
  )
}

/** Returns the areas of a room that are in a knot, a list for each knot: from each of its areas, imports lead to each other one and back. */
export function findKnots(tree: SourceTree, room: string): string[][] {
  const known = importsBetweenAreas(tree, room)
  const reached = new Map([...known.keys()].map((area) => [area, reachedFrom(area, known)]))
  const knotOf = (area: string) =>
    [...reached.keys()].filter((other) => reached.get(area)!.has(other) && reached.get(other)!.has(area))
  const knots = [...reached.keys()].map((area) => knotOf(area).toSorted()).filter(({ length }) => length > 1)
  return [...new Map(knots.map((knot) => [knot.join(), knot])).values()]
}

type ImportsOfAreas = ReadonlyMap<string, ReadonlySet<string>>

function importsBetweenAreas(tree: SourceTree, room: string): ImportsOfAreas {
  const areaOf = (file: string) => {
    const [own, ...rest] = file.split('/')
    return own === room ? (rest.length > 1 ? rest[0]! : '.') : undefined
  }
  const known = new Map<string, Set<string>>()
  for (const [file, source] of tree) {
    const area = areaOf(file)
    if (area === undefined) continue
    const others = importsOf(file, source)
      .map(areaOf)
      .filter((other) => other !== undefined && other !== area)
    known.set(area, new Set([...(known.get(area) ?? []), ...(others as string[])]))
  }
  return known
}

function reachedFrom(area: string, known: ImportsOfAreas, reached = new Set<string>()): Set<string> {
  for (const other of known.get(area) ?? []) {
    if (reached.has(other)) continue
    reached.add(other)
    reachedFrom(other, known, reached)
  }
  return reached
}

/** Returns the folders without a layer: a new folder has to be added to the table. */
export function findUnknownRooms(tree: SourceTree, floors = FLOORS): string[] {
  const rooms = new Set([...tree.keys()].map(roomOf))
  return [...rooms].filter((room) => floorOf(room, floors) < 0)
}

/** Returns the first folder of a path; a file outside of all folders is a room of its own. */
function roomOf(file: string): string {
  return file.split('/')[0] as string
}

function floorOf(room: string, floors: Floors): number {
  return floors.findIndex((rooms) => rooms.includes(room))
}
