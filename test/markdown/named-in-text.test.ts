import { describe, expect, it } from 'vitest'
import { askForNamed } from '../../src/markdown/named-in-text.ts'
import { renderMarkdown } from '../../src/markdown/render.ts'
import { lookups } from './lookups.ts'

/** Returns what some work asks the lookups for. */
function asked(work: (recorded: typeof lookups) => void): string[] {
  const questions: string[] = []
  const note = <Question, Answer>(what: string, ask: (question: Question) => Answer) => {
    return (question: Question) => {
      questions.push(`${what} ${question}`)
      return ask(question)
    }
  }
  work({
    ...lookups,
    usersNamed: note('name', lookups.usersNamed),
    userById: note('id', lookups.userById),
    channelNamed: note('channel', lookups.channelNamed),
  })
  return questions
}

const TEXT = `@**Ada Lovelace** and @_**Iago|8** of #**announce>a topic**, #**a>b** and #**none**,
@**nobody** here, @**no
end** and @**open`

describe('What a text names', () => {
  it('is asked for as its rendering asks', () => {
    const ahead = new Set(asked((recorded) => askForNamed(TEXT, recorded)))
    const rendering = asked((recorded) => renderMarkdown(TEXT, recorded))
    expect(rendering).toContain('id 8')
    expect(rendering).toContain('channel announce')
    expect(rendering.filter((question) => !ahead.has(question))).toEqual([])
  })

  it('is found in one pass, however often nothing is named', () => {
    const openings = '#**@**@_**'.repeat(10_000)
    const questions = asked((recorded) => askForNamed(openings, recorded))
    expect(questions.length).toBeLessThan(30_000)
  })
})
