import type { Env } from 'markdown-it'
import { remember } from '../core/remember.ts'
import type { Address } from './addresses.ts'
import type { AlertWords } from './alert-words.ts'
import type { FirstUse } from './first-use.ts'
import { type MatchingBudget, newMatchingBudget } from './least-program.ts'

/** Facts that rendering gets from its caller, and those that it returns. */

export interface MentionableUser {
  id: number
  fullName: string
  isActive: boolean
}

export interface MentionableGroup {
  id: number
  name: string
  isDeactivated: boolean
}

/**
 * A website's description of itself, as plain text, which may contain anything. Without a picture it is not
 * shown.
 */
export interface WebsitePreview {
  /** '' for none. */
  title: string
  /** '' for none. */
  description: string
  /** Absolute address. */
  imageUrl: string
}

/** An uploaded picture, shown in a smaller form. */
export interface UploadedImage {
  /** `image/png`. */
  contentType: string
  /** Pixels, of the picture as it was uploaded. */
  width: number
  height: number
  /** Address of the smaller form. */
  thumbnailUrl: string
}

/** Facts that the domain reads synchronously from the realm's storage. */
export interface MarkdownLookups {
  /** Returns all users of exactly this full name (case-insensitive); [] for none. */
  usersNamed(fullName: string): MentionableUser[]
  userById(id: number): MentionableUser | undefined
  groupNamed(name: string): MentionableGroup | undefined
  /**
   * Finds a channel, whatever the case. Only channels whose metadata the sender may see, since a link would
   * reveal the name.
   */
  channelNamed(name: string): { id: number; name: string } | undefined
  /**
   * Returns the id of the newest message of a topic that the author may read; undefined for none. A link with it leads to
   * the topic after a move too. Absent where links have none.
   */
  newestInTopic?(channelId: number, topic: string): number | undefined
  /** Returns the active custom emoji of this name. `sourceUrl` goes into the page unchanged. */
  customEmoji(name: string): { id: string; sourceUrl: string } | undefined
  linkifiers: readonly { id: number; pattern: string; urlTemplate: string }[]
  alertWords: AlertWords
  /** Origin of the realm, without a slash at its end. */
  realmUrl: string
  translateEmoticons: boolean
  /** Time of writing, UNIX seconds, for moments with an incomplete date. Absent where there are none. */
  now?: number
  inlineImagePreview: boolean
  /**
   * Returns the picture at this path of uploads; undefined when the author may not show it, or it is shown as
   * it is. Absent where all are shown as they are.
   */
  uploadedImage?(path: string): UploadedImage | undefined
  /**
   * Returns what is known of the website at this address: null when there is nothing to show, undefined when
   * it has not been looked at. Absent where websites get no previews.
   */
  websitePreview?(url: string): WebsitePreview | null | undefined
  /**
   * Returns the address from which readers load a picture of another server; undefined when it must not be
   * shown. Absent where they load it from that server.
   */
  externalPicture?(address: string): string | undefined
  /** Language of code blocks that name none; '' for none. */
  defaultCodeBlockLanguage: string
  /** Name of the empty topic: "general chat". */
  emptyTopicDisplayName: string
  /** Makes what will be used for the first time; may throw to do that in turns of its own. Absent where it is made when it is used. */
  noteFirstUses?(uses: readonly FirstUse[]): void
}

export interface RenderedMarkdown {
  html: string
  /** Mentioned users, personally and not silently, and active; ascending, each once. */
  mentionedUserIds: number[]
  /** Mentioned groups, not silently; ascending, each once. */
  mentionedGroupIds: number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  channelWildcard: boolean
  /** `@**topic**`. */
  topicWildcard: boolean
  /** Users whose alert words occur; ascending, each once. */
  alertedUserIds: number[]
  /** Whether the text is a `/me` status. Clients cut the leading `<p>/me ` off themselves. */
  isMeMessage: boolean
  hasLink: boolean
  hasImage: boolean
  /** Path ids of linked uploads: `2/ab/xyz/name.png` for `/user_uploads/2/ab/xyz/name.png`. */
  uploadPaths: string[]
  /** Websites that would get a preview if they had been looked at, in their order, each once. */
  unseenWebsites: string[]
}

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

/** Returns the environment for the parser. */
export function envOf(context: RenderContext): Env {
  return { [contextKey]: context }
}

/** Returns the context of the rendering in which a rule runs. */
export function contextOf(env: Env): RenderContext {
  return env[contextKey] as RenderContext
}

/** Characters of descriptions, or of a profile, that are rendered in one commit: some 1 µs each. */
export const RENDERED_IN_ONE_COMMIT = 20_000
/** Cost of a character of a text with formulas, in characters of other text. */
const OF_FORMULAS = 5
/** The signs of a formula: dollars around it, or this word behind a fence. */
const FORMULAS = /\$\$|math/

/** Returns as many characters of ordinary text as cost what rendering these texts costs. */
export function renderingCost(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * (FORMULAS.test(text) ? OF_FORMULAS : 1), 0)
}
