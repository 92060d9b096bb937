import { isPlainAscii } from './html-parts.ts'
import { sharedParser } from './parser.ts'
import { noteFirstUses } from './prepare-rendering.ts'
import { createContext, envOf, type MarkdownLookups, type RenderedMarkdown } from './render-types.ts'

export type {
  MarkdownLookups,
  MentionableGroup,
  MentionableUser,
  RenderedMarkdown,
  UploadedImage,
  WebsitePreview,
} from './render-types.ts'
export { TopicLinksOfPage, topicLinks } from './topic-links.ts'

/**
 * Renders the Markdown of a message (or of a description or profile field) to HTML, and returns the users, groups and other things that
 * it refers to. Throws only the errors of `noteFirstUses`; the same source and lookups always give the same result.
 */
export function renderMarkdown(source: string, lookups: MarkdownLookups): RenderedMarkdown {
  noteFirstUses(source, lookups)
  const context = createContext(lookups)
  const html = sharedParser().render(visible(source), envOf(context)).trimEnd()
  return {
    html,
    mentionedUserIds: ascending(context.mentionedUserIds),
    mentionedGroupIds: ascending(context.mentionedGroupIds),
    channelWildcard: context.channelWildcard,
    topicWildcard: context.topicWildcard,
    alertedUserIds: lookups.alertWords.usersAlertedBy(source),
    // Clients cut the first seven characters off a status message, so these must be exact.
    isMeMessage: source.startsWith('/me ') && html.startsWith('<p>/me '),
    hasLink: context.hasLink,
    hasImage: context.hasImage,
    uploadPaths: [...context.uploadPaths],
    unseenWebsites: [...context.unseenWebsites],
  }
}

/**
 * Returns the source with replacement characters for invalid ones: lone surrogates, and control characters, which would reach the
 * readers' terminals.
 */
function visible(source: string): string {
  if (isPlainAscii(source)) return source
  return source.toWellFormed().replace(/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}]/gu, '\ufffd')
}

function ascending(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => a - b)
}
