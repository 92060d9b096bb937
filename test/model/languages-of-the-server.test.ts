import { describe, expect, it } from 'vitest'
import { directionOf, Html } from '../../src/core/written-languages.ts'
import { refusalIn, textsOfRequest } from '../../src/http/pages/door-texts/texts-of-request.ts'
import { publicTexts } from '../../src/http/public-pages/texts.ts'
import type { MailTexts } from '../../src/model/emails/texts/english.ts'
import { textsFor } from '../../src/model/emails/texts/texts-for.ts'
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
const PEOPLE = ['⟨ada⟩', '⟨bo⟩', '⟨cy⟩', '⟨di⟩']
/** They take lists and facts, and have tests of their own. */
const OF_LISTS = new Set(['mail.missed.subject.group', 'mail.digest.more'])

function wholeOf(text: Leaf, values: readonly unknown[]): string {
  const made = typeof text === 'function' ? text(...values) : text
  return made instanceof Html ? made.text : String(made)
}

/** Returns which of the values a text has in it. */
function said(text: Leaf, values: readonly unknown[]): readonly unknown[] {
  if (typeof text !== 'function') return []
  const whole = wholeOf(text, values)
  return values.filter((value) => whole.includes(String(value)))
}

/** Returns the sentences of the texts of the doors, by path and place. */
function sentencesAtDoors(texts: ReadonlyMap<string, Leaf>): Map<string, string> {
  const doors = [...texts].filter(([path]) => path.startsWith('door.'))
  return new Map(
    doors.flatMap(([path, text]) =>
      wholeOf(text, PEOPLE)
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

  it('have every key of the English ones, and no other', () => {
    const texts = textsIn(language)
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [path, text] of texts) {
      expect(typeof text, path).toBe(typeof english.get(path))
      expect(text, path).not.toBe('')
    }
  })

  it('name whatever the English ones name', () => {
    for (const [path, text] of textsIn(language)) {
      if (!OF_LISTS.has(path)) expect(said(text, PEOPLE), path).toEqual(said(english.get(path)!, PEOPLE))
    }
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

  it('say to whom, how many and why', () => {
    const { missed, digest } = cataloguesIn(language).mail
    for (const count of [1, 2, 3, 4, 9]) {
      const people = Array.from({ length: count }, (_, at) => `⟨${at}⟩`)
      const group = missed.subject.group(people)
      const shown = count > 3 ? people.slice(0, 2) : people
      expect(people.filter((name) => group.includes(name))).toEqual(shown)
      if (count > 3) expect(group).toContain(String(count - 2))
    }
    expect(digest.more(17, true, ['⟨ada⟩'])).toMatch(/17.*⟨ada⟩|⟨ada⟩.*17/)
    expect(digest.more(17, true, [])).not.toBe(digest.more(17, false, []))
    expect(reasonsIn(missed)).toHaveLength(6)
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

/** Returns the different reasons for a mail, each with what it names. */
function reasonsIn({ why }: MailTexts['missed']): string[] {
  const about = { channel: '⟨channel⟩', conversation: '⟨topic⟩' }
  const causes = [
    ['mention', [], null],
    ['mention', ['⟨group⟩'], '⟨group⟩'],
    ['topic_wildcard_mention', ['⟨topic⟩']],
    ['channel_wildcard_mention', ['⟨channel⟩']],
    ['followed_topic', ['⟨topic⟩']],
    ['channel', ['⟨channel⟩']],
  ] as const
  const reasons = causes.map(([cause, named, group = null]) => {
    const reason = why[cause]({ group, ...about })
    expect(named.filter((name) => !reason.includes(name))).toEqual([])
    return reason
  })
  return [...new Set(reasons)].filter((reason) => reason !== '')
}
