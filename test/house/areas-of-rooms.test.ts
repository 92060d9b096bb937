import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { findKnots, findMutualPairs, readSourceTree } from './import-graph.ts'

/** The areas of each room that import each other. The lists may only become shorter. */
const MUTUAL: Readonly<Record<string, readonly string[]>> = {
  dev: ['. <-> seed'],
  imports: ['. <-> discord', '. <-> mattermost', '. <-> public-server', '. <-> rocket-chat', '. <-> slack'],
  integrations: ['. <-> declared', '. <-> github', '. <-> gitlab', '. <-> slack'],
  markdown: ['. <-> rules'],
  realm: ['. <-> jobs'],
  store: ['messages <-> subscriptions'],
}

/** The most areas of a room that are one knot. */
const LARGEST_KNOT: Readonly<Record<string, number>> = { realm: 2, http: 0, outgoing: 0 }

const tree = readSourceTree(join(PROJECT, 'src'))
const rooms = [
  ...new Set([...tree.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]!)),
]

describe('areas of a room', () => {
  it('import each other only where the list says so', () => {
    const mutual = rooms.map((room) => [room, findMutualPairs(tree, room).toSorted()] as const)
    expect(Object.fromEntries(mutual.filter(([, pairs]) => pairs.length > 0))).toEqual(MUTUAL)
  })

  it.for(Object.entries(LARGEST_KNOT))('of %s are no knot of more than %i', ([room, most]) => {
    expect(findKnots(tree, room).filter(({ length }) => length > most)).toEqual([])
  })
})

describe('the check itself', () => {
  const of = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files))

  it('finds areas that import each other, and counts loose files as one', () => {
    const pair = of({
      'model/a/x.ts': "import { y } from '../b/y.ts'\n",
      'model/b/y.ts': "import type { Z } from '../a/z.ts'\n",
      'model/a/z.ts': "import { top } from '../top.ts'\n",
      'model/top.ts': '',
    })
    expect(findMutualPairs(pair, 'model')).toEqual(['a <-> b'])
    expect(findKnots(pair, 'model')).toEqual([['a', 'b']])
  })

  it('finds a knot of areas of which no two import each other', () => {
    const ring = of({
      'model/a/x.ts': "import { y } from '../b/y.ts'\n",
      'model/b/y.ts': "import { z } from '../c/z.ts'\n",
      'model/c/z.ts': "import { w } from '../a/w.ts'\n",
      'model/a/w.ts': '',
    })
    expect(findMutualPairs(ring, 'model')).toEqual([])
    expect(findKnots(ring, 'model')).toEqual([['a', 'b', 'c']])
  })
})
