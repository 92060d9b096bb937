import type { Env } from 'markdown-it'
import type { MarkdownLookups } from './render-types.ts'

/** The facts that the rules read and collect during one rendering. They live in markdown-it's `env`. */
export interface RenderContext {
  readonly lookups: MarkdownLookups
  /** Depth of quotes around the text being parsed: quoted mentions do not notify. */
  quoteDepth: number
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  readonly uploadPaths: Set<string>
  readonly unseenWebsites: Set<string>
  /** Characters of HTML that formulas have taken so far. */
  formulaHtml: number
  /** The end of the fence that opens in a line, as far as an enclosing fence has already found it out. */
  readonly fenceEnds: Map<number, number>
}

const contextKey = Symbol('render context')

export function createContext(lookups: MarkdownLookups): RenderContext {
  return {
    lookups: rememberAnswers(lookups),
    quoteDepth: 0,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    uploadPaths: new Set(),
    unseenWebsites: new Set(),
    formulaHtml: 0,
    fenceEnds: new Map(),
  }
}

/**
 * The lookups with a memory: a text may name the same thing a thousand times, the parser may read a name more
 * than once, and each question is a query of the realm's storage.
 */
function rememberAnswers(lookups: MarkdownLookups): MarkdownLookups {
  return {
    ...lookups,
    usersNamed: remember((name: string) => lookups.usersNamed(name)),
    userById: remember((id: number) => lookups.userById(id)),
    groupNamed: remember((name: string) => lookups.groupNamed(name)),
    channelNamed: remember((name: string) => lookups.channelNamed(name)),
    customEmoji: remember((name: string) => lookups.customEmoji(name)),
  }
}

function remember<Question, Answer>(ask: (question: Question) => Answer): (question: Question) => Answer {
  const answers = new Map<Question, Answer>()
  return (question) => {
    const known = answers.get(question)
    if (known !== undefined || answers.has(question)) return known as Answer
    const answer = ask(question)
    answers.set(question, answer)
    return answer
  }
}

/** The environment to parse with. */
export function envOf(context: RenderContext): Env {
  return { [contextKey]: context }
}

/** The context of the rendering a rule runs in. */
export function contextOf(env: Env): RenderContext {
  return env[contextKey] as RenderContext
}
