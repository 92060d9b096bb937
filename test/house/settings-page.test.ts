import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../scripts/project.ts'
import { updateStreamEndpoint } from '../../src/features/channels/update-stream.ts'
import { SUBSCRIPTION_PROPERTIES } from '../../src/features/subscriptions/update-subscription-settings.ts'
import { updateUserGroupEndpoint } from '../../src/features/user-groups/user-groups.ts'
import { REALM_GROUP_SETTINGS } from '../../src/rules/group-settings.ts'
import { REALM_PROPERTY_NAMES } from '../../src/store/realm/realm-properties.ts'
import { USER_SETTING_NAMES } from '../../src/store/users/settings/user-settings.ts'
import { settingsPage } from '../settings-table/page.ts'
import { BOTH_SIDES, PERMISSIONS_BOTH_SIDES, SETTINGS_TABLE } from '../settings-table/table.ts'

/** The names of all settings that the server accepts, from its own tables and declarations. */
function settingsOfTheServer(): string[] {
  const paramsOf = ({ params }: { params: object }, of: string) =>
    Object.keys(params).filter((name) => name !== of)
  return [
    ...USER_SETTING_NAMES.map((name) => `user ${name}`),
    ...SUBSCRIPTION_PROPERTIES.map((name) => `subscription ${name}`),
    ...REALM_PROPERTY_NAMES.map((name) => `realm ${name}`),
    ...REALM_GROUP_SETTINGS.map(({ name }) => `realm ${name}`),
    ...paramsOf(updateStreamEndpoint, 'stream_id').map((name) => `channel ${name}`),
    ...paramsOf(updateUserGroupEndpoint, 'user_group_id').map((name) => `group ${name}`),
  ]
}

/** Returns the names of tests and blocks in a file, and the keys of its tables of tests. */
function titlesIn(path: string): Set<string> {
  const source = readFileSync(join(PROJECT, path), 'utf8')
  const titles = source.matchAll(/\b(?:it|test|describe)\(\s*'((?:[^'\\]|\\.)*)'/g)
  const keys = [BOTH_SIDES, PERMISSIONS_BOTH_SIDES].includes(path)
    ? source.matchAll(/^ {2}'([a-z]+ [a-z_]+)':? /gm)
    : []
  return new Set([...titles, ...keys].map(([, title]) => title!))
}

describe('the table of settings', () => {
  it('has every setting of the server, and no other', () => {
    expect([...SETTINGS_TABLE.keys()].sort()).toEqual(settingsOfTheServer().sort())
  })

  it('names existing tests, in files that mention the setting', () => {
    const missing = [...SETTINGS_TABLE].flatMap(([key, { known }]) => {
      if (!('by' in known)) return []
      const [, name] = key.split(' ')
      const isThere =
        existsSync(join(PROJECT, known.by)) &&
        titlesIn(known.by).has(known.named) &&
        readFileSync(join(PROJECT, known.by), 'utf8').split(/\W+/).includes(name!)
      return isThere ? [] : [`${key}: ${known.by}, ${known.named}`]
    })
    expect(missing).toEqual([])
  })
})

/** Names under which the page knows settings of the organization. */
const IN_PAGE: Readonly<Record<string, string>> = { giphy_rating: 'gif_rating_policy' }

/** Returns the words in the sources of views. */
function wordsIn(views: string): Set<string> {
  const folder = join(PROJECT, 'web/views', views)
  const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return new Set(sources.join('\n').split(/\W+/))
}

/** Returns the names that the page has for settings with an effect, or for those without one. */
function namesInPage(wanted: 'realm' | 'user', hasEffect: boolean): string[] {
  return [...SETTINGS_TABLE].flatMap(([key, { known }]) => {
    const [level, name] = key.split(' ') as [string, string]
    return level === wanted && 'notYet' in known !== hasEffect ? [IN_PAGE[name] ?? name] : []
  })
}

describe('the page’s settings', () => {
  it('have a field for each setting of the organization that has an effect', () => {
    const words = wordsIn('organization')
    expect(namesInPage('realm', true).filter((name) => !words.has(name))).toEqual([])
  })

  it('have no field for a setting without an effect', () => {
    const words = new Set([...wordsIn('organization'), ...wordsIn('settings')])
    const without = [...namesInPage('realm', false), ...namesInPage('user', false)]
    expect(without.length).toBeGreaterThan(0)
    expect(without.filter((name) => words.has(name))).toEqual([])
  })

  it('tell nobody of endpoints, or of work that is left', () => {
    const folder = join(PROJECT, 'texts/en')
    const found = readdirSync(folder).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(
          /\b(?:GET|POST|PUT|PATCH|DELETE) \/\w+|\bnot on this page/gi,
        ),
      ].map(([text]) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('docs/settings.md', () => {
  it('equals what the table of settings generates (npm run settings)', () => {
    expect(readFileSync(join(PROJECT, 'docs/settings.md'), 'utf8')).toBe(settingsPage())
  })
})
