/** Which file imports which, and what the house forbids about it (EXEMPLARS 1). */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Files of one source tree, by their path in it with `/`: `http/router.ts` → its text. */
export type SourceTree = Map<string, string>

/**
 * The rooms from the top down; a file may import from its own room and from those below. Rooms on one
 * line do not import each other. `dev` stands above the front door because it wraps it.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['dev'],
  ['worker.ts'],
  ['http'],
  ['realm'],
  ['endpoints'],
  ['domain'],
  ['permissions', 'events', 'markdown', 'images', 'd1'],
  ['core'],
]

export function readSourceTree(folder: string): SourceTree {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), readFileSync(join(folder, file), 'utf8')]))
}

/** Relative imports of a file, of values and of types alike, as paths in the tree. */
export function importsOf(file: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.{1,2}\/[^']+)'/g)
  return [...specifiers].map(([, specifier]) => posix.join(posix.dirname(file), specifier as string))
}

/** One line for each import that goes up or sideways, or leads to no file. */
export function findWrongDirections(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, source]) =>
    importsOf(file, source).flatMap((target) => {
      if (!tree.has(target)) return [`${file} imports ${target}, which is not there`]
      const [from, to] = [roomOf(file), roomOf(target)]
      if (from === to) return []
      if (floorOf(from) < floorOf(to)) return []
      return [`${file} imports ${target}: ${from} must not know ${to}`]
    }),
  )
}

/** Each circle of imports once, as `a.ts → b.ts → a.ts`. */
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

/** Rooms without a floor: whoever makes a new one says here where it stands. */
export function findUnknownRooms(tree: SourceTree): string[] {
  const rooms = new Set([...tree.keys()].map(roomOf))
  return [...rooms].filter((room) => floorOf(room) < 0)
}

/** The first folder of a path; a file that lies in none is a room of its own. */
function roomOf(file: string): string {
  return file.split('/')[0] as string
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room))
}
