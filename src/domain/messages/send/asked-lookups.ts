import type { MarkdownLookups } from '../../../markdown/render.ts'

/** Lookups that answer questions. */
const ASKED = [
  'usersNamed',
  'userById',
  'groupNamed',
  'channelNamed',
  'newestInTopic',
  'customEmoji',
  'uploadedImage',
  'websitePreview',
  'externalPicture',
] as const

type Question = readonly (string | number)[]
type Ask = (...question: Question) => unknown

/**
 * What need not be answered alike: a link may have a message that was the newest a moment ago, and somebody may write in the
 * topic all the time.
 */
const MAY_DIFFER: ReadonlySet<(typeof ASKED)[number]> = new Set(['newestInTopic'] as const)

/** Facts that every rendering depends on. */
const FACTS = [
  'linkifiers',
  'realmUrl',
  'translateEmoticons',
  'inlineImagePreview',
  'defaultCodeBlockLanguage',
  'emptyTopicDisplayName',
] as const

interface Answer {
  readonly question: Question
  readonly answer: unknown
  /** As JSON. */
  readonly text: string
}

/**
 * What a rendering in several turns has asked for, and the answers, which stay the same meanwhile: so that it can be seen later whether it
 * would be the same.
 */
export class AskedLookups {
  /** By lookup and question. */
  readonly #answers = new Map<(typeof ASKED)[number], Map<string, Answer>>()
  #facts = ''

  /** Returns the lookups, which are recorded from now on. */
  over(lookups: MarkdownLookups): MarkdownLookups {
    this.#facts = factsOf(lookups)
    const recorded = ASKED.filter((name) => lookups[name]).map((name) => [
      name,
      this.#recording(lookups, name),
    ])
    return { ...lookups, ...Object.fromEntries(recorded) }
  }

  #recording(lookups: MarkdownLookups, name: (typeof ASKED)[number]): Ask {
    const ask = lookups[name] as Ask
    const answers = new Map<string, Answer>()
    this.#answers.set(name, answers)
    return (...question) => {
      const key = JSON.stringify(question)
      const known = answers.get(key)
      if (known) return known.answer
      const answer = ask(...question)
      answers.set(key, { question, answer, text: textOf(answer) })
      return answer
    }
  }

  /** Whether these lookups answer as those that were recorded. */
  areAnsweredAlike(lookups: MarkdownLookups): boolean {
    if (factsOf(lookups) !== this.#facts) return false
    return ASKED.every((name) => {
      const [ask, answers] = [lookups[name] as Ask | undefined, this.#answers.get(name)]
      if (!ask || !answers) return !ask && !answers
      if (MAY_DIFFER.has(name)) return true
      return [...answers.values()].every(({ question, text }) => textOf(ask(...question)) === text)
    })
  }
}

function factsOf(lookups: MarkdownLookups): string {
  return JSON.stringify(FACTS.map((name) => lookups[name]))
}

/** JSON has no text for undefined. */
function textOf(answer: unknown): string {
  return JSON.stringify(answer) ?? ''
}
