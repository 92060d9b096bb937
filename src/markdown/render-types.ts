import type { Env } from 'markdown-it'
import { remember } from '../core/remember.ts'
import type { Address } from './addresses.ts'
import type { AlertWords } from './alert-words.ts'
import { type MatchingBudget, newMatchingBudget } from './least-program.ts'

/** Facts that rendering receives from its caller or returns. */

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

/** A website's description of itself: plain text with arbitrary content. It is only shown with a picture. */
export interface WebsitePreview {
  /** '' for none. */
  title: string
  /** '' for none. */
  description: string
  /** Absolute address. */
  imageUrl: string
}

/** An uploaded picture, shown as a thumbnail. */
export interface UploadedImage {
  /** `image/png`. */
  contentType: string
  /** Size of the original picture in pixels. */
  width: number
  height: number
  /** Address of the thumbnail. */
  thumbnailUrl: string
}

/** Work that an isolate does once, and keeps, before it can render certain texts. */
export interface FirstUse {
  readonly name: string
  /** About half a millisecond. */
  readonly weight: number
  use(): void
}

/** Facts read synchronously from the realm's storage. */
export interface MarkdownLookups {
  /** Returns all users with exactly this full name, ignoring case; [] for none. */
  usersNamed(fullName: string): MentionableUser[]
  userById(id: number): MentionableUser | undefined
  groupNamed(name: string): MentionableGroup | undefined
  /** Finds a channel, ignoring case, if the sender may see its metadata: a link would reveal the name. */
  channelNamed(name: string): { id: number; name: string } | undefined
  /**
   * Returns the id of the newest message in a topic that the author may read; undefined for none. A link with it still leads to the topic
   * after a move. Absent if links omit it.
   */
  newestInTopic?(channelId: number, topic: string): number | undefined
  /** Returns the active custom emoji of this name. `sourceUrl` goes into the page unchanged. */
  customEmoji(name: string): { id: string; sourceUrl: string } | undefined
  linkifiers: readonly { id: number; pattern: string; urlTemplate: string }[]
  alertWords: AlertWords
  /** Origin of the realm, without a slash at its end. */
  realmUrl: string
  translateEmoticons: boolean
  /** Time of writing in UNIX seconds, for times with an incomplete date. Absent where these do not occur. */
  now?: number
  inlineImagePreview: boolean
  /** Returns the picture at this upload path; undefined if the author may not show it, or it is shown full size. Absent if all are. */
  uploadedImage?(path: string): UploadedImage | undefined
  /**
   * Returns what is known about the website at this address: null if there is nothing to show, undefined if it has not been fetched.
   * Absent where websites get no previews.
   */
  websitePreview?(url: string): WebsitePreview | null | undefined
  /**
   * Returns the address from which readers load a picture of another server; undefined if it must not be shown. Absent if they load it
   * from that server.
   */
  externalPicture?(address: string): string | undefined
  /** Language of code blocks without a named one; '' for none. */
  defaultCodeBlockLanguage: string
  /** Name of the empty topic: "general chat". */
  emptyTopicDisplayName: string
  /** Prepares things that will be used for the first time; may throw to do that in a separate turn. Absent if they are made on use. */
  noteFirstUses?(uses: readonly FirstUse[]): void
}

export interface RenderedMarkdown {
  html: string
  /** Active users mentioned personally and not silently; ascending, each once. */
  mentionedUserIds: number[]
  /** Mentioned groups, not silently; ascending, each once. */
  mentionedGroupIds: number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  channelWildcard: boolean
  /** `@**topic**`. */
  topicWildcard: boolean
  /** Users whose alert words occur; ascending, each once. */
  alertedUserIds: number[]
  /** Whether the text is a `/me` status. Clients strip the leading `<p>/me `. */
  isMeMessage: boolean
  hasLink: boolean
  hasImage: boolean
  /** Path ids of linked uploads: `2/ab/xyz/name.png` for `/user_uploads/2/ab/xyz/name.png`. */
  uploadPaths: string[]
  /** Websites that would get a preview if they had been fetched, in order, each once. */
  unseenWebsites: string[]
}

/** State that the rules read and collect during one rendering, in markdown-it's `env`. */
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
  /** The remaining budget for matching the organization's linkifiers. */
  readonly matching: MatchingBudget
  /** Characters of HTML of all formulas so far. */
  formulaHtml: number
  /** Cells of all tables so far. */
  tableCells: number
  /** Languages already coloured, by their names in the highlighter. */
  readonly coloredLanguages: Set<string>
  /** The addresses of the most recently requested text. */
  addresses: { readonly text: string; readonly found: readonly Address[] }
  /** Last line of the fence that opens in a line, if an enclosing fence has already found it. */
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
 * Returns caching lookups: a text may name the same thing a thousand times, the parser may read a name more than once, and each lookup is
 * a query of the realm's storage.
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

/** Limit of the characters of descriptions or profiles rendered in one commit, at about 1 µs each. */
export const RENDERED_IN_ONE_COMMIT = 20_000
/** Cost of a character of a text with formulas, relative to other text. */
const OF_FORMULAS = 5
/** The markers of a formula: surrounding dollars, or this word after a fence. */
const FORMULAS = /\$\$|math/

/** Returns the number of ordinary characters that cost as much to render as these texts. */
export function renderingCost(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length * (FORMULAS.test(text) ? OF_FORMULAS : 1), 0)
}

/**
 * Returns the address from which readers load a picture or video; the organization's own are unchanged. Undefined if it must not be shown.
 */
export function loadedFrom(
  address: string,
  { externalPicture, realmUrl }: Pick<MarkdownLookups, 'externalPicture' | 'realmUrl'>,
): string | undefined {
  if (!externalPicture) return address
  // Parsed as browsers do: `//host/` and `/\host/` are not paths.
  if (!URL.canParse(address, realmUrl)) return undefined
  const { host, href } = new URL(address, realmUrl)
  return host === new URL(realmUrl).host ? address : externalPicture(href)
}
