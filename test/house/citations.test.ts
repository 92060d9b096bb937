import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { anchorsOf } from './headings.ts'

/** A source in a comment: a file of docs and a heading in it. */
const CITATION = /\bdocs\/[\w./-]+\.md#([\w-]+)/g

/** Documents that the repository does not have. */
const DEAD_ENDS = [
  /\b(?:[bB]ehaviour|core-endpoints|decisions|SPEC|DESIGN|EXEMPLARS|edge-stack|spectators)(?:\.md)?,?(?:\n \* )? ?\d/g,
  /\bbrowser-client\b/g,
  /Source: (?:the )?reference\b/g,
  /(?:Source: |\(|; )(?:events|notifications|clients)(?: \d|, [tT]he )/g,
]

const FILES = ['src', 'test', 'scripts', 'web', 'bench'].flatMap((folder) =>
  readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|tsx|css)$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((file) => file !== 'test/house/citations.test.ts')
    .map((file) => ({ file, source: readFileSync(join(PROJECT, file), 'utf8') })),
)

const anchors = new Map<string, ReadonlySet<string> | undefined>()

function anchorsIn(page: string): ReadonlySet<string> | undefined {
  if (!anchors.has(page)) {
    const path = join(PROJECT, page)
    anchors.set(page, existsSync(path) ? anchorsOf(readFileSync(path, 'utf8')) : undefined)
  }
  return anchors.get(page)
}

it('pages and headings that comments cite exist', () => {
  const dead = FILES.flatMap(({ file, source }) =>
    [...source.matchAll(CITATION)]
      .filter(([cited, anchor]) => !anchorsIn(cited!.split('#')[0]!)?.has(anchor!))
      .map(([cited]) => `${file}: ${cited}`),
  )
  expect(dead).toEqual([])
})

it('no comment names a document that the repository does not have', () => {
  const dead = FILES.flatMap(({ file, source }) =>
    DEAD_ENDS.flatMap((form) => [...source.matchAll(form)].map(([cited]) => `${file}: ${cited}`)),
  )
  expect(dead).toEqual([])
})

describe('a file that a page or a comment names', () => {
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
  }).split('\0')
  const endings = new Set(
    tracked.flatMap((file) => {
      const folders = file.split('/')
      return folders.map((_, at) => folders.slice(at).join('/'))
    }),
  )
  const NAMED = /(?<![\w@./*<'-])((?:[\w-]+\/)*[\w-]+(?:\.[a-z]+)*\.(?:ts|tsx|mjs|sql))(?![\w/])/g
  // Names that stand for others, as in `src/events/TYPE.ts`.
  const EXAMPLE = /(?:^|\/)[A-Z]+(?:-(?:rows|reader))?(?:\.test)?\.ts$|^[a-z]\.ts$/

  const namedIn = (file: string, text: string) =>
    [...text.matchAll(NAMED)]
      .map(([, name]) => name!)
      .filter((name) => !EXAMPLE.test(name) && !endings.has(name))
      .map((name) => `${file}: ${name}`)

  it('exists, in pages', () => {
    const pages = tracked.filter((file) => file.endsWith('.md') && existsSync(join(PROJECT, file)))
    expect(pages.length).toBeGreaterThan(30)
    expect(pages.flatMap((page) => namedIn(page, readFileSync(join(PROJECT, page), 'utf8')))).toEqual([])
  })

  // A folder or a file below one that the repository has; neither a pattern nor a web address.
  const PLACE =
    /(?<![\w@./*<'{-])((?:src|test|scripts|web|bench|docs|migrations|\.github)\/[\w./-]*\w)(?![\w/*{<])/g
  const folders = new Set(
    tracked.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))),
  )
  const HEADED = /([\w/-]+\.md), "([^"]+)"/g

  // The bench makes one, which is not in the repository; some names are beginnings, as of `apply-….ts`.
  const isPlace = (place: string) =>
    folders.has(place) ||
    place === 'bench/results' ||
    [...folders].some((known) => known.startsWith(`${place}.`) || known.startsWith(`${place}-`))

  const placesIn = (file: string, text: string) => [
    ...[...text.matchAll(PLACE)]
      .map(([, place]) => place!)
      .filter((place) => !EXAMPLE.test(place) && !/[A-Z]{3}|-N\./.test(place))
      .filter((place) => !isPlace(place))
      .map((place) => `${file}: ${place}`),
    ...[...text.matchAll(HEADED)]
      .filter(([, page, heading]) => !anchorsIn(page!)?.has(heading!.toLowerCase().replaceAll(' ', '-')))
      .map(([cited]) => `${file}: ${cited}`),
  ]

  const commentsOf = (file: string, source: string) =>
    file.endsWith('.sql')
      ? source.match(/--.*$/gm)
      : /\.(?:toml|ya?ml)$|\.ci\/run$/.test(file)
        ? source.match(/#.*$/gm)
        : source.match(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)

  it('exists, in comments', () => {
    const others = tracked
      .filter((file) => /\.(?:sql|toml|ya?ml)$|\.ci\/run$/.test(file))
      .map((file) => ({ file, source: readFileSync(join(PROJECT, file), 'utf8') }))
    expect(others.length).toBeGreaterThan(2)
    const comments = [...FILES, ...others].map(({ file, source }) => ({
      file,
      text: (commentsOf(file, source) ?? []).join('\n'),
    }))
    expect(comments.flatMap(({ file, text }) => [...namedIn(file, text), ...placesIn(file, text)])).toEqual(
      [],
    )
  })

  it('exists, in templates and pages for people who change Parley', () => {
    const pages = tracked.filter((file) => /^(?:CONTRIBUTING|README|\.github\/.*)\.md$/.test(file))
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flatMap((page) => placesIn(page, readFileSync(join(PROJECT, page), 'utf8')))).toEqual([])
  })
})
