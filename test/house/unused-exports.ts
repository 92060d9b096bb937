import { posix } from 'node:path'
import type { SourceTree } from './import-graph.ts'

const DECLARED = /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class) (\w+)/gm
/** Imports and re-exports: the keyword, the names in braces, and the file. */
const NAMED = /\b(import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.{1,2}\/[^']+)'/g
const ALL_PASSED_ON = /\bexport (?:type )?\* from '(\.{1,2}\/[^']+)'/g
/** What the lists of operations and events take from the files that declare them: nothing else that those export is used by it. */
const DECLARATION = /(?:Endpoint|Step|Event)$/
const ALL_USED = /(?:\bimport (?:type )?\* as \w+ from |\bimport\()\s*'(\.{1,2}\/[^']+)'/g

/**
 * Returns `file: name` for each exported value that no other file imports, directly or through files that pass it
 * on. Types may be exported because a signature has them.
 */
export function findUnusedExports(tree: SourceTree): string[] {
  const used = new Map([...tree.keys()].map((file) => [file, new Set<string>()]))
  const passedOn: {
    readonly from: string
    readonly by: string
    readonly name?: string
    readonly as?: string
  }[] = []
  const everythingUsed = new Set<string>()
  for (const [file, text] of tree) {
    const at = (specifier: string) => posix.join(posix.dirname(file), specifier)
    for (const [, keyword, list, specifier] of text.matchAll(NAMED)) {
      for (const item of list!.split(',').filter((name) => name.trim() !== '')) {
        const [name, as = name] = item
          .trim()
          .replace(/^type /, '')
          .split(' as ')
        if (keyword === 'import') used.get(at(specifier!))?.add(name!)
        else passedOn.push({ from: at(specifier!), by: file, name: name!, as: as! })
      }
    }
    for (const [, specifier] of text.matchAll(ALL_PASSED_ON))
      passedOn.push({ from: at(specifier!), by: file })
    for (const [, specifier] of text.matchAll(ALL_USED)) everythingUsed.add(at(specifier!))
  }
  // A name goes through as many files as pass it on, so this is repeated until nothing is added.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const { from, by, name, as } of passedOn) {
      if (everythingUsed.has(by) && name === undefined && !everythingUsed.has(from)) {
        everythingUsed.add(from)
        isChanged = true
      }
      const wanted = used.get(by)!
      const names = name === undefined ? [...wanted] : wanted.has(as!) || everythingUsed.has(by) ? [name] : []
      for (const one of names.filter((each) => used.get(from)?.has(each) === false)) {
        used.get(from)!.add(one)
        isChanged = true
      }
    }
  }
  return [...tree].flatMap(([file, text]) =>
    [...text.matchAll(DECLARED)]
      .map(([, name]) => name!)
      .filter((name) => !used.get(file)!.has(name) && !(everythingUsed.has(file) && isTaken(file, name)))
      .map((name) => `${file}: ${name}`),
  )
}

/** Whether an import of everything takes the name. */
function isTaken(file: string, name: string): boolean {
  return !/^src\/(?:features|api|events)\//.test(file) || DECLARATION.test(name)
}
