import type { MarkdownLookups } from '../../../markdown/render.ts'

/** Lookups that answer questions. */
const ASKED = [
  'usersNamed',
  'userById',
  'groupNamed',
  'channelNamed',
  'customEmoji',
  'uploadedImage',
  'websitePreview',
  'externalPicture',
] as const

type Ask = (question: string | number) => unknown

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
  readonly #answers = new Map<(typeof ASKED)[number], Map<string | number, Answer>>()
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
    const answers = new Map<string | number, Answer>()
    this.#answers.set(name, answers)
    return (question) => {
      const known = answers.get(question)
      if (known) return known.answer
      const answer = ask(question)
      answers.set(question, { answer, text: textOf(answer) })
      return answer
    }
  }

  /** Whether these lookups answer as those that were recorded. */
  areAnsweredAlike(lookups: MarkdownLookups): boolean {
    if (factsOf(lookups) !== this.#facts) return false
    return ASKED.every((name) => {
      const [ask, answers] = [lookups[name] as Ask | undefined, this.#answers.get(name)]
      if (!ask || !answers) return !ask && !answers
      return [...answers].every(([question, { text }]) => textOf(ask(question)) === text)
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
