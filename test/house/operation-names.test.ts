import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { ENDPOINTS } from '../../src/features/index.ts'

/** Areas whose work is in a folder of another name in `model`, since other areas need it too. */
const WORK_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  avatars: ['users'],
  realm: ['emoji'],
}

/** Operations that no test in `test/features` requests by their path, with the test that does. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'get-browser-sessions': 'test/http/browser-sessions.test.ts',
  'delete-browser-session': 'test/http/browser-sessions.test.ts',
  'create-resumable-upload': 'test/features/uploads/resumable-uploads.test.ts',
  'append-to-resumable-upload': 'test/features/uploads/resumable-uploads.test.ts',
  'get-resumable-upload': 'test/features/uploads/resumable-uploads.test.ts',
  'remove-resumable-upload': 'test/features/uploads/resumable-upload-rules.test.ts',
  'create-import-upload': 'test/features/imports/import-upload.test.ts',
  'get-import-upload': 'test/features/imports/import-upload.test.ts',
  'append-to-import-upload': 'test/features/imports/import-upload.large.test.ts',
  'remove-import-upload': 'test/features/imports/import-upload.test.ts',
  'get-is-user-group-member': 'test/features/user-groups/update-user-group.test.ts',
  'update-default-stream-group-channels':
    'test/features/default-channel-groups/default-channel-groups.test.ts',
}

/** A declaration whose work is in the same file. */
const HAS_ITS_WORK =
  /^ {2}(?:query|apply)(?:: )?\(|command: (?:\{[^}]*\b(?:apply|commits)\b|refusing\()|: (?:Read|Long)?Command</m

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

function filesIn(folder: string): string[] {
  if (!existsSync(join(PROJECT, folder))) return []
  return readdirSync(join(PROJECT, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
}

interface Declaration {
  readonly file: string
  readonly area: string
  /** Number of operations that are declared in the same file. */
  readonly beside: number
}

/** Returns the declaration of each operation, which begins with the operation's id. */
function declarations(): ReadonlyMap<string, Declaration> {
  const areas = readdirSync(join(PROJECT, 'src/features'), { withFileTypes: true })
  const found = areas
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: area }) => filesIn(`src/features/${area}`).map((file) => ({ file, area })))
    .flatMap(({ file, area }) => {
      const ids = [...read(file).matchAll(/operation: '([a-z0-9-]+)'/g)].map(([, id]) => id!)
      return ids.map((id) => [id, { file, area, beside: ids.length }] as const)
    })
  return new Map(found)
}

const DECLARED = declarations()
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

  it('leads to its test: the same folder in test/features', () => {
    const wrong = OPERATIONS.filter(({ operation, path }) => {
      const { area } = DECLARED.get(operation)!
      const elsewhere = TESTED_ELSEWHERE[operation]
      if (elsewhere !== undefined) return !read(elsewhere).includes(lastWordOf(path))
      return !filesIn(`test/features/${area}`).some((file) => asks(read(file), path))
    })
    expect(wrong).toEqual([])
  })
})

/** Returns whether a test has this path, with anything for its parameters: `/drafts/${id}` for `/drafts/:draft_id`. */
function asks(source: string, path: string): boolean {
  const words = path.split('/').filter(Boolean)
  return [...source.matchAll(/['`](\/[^'`\s]*)['`]/g)].some(([, asked]) => {
    const given = asked!.split('?')[0]!.split('/').filter(Boolean)
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
