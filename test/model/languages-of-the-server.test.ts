import { describe, expect, it } from 'vitest'
import { directionOf, Html } from '../../src/core/written-languages.ts'
import { refusalIn, textsOfRequest } from '../../src/http/html/texts-of-request.ts'
import { publicTexts } from '../../src/http/public-pages/texts.ts'
import { namesIn, textsFor } from '../../src/model/emails/texts-for.ts'
import { LANGUAGES } from '../../web/texts/languages.ts'

type Leaf = string | ((...values: unknown[]) => unknown)

/** Every catalogue of the server, in a language of the page. */
function cataloguesIn(language: string) {
  const headers = new Headers({ 'Accept-Language': `xx, ${language}-XX;q=0.9, en;q=0.5` })
  return {
    door: textsOfRequest({ headers }),
    mail: textsFor({ settings: { default_language: language } }),
    public: publicTexts(language),
  }
}

/** Returns every text of a catalogue, by its path. */
function leaves(value: unknown, path: string): [string, Leaf][] {
  if (typeof value !== 'object' || value === null) return [[path, value as Leaf]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}.${key}`))
}

const textsIn = (language: string) =>
  new Map(Object.entries(cataloguesIn(language)).flatMap(([name, texts]) => leaves(texts, name)))
const english = textsIn('en')
/** Each parameter is its name; where there is but one, it is a name too. */
const NAMED = new Proxy(() => {}, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '⟨name⟩' : `⟨${String(name)}⟩`),
})

function wholeOf(text: Leaf): string {
  const made = typeof text === 'function' ? text(NAMED) : text
  return made instanceof Html ? made.text : String(made)
}

/** Returns the sentences of the texts of the doors, by path and place. */
function sentencesAtDoors(texts: ReadonlyMap<string, Leaf>): Map<string, string> {
  const doors = [...texts].filter(([path]) => path.startsWith('auth.'))
  return new Map(
    doors.flatMap(([path, text]) =>
      wholeOf(text)
        .split(/(?<=[.!?؟？。])\s*/)
        .map((sentence, at) => [`${path} ${at}`, sentence] as const),
    ),
  )
}

describe.each(Object.keys(LANGUAGES))('the texts of the server in %s', (language) => {
  it('are those of the page’s language, in its direction', () => {
    const { door, mail, public: pages } = cataloguesIn(language)
    expect([door.language, mail.language, pages.language]).toEqual([language, language, language])
    expect(directionOf(language).text.trim()).toBe(LANGUAGES[language]!.isRightToLeft ? 'dir="rtl"' : '')
  })

  it('say a thing of their own, apart from names of products', () => {
    if (language === 'en') return
    const same = [...textsIn(language)].filter(
      ([path, text]) => typeof text === 'string' && text === english.get(path) && /[a-z]{4}.* /i.test(text),
    )
    expect(same).toEqual([])
  })

  it('repeat at the doors each sentence that the English ones repeat', () => {
    const sentences = sentencesAtDoors(textsIn(language))
    // Shorter ones, such as “Choose another one.”, depend on what goes before.
    const long = [...sentencesAtDoors(english)].filter(([, sentence]) => sentence.split(' ').length >= 6)
    for (const [sentence, places] of Map.groupBy(long, ([, one]) => one)) {
      const all = new Set(places.map(([place]) => sentences.get(place)))
      expect([...all], sentence).toHaveLength(1)
    }
  })

  it('name up to three people, and count the others', () => {
    const { mail } = cataloguesIn(language)
    for (const count of [1, 2, 3, 4, 9]) {
      const people = Array.from({ length: count }, (_, at) => `⟨${at}⟩`)
      const named = namesIn(mail, people)
      const shown = count > 3 ? people.slice(0, 2) : people
      expect(people.filter((name) => named.includes(name))).toEqual(shown)
      if (count > 3) expect(named).toContain(String(count - 2))
    }
  })

  it('have the API’s refusals too, where the doors have no words of their own', () => {
    const { door } = cataloguesIn(language)
    const message = "Channel 'harbour' does not exist"
    const refused = refusalIn(door, { message })
    expect(refused).toContain('harbour')
    expect(refused === message).toBe(language === 'en')
  })

  it('say how long to wait after too many attempts', () => {
    const { door } = cataloguesIn(language)
    const refused = (wait: number) =>
      refusalIn(door, {
        message: 'API usage exceeded rate limit',
        status: 429,
        extra: { 'retry-after': wait },
      })
    expect(refused(41.2)).toContain('42')
    expect(refused(14 * 60)).toContain('14')
    expect(refused(14 * 60)).not.toBe(refused(14))
  })
})
