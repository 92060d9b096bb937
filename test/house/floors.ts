/** The floors of `src/model`, and what each folder of `src` may know of the realm (docs/architecture.md#floors-of-the-model). */
import { importsOf, type SourceTree, withoutTypes } from './import-graph.ts'

/** The floors from the bottom up. A file imports from its own floor and from those below. */
const FLOORS = ['plain', 'reads', 'effects'] as const

type Floor = (typeof FLOORS)[number]

/**
 * Returns a line for each file of `model` that imports from a floor above its own. Paths in the tree begin with `model/`.
 */
export function findWrongFloors(tree: SourceTree): string[] {
  const floors = floorsOf(tree)
  return [...floors].flatMap(([file, floor]) =>
    importsOf(file, tree.get(file)!)
      .filter((target) => floors.has(target))
      .map((target) => ({ target, above: floors.get(target)! }))
      .filter(({ above }) => FLOORS.indexOf(above) > FLOORS.indexOf(floor))
      .map(({ target, above }) => `${file} (${floor}) imports ${target} (${above})`),
  )
}

/** Returns the files of `store` that know more of the realm than its SQL and its clock. */
export function findRowsWithTransaction(tree: SourceTree): string[] {
  return [...tree.keys()].filter(
    (file) => file.startsWith('store/') && /\b(?:RealmTransaction|RealmReads)\b/.test(codeOf(tree, file)),
  )
}

/** Returns the files of `src` that have a statement of SQL (a string that begins like one) and are in no storage folder. */
export function findStraySql(tree: SourceTree): string[] {
  return [...tree.keys()].filter(
    (file) =>
      !/^(?:store\/|realm\/|events\/|dev\/|engine\/counted-sql\.ts$)/.test(file) &&
      /[`'"(]\s*(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH)\s(?!\/)/.test(codeOf(tree, file)),
  )
}

/**
 * Returns the files with statements that change rows but are given to what every reader with `Sql` may call, of the SQL or of a table's
 * rows.
 */
export function findHiddenWrites(tree: SourceTree): string[] {
  return [...tree.keys()].filter((file) =>
    /\.(?:all|first|each|values?|list|finds)(?:<[^(]*>)?\(\s*(?:(?:\w+\.)*sql,\s*)?[`'"]\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b/.test(
      codeOf(tree, file),
    ),
  )
}

const KNOWS_THE_REALM = /\b(?:Sql|WritableSql|RealmView|RealmReads|RealmTransaction)\b/

/**
 * Returns a line for each file that breaks this rule: code that runs in the Worker is in a folder `in-worker`, where there is
 * no access to the realm. Its files use no types of the realm, import values (types are free) only from files that use none
 * either, and have no SQL.
 */
export function findRealmInWorker(tree: SourceTree): string[] {
  return [...tree].flatMap(([file, source]) => {
    if (!file.includes('/in-worker/')) return []
    const named = KNOWS_THE_REALM.test(codeOf(tree, file)) ? [`${file} names a type of the realm`] : []
    const imported = importsOf(file, withoutTypes(source))
      .filter((target) => tree.has(target) && /^(?:features|model|store)\//.test(target))
      // A declaration is where the Worker and the object meet: the Worker reads which operation it asks for.
      .filter((target) => !/define(?:Endpoint|Step)\b/.test(tree.get(target)!))
      .filter((target) => isRows(target) || KNOWS_THE_REALM.test(codeOf(tree, target)))
      .map((target) => `${file} imports values of ${target}`)
    return [...named, ...imported]
  })
}

/**
 * Returns the files of `model` that only the Worker runs but that are in other folders: only `http`, or a file in
 * `in-worker`, imports them.
 */
export function findWorkerElsewhere(tree: SourceTree): string[] {
  const importers = new Map<string, string[]>()
  for (const [file, source] of tree) {
    for (const target of importsOf(file, source)) {
      importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  return [...floorsOf(tree).keys()].filter((file) => {
    const by = importers.get(file) ?? []
    return (
      !file.includes('/in-worker/') &&
      by.length > 0 &&
      by.every((importer) => importer.startsWith('http/') || importer.includes('/in-worker/'))
    )
  })
}

/** Returns the floor of each file of `model`, which its own text decides. */
export function floorsOf(tree: SourceTree): ReadonlyMap<string, Floor> {
  const known = new Map<string, Floor>()
  const find = (file: string): Floor => {
    const found = known.get(file)
    if (found) return found
    const floor = floorByText(codeOf(tree, file))
    // Known before its imports are followed, so that a cycle, which another test forbids, does not make this run for ever.
    known.set(file, floor)
    if (floor === 'plain') {
      const knowing = importsOf(file, tree.get(file)!).some(
        (target) => tree.has(target) && (isRows(target) || (isInModel(target) && find(target) !== 'plain')),
      )
      if (knowing) known.set(file, 'reads')
    }
    return known.get(file)!
  }
  for (const file of tree.keys()) if (isInModel(file)) find(file)
  return known
}

function floorByText(code: string): Floor {
  // A check of the verification may repair.
  if (/\b(?:RealmTransaction|WritableSql|Check|defineCheck)\b/.test(code)) return 'effects'
  return /\b(?:Sql|RealmView|RealmReads)\b/.test(code) ? 'reads' : 'plain'
}

function isInModel(file: string): boolean {
  return file.startsWith('model/')
}

function isRows(file: string): boolean {
  return file.endsWith('-rows.ts')
}

/** Returns the program without comments. */
function codeOf(tree: SourceTree, file: string): string {
  return tree.get(file)!.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
