import type { AlertWords } from './alert-words.ts'
import type { FirstUse } from './first-use.ts'

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
