import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { examplesPage } from '../../scripts/examples-page.ts'
import {
  eventTypesPage,
  operationsPage,
  permissionSettingsPage,
  routeOf,
} from '../../scripts/interface-pages.ts'
import { PROJECT } from '../../scripts/project.ts'
import { EVENT_TYPES } from '../../src/events/index.ts'
import { ENDPOINTS } from '../../src/features/index.ts'
import { GROUP_SETTINGS } from '../../src/rules/group-settings.ts'
import { anchorsOf, linksIn } from './headings.ts'

const read = (path: string) => readFileSync(join(PROJECT, path), 'utf8')

const MADE = ['operations', 'event-types', 'permission-settings', 'examples'].map(
  (name) => `docs/interface/${name}.md`,
)
const PAGES = readdirSync(join(PROJECT, 'docs/interface'))
  .map((name) => `docs/interface/${name}`)
  .filter((path) => !MADE.includes(path))

/** Returns the files of a folder and its subfolders, as paths from the project's root. */
function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)
}

describe('docs/interface', () => {
  it('equals what the declarations generate (npm run interface)', () => {
    expect(read('docs/interface/operations.md')).toBe(operationsPage(ENDPOINTS))
    expect(read('docs/interface/examples.md')).toBe(examplesPage())
    expect(read('docs/interface/event-types.md')).toBe(eventTypesPage([...EVENT_TYPES.values()]))
    expect(read('docs/interface/permission-settings.md')).toBe(permissionSettingsPage(GROUP_SETTINGS))
  })

  it('describes every operation once, with its route', () => {
    const described = PAGES.flatMap((path) => [
      ...read(path).matchAll(/^\[`([a-z0-9-]+)`\]\(operations\.md#([a-z0-9-]+)\) `([A-Z]+ [^`]+)`/gm),
    ]).map(([, operation, anchor, route]) => `${operation} ${anchor} ${route}`)
    const declared = ENDPOINTS.map((it) => `${it.operation} ${it.operation} ${routeOf(it)}`)
    expect(described.toSorted()).toEqual(declared.toSorted())
  })

  it('describes every type of event', () => {
    const headings = read('docs/interface/events.md').matchAll(
      /^\| \[`([a-z_]+)`\]\(event-types\.md#([a-z_]+)\)/gm,
    )
    const described = [...headings].map(([, type, anchor]) => (type === anchor ? type : `${type}, ${anchor}`))
    expect([...new Set(described)].toSorted()).toEqual([...EVENT_TYPES.keys()].toSorted())
  })

  it('quotes only texts of the server', () => {
    const source = sourceOfTheServer()
    const missing = PAGES.flatMap((path) =>
      quotedIn(read(path)).filter((text) => !fragmentsOf(text).every((part) => source.includes(part))),
    )
    expect(missing).toEqual([])
  })
})

describe('refusals', () => {
  it('are quoted on a page of docs/interface, word for word', () => {
    const described = PAGES.map((path) => open(read(path).replaceAll(/\s+/g, ' '))).join('\n')
    const missing = filesBelow('src', '.ts').flatMap((path) =>
      refusalsIn(withoutJoins(read(path)))
        .filter((text) => !described.includes(text))
        .map((text) => `${path}: ${text}`),
    )
    expect(missing).toEqual([])
  })
})

describe('links', () => {
  it('lead to existing pages and headings', () => {
    const pages = ['README.md', 'CHANGELOG.md', ...filesBelow('docs', '.md')]
    const dead = pages.flatMap((page) =>
      linksIn(read(page)).flatMap(({ path, anchor }) => {
        const target = path === '' ? page : normalize(join(dirname(page), path))
        if (!existsSync(join(PROJECT, target))) return [`${page}: ${path}`]
        return anchor === '' || anchorsOf(read(target)).has(anchor) ? [] : [`${page}: ${path}#${anchor}`]
      }),
    )
    expect(dead).toEqual([])
  })
})

/** The text of all of the server's source files. */
function sourceOfTheServer(): string {
  const files = [...filesBelow('src', '.ts'), ...filesBelow('texts/en', '.json')]
  return files.map(read).map(withoutJoins).join('\n').replaceAll('\\n', '\n')
}

/** Long sentences are put together from parts. */
function withoutJoins(source: string): string {
  return source.replaceAll(/['"`]\s*\+\s*['"`]/g, '').replaceAll(/\\(['"`])/g, '$1')
}

const REFUSAL =
  /(?:BadRequest|NotFound|Unauthorized|UnauthorizedPrincipal)Error\(\s*(?:'([^'\n]+)'|"([^"\n]+)"|`([^`\n]+)`)/g

/** Returns the sentences of refusals, with `{}` for each part that varies. */
function refusalsIn(source: string): string[] {
  return [...source.matchAll(REFUSAL)].map(([, ...texts]) => open(texts.find((text) => text !== undefined)!))
}

/** Returns a text with `{}` for each part that varies. */
function open(text: string): string {
  return text.replaceAll(/\$?\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
}

/** Returns the sentences between “ and ”. */
function quotedIn(page: string): string[] {
  return [...page.matchAll(/“([^”]+)”/g)].map(([, text]) => text!.replaceAll(/\s+/g, ' '))
}

/** Returns the parts of a text between its placeholders: `Channel '{name}' does not exist`. */
function fragmentsOf(text: string): string[] {
  return text
    .split(/\{[^}]*\}|…/)
    .map((part) => part.trim())
    .filter((part) => part.length > 2)
}
