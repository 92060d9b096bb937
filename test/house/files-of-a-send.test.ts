import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { importsOf, readSourceTree } from './import-graph.ts'

/** The rooms that are about messages themselves; what else a send uses (users, channels, rules, SQL) serves everything. */
const ABOUT_MESSAGES = /^(?:features\/messages|model\/(?:messages|sending|notifications|website-previews))\//

const MOST_FILES = 22

it('a send reaches at most 22 files about messages', () => {
  const tree = readSourceTree(join(PROJECT, 'src'))
  const reached = new Set(['features/messages/send-message.ts'])
  for (const file of reached) {
    for (const target of importsOf(file, tree.get(file)!)) reached.add(target)
  }
  const files = [...reached].filter((file) => ABOUT_MESSAGES.test(file)).toSorted()
  expect(files).toContain('model/sending/store-message.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES)
})
