import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import {
  findHiddenWrites,
  findRealmInWorker,
  findRowsWithTransaction,
  findStraySql,
  findWorkerElsewhere,
  findWrongFloors,
  floorsOf,
} from './floors.ts'
import {
  FLOORS_OF_PAGE,
  findCycles,
  findFeaturesInFeatures,
  findServerInPage,
  findUnknownRooms,
  findWrongDirections,
  readSourceTree,
  type SourceTree,
} from './import-graph.ts'

describe('imports in src', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))

  it('go down the layers only', () => {
    expect(findWrongDirections(tree)).toEqual([])
  })

  it('have no cycle', () => {
    expect(findCycles(tree)).toEqual([])
  })

  it('go only between folders that the table lists', () => {
    expect(tree.size).toBeGreaterThan(0)
    expect(findUnknownRooms(tree)).toEqual([])
  })
})

describe('imports in features', () => {
  it('never lead from one feature to another', () => {
    expect(findFeaturesInFeatures(readSourceTree(join(PROJECT, 'src')))).toEqual([])
  })
})

describe('imports in model', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))

  it('go down from effects to reads and plain rules', () => {
    expect(new Set(floorsOf(tree).values()).size).toBe(3)
    expect(findWrongFloors(tree)).toEqual([])
  })

  it('give the store nothing of the realm object but its SQL', () => {
    expect(findRowsWithTransaction(tree)).toEqual([])
  })
})

describe('what runs in the Worker', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))

  it('is in folders named for it, which import nothing of the realm object', () => {
    expect([...tree.keys()].filter((file) => file.includes('/in-worker/')).length).toBeGreaterThan(0)
    expect(findRealmInWorker(tree)).toEqual([])
  })

  it('hashes no password, which takes longer than the free plan allows', () => {
    const hashing = [...tree].filter(([, text]) => /\bscryptSync\b/.test(text)).map(([file]) => file)
    expect(hashing).toEqual(['hasher/password-hash.ts'])
    const importers = [...tree]
      .filter(([, text]) => text.includes("'./password-hash.ts'"))
      .map(([file]) => file)
    expect(importers).toEqual(['hasher/hasher-object.ts'])
  })

  it('is nowhere else in model', () => {
    expect(findWorkerElsewhere(tree)).toEqual([])
  })
})

describe('SQL', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))

  it('is only in the storage folders', () => {
    expect(findStraySql(tree)).toEqual([])
  })

  it('never writes through an interface that readers have', () => {
    expect(findHiddenWrites(tree)).toEqual([])
  })
})

describe('imports in web', () => {
  const tree = readSourceTree(join(PROJECT, 'web'))

  it('go down the layers only', () => {
    expect(findWrongDirections(tree, FLOORS_OF_PAGE)).toEqual([])
  })

  it('take of the server types of the API and pure rules alone', () => {
    expect(findServerInPage(tree, readSourceTree(join(PROJECT, 'src')))).toEqual([])
  })

  it('have no cycle', () => {
    expect(findCycles(tree)).toEqual([])
  })

  it('go only between folders that the table lists', () => {
    expect(tree.size).toBeGreaterThan(0)
    expect(findUnknownRooms(tree, FLOORS_OF_PAGE)).toEqual([])
  })
})

describe('the check itself', () => {
  const treeOf = (files: Record<string, string>): SourceTree => new Map(Object.entries(files))

  it('finds an import from a layer above, of types too', () => {
    const tree = treeOf({
      'model/a.ts': "import type { B } from '../http/b.ts'\n",
      'http/b.ts': "import { a } from '../model/a.ts'\n",
    })
    expect(findWrongDirections(tree)).toEqual(['model/a.ts imports http/b.ts: model must not know http'])
  })

  it('finds an import between folders of one layer', () => {
    const tree = treeOf({ 'markdown/a.ts': "export * from '../rules/b.ts'\n", 'rules/b.ts': '' })
    expect(findWrongDirections(tree)).toEqual([
      'markdown/a.ts imports rules/b.ts: markdown must not know rules',
    ])
  })

  it('finds an import on several lines, or a dynamic one', () => {
    const tree = treeOf({
      'core/a.ts': "import {\n  b,\n} from\n  '../rules/b.ts'\nawait import('../http/c.ts')\n",
      'rules/b.ts': '',
      'http/c.ts': '',
    })
    expect(findWrongDirections(tree)).toHaveLength(2)
  })

  it('finds a cycle within a folder', () => {
    const tree = treeOf({
      'core/a.ts': "import './b.ts'\n",
      'core/b.ts': "import './c.ts'\n",
      'core/c.ts': "import './a.ts'\n",
    })
    expect(findCycles(tree)).toEqual(['core/a.ts → core/b.ts → core/c.ts → core/a.ts'])
  })

  it('knows a model file’s floor by its text', () => {
    const tree = treeOf({
      'model/a/announce.ts': "import type { RealmTransaction } from '../../core/realm-transaction.ts'\n",
      'model/a/find.ts': "import type { RealmReads } from '../../core/realm-transaction.ts'\n",
      'model/a/find-more.ts': "import { find } from './find.ts'\n",
      'model/a/find-row.ts': "import { thing } from '../../store/a/thing-rows.ts'\n",
      'store/a/thing-rows.ts': "import type { Sql } from '../../core/sql.ts'\n",
      'model/a/words.ts': '',
    })
    expect(Object.fromEntries(floorsOf(tree))).toEqual({
      'model/a/announce.ts': 'effects',
      'model/a/find.ts': 'reads',
      'model/a/find-more.ts': 'reads',
      'model/a/find-row.ts': 'reads',
      'model/a/words.ts': 'plain',
    })
  })

  it('finds an import of a floor above', () => {
    const tree = treeOf({
      'model/a/find.ts': "import { Sql } from '../../core/sql.ts'\nimport { put } from './put.ts'\n",
      'model/a/put.ts': "import type { RealmTransaction } from '../../core/realm-transaction.ts'\n",
    })
    expect(findWrongFloors(tree)).toEqual(['model/a/find.ts (reads) imports model/a/put.ts (effects)'])
  })

  it('finds SQL outside the storage folders, and a write that looks like a read', () => {
    const tree = treeOf({
      'model/a/find.ts': 'sql.all(`SELECT 1`)\n',
      'store/a/thing-rows.ts': 'sql.first(`DELETE FROM a RETURNING b`)\n',
      'store/a/value-rows.ts': 'sql.value<string>(\n  `UPDATE a SET b = 1 RETURNING b`,\n)\n',
      'store/a/whole-rows.ts': 'THINGS.all(tx.sql, `INSERT INTO a VALUES (1) RETURNING id`)\n',
      'store/a/written-rows.ts': 'sql.runForValue(`DELETE FROM a RETURNING b`)\n',
    })
    expect(findStraySql(tree)).toEqual(['model/a/find.ts'])
    expect(findHiddenWrites(tree)).toEqual([
      'store/a/thing-rows.ts',
      'store/a/value-rows.ts',
      'store/a/whole-rows.ts',
    ])
  })

  it('finds realm imports in Worker code, and Worker code in other folders', () => {
    const tree = treeOf({
      'model/a/in-worker/finish.ts':
        "import { find } from '../find.ts'\nimport type { B } from '../../../store/a/b-rows.ts'\n",
      'model/a/find.ts': "import type { Sql } from '../../core/sql.ts'\n",
      'store/a/b-rows.ts': '',
      'model/a/words.ts': '',
      'http/a.ts': "import { word } from '../model/a/words.ts'\n",
      'realm/a.ts': "import { find } from '../model/a/find.ts'\nimport '../store/a/b-rows.ts'\n",
    })
    expect(findRealmInWorker(tree)).toEqual(['model/a/in-worker/finish.ts imports values of model/a/find.ts'])
    expect(findWorkerElsewhere(tree)).toEqual(['model/a/words.ts'])
  })

  it('finds more of the server in the page than types of the API and rules', () => {
    const from = (path: string) => `from '../../src/${path}'\n`
    const page = treeOf({
      'state/a.ts': `import type { B } ${from('events/b.ts')}import { c } ${from('rules/c.ts')}`,
      'state/d.ts': `import { b } ${from('events/b.ts')}import type { M } ${from('model/m.ts')}`,
      'state/e.ts': `export type { No } ${from('events/no.ts')}`,
    })
    const server = treeOf({ 'events/b.ts': '', 'rules/c.ts': '', 'model/m.ts': '' })
    expect(findServerInPage(page, server)).toEqual([
      'state/d.ts imports code of src/events/b.ts',
      'state/d.ts imports types of src/model/m.ts',
      'state/e.ts imports types of src/events/no.ts',
    ])
  })

  it('finds a folder that the table does not list', () => {
    expect(findUnknownRooms(treeOf({ 'utils/a.ts': '', 'core/b.ts': '' }))).toEqual(['utils'])
  })
})
