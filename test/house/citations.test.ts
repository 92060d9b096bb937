import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
