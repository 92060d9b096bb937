import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { callsIn, nameOf, type Syntax } from './syntax.ts'

const HOOKS: ReadonlySet<string> = new Set(['beforeAll', 'beforeEach'])
const MAKERS: ReadonlySet<string> = new Set([
  'createRealm',
  'buildRealm',
  'buildUser',
  'buildUsers',
  'createBot',
  'buildBot',
  'buildChannel',
])

/** Files whose hooks make people themselves, with the reason. */
const BY_HAND: Readonly<Record<string, string>> = {
  'support/use-realm.ts': 'is the fixture',
  'features/realm/defaults-of-new-users.test.ts':
    'is about the making of accounts: one after each change of the defaults',
}

const FILES = readdirSync(join(PROJECT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

const calledName = ({ callee }: Syntax) => nameOf(callee as Syntax) ?? ''

/** Returns the names of the makers that hooks of a file call. */
function makersInHooks(name: string): string[] {
  const source = readFileSync(join(PROJECT, 'test', name), 'utf8')
  if (![...HOOKS].some((hook) => source.includes(`${hook}(`))) return []
  const { program } = parseSync(name, source)
  return callsIn(program)
    .filter((call) => HOOKS.has(calledName(call)))
    .flatMap((hook) => callsIn(hook.arguments))
    .map(calledName)
    .filter((called) => MAKERS.has(called))
}

it('hooks get their people and channels from test/support/use-realm.ts', () => {
  const makers = new Map(FILES.map((name) => [name, makersInHooks(name)]))
  const byHand = FILES.filter((name) => makers.get(name)!.length > 0)
  expect(byHand.toSorted()).toEqual(Object.keys(BY_HAND).toSorted())
})
