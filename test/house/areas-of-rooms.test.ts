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

/** The most areas of a room that are one knot; 0 for rooms without one. The numbers may only become smaller. */
const LARGEST_KNOT: Readonly<Record<string, number>> = {
  dev: 2,
  imports: 6,
  integrations: 5,
  markdown: 2,
  model: 28,
  realm: 2,
  store: 2,
}

const tree = readSourceTree(join(PROJECT, 'src'))
const rooms = [
  ...new Set([...tree.keys()].filter((file) => file.includes('/')).map((file) => file.split('/')[0]!)),
]

describe('areas of a room', () => {
  it('import each other only where the list says so', () => {
    const mutual = rooms.map((room) => [room, findMutualPairs(tree, room).toSorted()] as const)
    expect(Object.fromEntries(mutual.filter(([, pairs]) => pairs.length > 0))).toEqual(MUTUAL)
  })

  it.for(rooms)('of %s are no larger knot than the list says', (room) => {
    const largest = Math.max(0, ...findKnots(tree, room).map(({ length }) => length))
    expect(largest).toBe(LARGEST_KNOT[room] ?? 0)
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
