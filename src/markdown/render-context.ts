import type { Env } from 'markdown-it'
import type { Address } from './addresses.ts'
import { type MatchingBudget, newMatchingBudget } from './matching-budget.ts'
import type { MarkdownLookups } from './render-types.ts'

/** Facts that the rules read and collect during one rendering, kept in markdown-it's `env`. */
export interface RenderContext {
  readonly lookups: MarkdownLookups
  /** Depth of quotes around the text that is parsed: quoted mentions do not notify. */
  quoteDepth: number
  readonly mentionedUserIds: Set<number>
  readonly mentionedGroupIds: Set<number>
  channelWildcard: boolean
  topicWildcard: boolean
  hasLink: boolean
  hasImage: boolean
  readonly uploadPaths: Set<string>
  readonly unseenWebsites: Set<string>
  /** The budget that is left for matching the organization's linkifiers. */
  readonly matching: MatchingBudget
  /** Characters of HTML of all formulas so far. */
  formulaHtml: number
  /** Cells of all tables so far. */
  tableCells: number
  /** Languages whose code has been coloured, by their names in the highlighter. */
  readonly coloredLanguages: Set<string>
  /** The addresses of the text that was asked for last. */
  addresses: { readonly text: string; readonly found: readonly Address[] }
  /** Last line of the fence that opens in a line, as far as an enclosing fence has found it already. */
  readonly fenceEnds: Map<number, number>
}

const contextKey = Symbol('render context')

const NO_ADDRESSES = { text: '', found: [] }

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
    matching: newMatchingBudget(),
    formulaHtml: 0,
    tableCells: 0,
    coloredLanguages: new Set(),
    addresses: NO_ADDRESSES,
    fenceEnds: new Map(),
  }
}

/**
 * Returns the lookups with a memory: a text may name the same thing a thousand times, the parser may read a
 * name more than once, and each lookup is a query of the realm's storage.
 */
function rememberAnswers(lookups: MarkdownLookups): MarkdownLookups {
  const { newestInTopic } = lookups
  const newestIn = remember((channelId: number) =>
    remember((topic: string) => newestInTopic!(channelId, topic)),
  )
  return {
    ...lookups,
    ...(newestInTopic ? { newestInTopic: (channelId, topic) => newestIn(channelId)(topic) } : {}),
    usersNamed: remember((name: string) => lookups.usersNamed(name)),
    userById: remember((id: number) => lookups.userById(id)),
    groupNamed: remember((name: string) => lookups.groupNamed(name)),
    channelNamed: remember((name: string) => lookups.channelNamed(name)),
    customEmoji: remember((name: string) => lookups.customEmoji(name)),
  }
}

function remember<Question, Answer>(ask: (question: Question) => Answer): (question: Question) => Answer {
  let answers: Map<Question, Answer> | undefined
  return (question) => {
    answers ??= new Map()
    const known = answers.get(question)
    if (known !== undefined || answers.has(question)) return known as Answer
    const answer = ask(question)
    answers.set(question, answer)
    return answer
  }
}

/** Returns the environment for the parser. */
export function envOf(context: RenderContext): Env {
  return { [contextKey]: context }
}

/** Returns the context of the rendering in which a rule runs. */
export function contextOf(env: Env): RenderContext {
  return env[contextKey] as RenderContext
}

/** Characters of descriptions, or of a profile, that are rendered in one commit: some 1 µs each (markdown/render-context.ts). */
export const RENDERED_IN_ONE_COMMIT = 20_000
/** Cost of a character of a text with formulas, in characters of other text. */
const OF_FORMULAS = 5
/** The signs of a formula: dollars around it, or this word behind a fence. */
const FORMULAS = /\$\$|math/

/** Returns as many characters of ordinary text as cost what rendering these texts costs. */
export function renderingCost(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * (FORMULAS.test(text) ? OF_FORMULAS : 1), 0)
}
