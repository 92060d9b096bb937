import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DECLARED, testedIn } from '../../scripts/operation-places.ts'
import { PROJECT } from '../../scripts/project.ts'
import { ENDPOINTS } from '../../src/features/index.ts'

/** Areas whose work is in a folder of another name in `model`, since other areas need it too. */
const WORK_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  avatars: ['users'],
  realm: ['emoji'],
}

/** A declaration whose work is in the same file. */
const HAS_ITS_WORK =
  /^ {2}(?:query|apply)(?:: )?\(|command: (?:\{[^}]*\b(?:apply|commits)\b|refusing\()|: (?:Read|Long)?Command</m

/** Operations whose tests put their paths together: the last fixed word of the path is in the test, or in the support that it imports. */
const PUT_TOGETHER: ReadonlySet<string> = new Set([
  'append-to-import-upload',
  'append-to-resumable-upload',
  'create-import-upload',
  'get-import-upload',
  'get-is-user-group-member',
  'get-resumable-upload',
  'remove-import-upload',
  'remove-resumable-upload',
  'update-default-stream-group-channels',
])

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

const OPERATIONS = ENDPOINTS.map(({ operation, path }) => ({ operation, path }))

describe('the name of an operation', () => {
  it('is `operation: …` in a file of its name, or one that several share', () => {
    const wrong = OPERATIONS.filter(({ operation }) => {
      const declared = DECLARED.get(operation)
      return !declared || (basename(declared.file, '.ts') !== operation && declared.beside < 2)
    })
    expect(wrong).toEqual([])
  })

  it('leads to its code: in its declaration, in its folder, or in that of model', () => {
    const wrong = OPERATIONS.filter(({ operation }) => {
      const { file, area } = DECLARED.get(operation)!
      const source = read(file)
      if (HAS_ITS_WORK.test(source)) return false
      if (/from '\.\/(?:[a-z-]+\/)?[a-z-]+\.ts'/.test(source)) return false
      const used = new Set([...source.matchAll(/\/(?:model|store)\/([a-z-]+)\//g)].map(([, name]) => name!))
      return ![area, ...(WORK_ELSEWHERE[area] ?? [])].some((name) => used.has(name))
    })
    expect(wrong).toEqual([])
  })

  it('leads to its test: of its name, of its declaration’s, or of the area’s', () => {
    const untested = OPERATIONS.filter(({ operation }) => testedIn(operation).length === 0)
    expect(untested).toEqual([])
  })

  it('leads to a test that requests it', () => {
    const wrong = OPERATIONS.filter(({ operation, path }) => {
      const sources = testedIn(operation).map(read)
      if (!PUT_TOGETHER.has(operation)) return !sources.some((source) => asks(source, path))
      const support = sources.flatMap((source) =>
        [...source.matchAll(/from '\.\.\/\.\.\/support\/([^']+)'/g)].map(([, name]) =>
          read(`test/support/${name}`),
        ),
      )
      return ![...sources, ...support].some((source) => source.includes(lastWordOf(path)))
    })
    expect(wrong).toEqual([])
  })
})

/** Returns whether a test has this path, with anything for its parameters: `/drafts/${id}` for `/drafts/:draft_id`. */
function asks(source: string, path: string): boolean {
  const words = path.split('/').filter(Boolean)
  return [...source.matchAll(/['`]([^'`\s]*\/[^'`\s]*)['`]/g)].some(([, asked]) => {
    const given = asked!
      .replace(/^\/api\/v1/, '')
      .split('?')[0]!
      .split('/')
      .filter(Boolean)
    const isLong = words.at(-1)!.endsWith('+')
    if (isLong ? given.length < words.length : given.length !== words.length) return false
    return words.every((word, index) => word.startsWith(':') || word === given[index])
  })
}

/** Returns the last fixed word of a path, such as `tus` or `members`. */
function lastWordOf(path: string): string {
  return path
    .split('/')
    .filter((word) => word !== '' && !word.startsWith(':'))
    .at(-1)!
}
