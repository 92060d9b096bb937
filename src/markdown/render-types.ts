import type { AlertWords } from './alert-words.ts'

/** The facts that rendering asks of its caller, and those that it gives back. */

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

/** A website's description of itself, as plain text. Whatever stands in it can be rendered; without a picture it is not shown. */
export interface WebsitePreview {
  /** '' for none. */
  title: string
  /** '' for none. */
  description: string
  /** Absolute address. */
  imageUrl: string
}

/** An uploaded picture that is shown in a smaller form. */
export interface UploadedImage {
  /** `image/png`. */
  contentType: string
  /** Pixels, of the picture as it was uploaded. */
  width: number
  height: number
  /** Address of the smaller form. */
  thumbnailUrl: string
}

/** Synchronous facts, supplied by the domain from the realm's storage. */
export interface MarkdownLookups {
  /** All users of exactly this full name (case-insensitive); [] when none. */
  usersNamed(fullName: string): MentionableUser[]
  userById(id: number): MentionableUser | undefined
  groupNamed(name: string): MentionableGroup | undefined
  /** Finds a channel, whatever the case: only one whose metadata the sender may see, else a link would leak names. */
  channelNamed(name: string): { id: number; name: string } | undefined
  /** The active custom emoji of this name. `sourceUrl` is put into the page as it is. */
  customEmoji(name: string): { id: string; sourceUrl: string } | undefined
  linkifiers: readonly { id: number; pattern: string; urlTemplate: string }[]
  alertWords: AlertWords
  /** Origin of the realm, without a slash at its end. */
  realmUrl: string
  translateEmoticons: boolean
  /** When the text is written, UNIX seconds: for moments without a whole date. Absent where there are none. */
  now?: number
  inlineImagePreview: boolean
  /**
   * The picture at this path of uploads; undefined when it is none that the author may show, or it is shown as
   * it is. Absent where all are.
   */
  uploadedImage?(path: string): UploadedImage | undefined
  /**
   * What is remembered of the website at this address: null when there is nothing to be shown, undefined
   * when it has not been looked at. Absent where websites get no previews.
   */
  websitePreview?(url: string): WebsitePreview | null | undefined
  /**
   * Where readers load a picture of another server from; undefined when it is not to be shown. Absent where they load
   * it from there.
   */
  externalPicture?(address: string): string | undefined
  /** Language of code blocks that name none; '' for none. */
  defaultCodeBlockLanguage: string
  /** Shown for the empty topic: "general chat". */
  emptyTopicDisplayName: string
}

export interface RenderedMarkdown {
  html: string
  /** Personal, non-silent, active users; ascending, each once. */
  mentionedUserIds: number[]
  /** Non-silent groups; ascending, each once. */
  mentionedGroupIds: number[]
  /** `@**all**`, `@**everyone**`, `@**channel**` or `@**stream**`. */
  channelWildcard: boolean
  /** `@**topic**`. */
  topicWildcard: boolean
  /** Users one of whose alert words occurs; ascending, each once. */
  alertedUserIds: number[]
  /** The text is a `/me` status. Clients cut the leading `<p>/me ` off themselves. */
  isMeMessage: boolean
  hasLink: boolean
  hasImage: boolean
  /** Path ids of the uploads linked: `2/ab/xyz/name.png` for `/user_uploads/2/ab/xyz/name.png`. */
  uploadPaths: string[]
  /** Websites that would get a preview if they had been looked at; in their order, each once. */
  unseenWebsites: string[]
}
