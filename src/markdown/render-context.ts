import type { Env } from 'markdown-it'
import type { MarkdownLookups } from './render-types.ts'

/** What the rules read and collect during one rendering. Lives in markdown-it's `env`. */
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
  /** Characters of HTML that formulas have taken so far. */
  formulaHtml: number
  /** Where the fence that opens in a line ends, as far as an enclosing fence has already found out. */
  readonly fenceEnds: Map<number, number>
}

const contextKey = Symbol('render context')

export function createContext(lookups: MarkdownLookups): RenderContext {
  return {
    lookups,
    quoteDepth: 0,
    mentionedUserIds: new Set(),
    mentionedGroupIds: new Set(),
    channelWildcard: false,
    topicWildcard: false,
    hasLink: false,
    hasImage: false,
    uploadPaths: new Set(),
    formulaHtml: 0,
    fenceEnds: new Map(),
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
