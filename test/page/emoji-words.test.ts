import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import { LANGUAGES } from '../../web/texts/languages.ts'

const words = new Map<string, Readonly<Record<string, string>>>()

beforeAll(async () => {
  const { folder } = await buildPage()
  for (const name of readdirSync(join(folder, 'page'))) {
    const language = /^_emoji-words_([a-z]{2})-/.exec(name)?.[1]
    if (language === undefined) continue
    expect(readFileSync(join(folder, 'page', name), 'utf8')).toMatch(/^(?:var|const|let) /)
    const module = await import(pathToFileURL(join(folder, 'page', name)).href)
    words.set(language, module.default)
  }
}, 180_000)

describe('the words of emoji', () => {
  it('exist in every language of the page, for all emoji but the newest', () => {
    expect([...words.keys()].sort()).toEqual(Object.keys(LANGUAGES).sort())
    const all = Object.keys(words.get('en')!).length
    expect(all).toBeGreaterThan(1_800)
    for (const [language, known] of words) {
      expect([language, Object.keys(known).length / all]).toEqual([language, expect.closeTo(1, 1.5)])
    }
  })

  it('are of the language, for flags too', () => {
    const thumbs = Object.fromEntries([...words].map(([language, known]) => [language, known['1f44d']]))
    expect(thumbs.en).toMatch(/thumbs up/)
    expect(thumbs.de).toMatch(/Daumen hoch/)
    expect(thumbs.ar).toMatch(/^[\p{Script=Arabic} |]+$/u)
    expect(words.get('ar')!['1f1e9-1f1ea']).toContain('ألمانيا')
  })
})
