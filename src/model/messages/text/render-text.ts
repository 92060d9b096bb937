import { defineReader } from '../../../core/reader.ts'
import type { RealmReads, RealmView } from '../../../core/realm-transaction.ts'
import { firstUsesOf } from '../../../markdown/prepare-rendering.ts'
import { type MarkdownLookups, type RenderedMarkdown, renderMarkdown } from '../../../markdown/render.ts'
import { renderingCost } from '../../../markdown/render-types.ts'
import { realmProperty } from '../../../store/realm/realm-setting-rows.ts'
import {
  type Attachment,
  attachmentsLinkedFrom,
  findAttachmentAt,
  imageContentType,
} from '../../../store/uploads/attachment-rows.ts'
import { DEFAULT_THUMBNAIL_FORMAT, hasThumbnails } from '../../../store/uploads/upload-keys.ts'
import { findUser, type User } from '../../../store/users/user-rows.ts'
import { findSeenWebsite } from '../../../store/website-previews/website-preview-rows.ts'
import { actorOf } from '../../caller.ts'
import { firstUses } from '../../realm/linkifiers-and-playgrounds.ts'
import { mayReadAttachment } from '../read/attachment-access.ts'
import { type Author, type LookupView, markdownLookups } from './markdown-lookups.ts'

/** The parts of a kind of text besides words and links. */
export interface TextForm {
  /**
   * Uploaded pictures that are shown in a smaller form: those that the author may read, those to which a message that is
   * rendered again has linked since it was written, or those at these paths. Absent: none.
   */
  readonly pictures?: 'of author' | { readonly linkedFrom: number } | { readonly at: readonly string[] }
  readonly showsWebsites?: boolean
  readonly isDescription?: boolean
}

/** A long text, with everything besides the store on which its rendering depends. */
interface LongText {
  readonly content: string
  readonly authorId: number
  readonly origin: string
  readonly form: TextForm
  /** The time of writing, UNIX seconds. */
  readonly now: number
  readonly proxiesPictures: boolean
}

/**
 * Cost, in characters, from which a text is rendered by a reader, since other senders would wait for it. Ten thousand
 * characters take 15 ms, and up to 40 before V8 has compiled what they need. A character takes as long as a row.
 */
const LONG = 2_000

const renderedText = defineReader({
  name: 'rendered text',
  key: (text: LongText) => JSON.stringify(text),
  *read(store, { content, authorId, origin, form, now, proxiesPictures }) {
    // Announced before, so that the rendering has a turn of its own.
    yield renderingCost([content])
    const { sql } = store
    const user = findUser(sql, authorId)!
    const author = { user, actor: actorOf(sql, user, now) }
    const lookups = lookupsOf({ sql, now, proxiesPictures: () => proxiesPictures }, author, origin, form)
    yield* store.use(firstUses, firstUsesOf(content, lookups.linkifiers))
    return renderMarkdown(content, lookups)
  },
})

/** Renders a text as its author's, with links to what the author may know of. */
export function renderText(
  tx: Pick<RealmReads, 'sql' | 'now' | 'proxiesPictures' | 'use'>,
  author: Author,
  content: string,
  origin: string,
  form: TextForm,
): RenderedMarkdown {
  if (renderingCost([content]) < LONG) return renderMarkdown(content, lookupsOf(tx, author, origin, form))
  const { now } = tx
  const proxiesPictures = tx.proxiesPictures()
  return tx.use(renderedText, { content, authorId: author.user.id, origin, form, now, proxiesPictures })
}

function lookupsOf(view: LookupView, author: Author, origin: string, form: TextForm): MarkdownLookups {
  const { pictures, showsWebsites, isDescription } = form
  return {
    ...markdownLookups(view, author, origin),
    ...(showsWebsites ? { websitePreview: websiteLookup(view, author.user) } : {}),
    ...(pictures ? { uploadedImage: uploadedImageLookup(view, shownTest(view, author, pictures)) } : {}),
    ...(isDescription ? { translateEmoticons: false, inlineImagePreview: false } : {}),
  }
}

/** Renders a description, with links to what its author may know of. */
export function renderDescription(
  tx: Parameters<typeof renderText>[0],
  author: Author,
  description: string,
  origin: string,
): string {
  return description === '' ? '' : renderText(tx, author, description, origin, { isDescription: true }).html
}

function shownTest(
  view: Pick<RealmView, 'sql'>,
  author: Author,
  pictures: NonNullable<TextForm['pictures']>,
): (attachment: Attachment) => boolean {
  if (pictures === 'of author') return (attachment) => mayReadAttachment(view, author, attachment)
  if ('at' in pictures) return ({ path }) => pictures.at.includes(path)
  const linked = new Set(attachmentsLinkedFrom(view.sql, [pictures.linkedFrom]))
  return ({ id }) => linked.has(id)
}

/** Returns the lookup of pictures in a smaller form. It reveals nothing of others, not even their size. */
function uploadedImageLookup(
  { sql }: Pick<RealmView, 'sql'>,
  isShown: (attachment: Attachment) => boolean,
): NonNullable<MarkdownLookups['uploadedImage']> {
  return (path) => {
    const attachment = findAttachmentAt(sql, path)
    const image = attachment?.image
    if (!image || !hasThumbnails(image) || !isShown(attachment)) return undefined
    const address = attachment.path.split('/').map(encodeURIComponent).join('/')
    return {
      contentType: imageContentType(image),
      width: image.width,
      height: image.height,
      thumbnailUrl: `/user_uploads/thumbnail/${address}/${DEFAULT_THUMBNAIL_FORMAT.name}`,
    }
  }
}

/** Length of an address of a website. Longer ones are not stored, and so get no preview. */
const MAX_ADDRESS_LENGTH = 2_048

/** Returns the lookup of websites. Bots' messages get no previews. The setting is read only when needed. */
function websiteLookup(
  { sql, now }: Pick<RealmView, 'sql' | 'now'>,
  { botType }: User,
): MarkdownLookups['websitePreview'] {
  if (botType !== null) return undefined
  let isOn: boolean | undefined
  return (href) => {
    isOn ??= realmProperty(sql, 'inline_url_embed_preview')
    const address = pageAddress(href)
    return isOn && address.length <= MAX_ADDRESS_LENGTH ? findSeenWebsite(sql, address, now) : null
  }
}

/** Returns the address of the whole page, which has one preview for all of its fragments. */
export function pageAddress(href: string): string {
  return href.split('#', 1)[0]!
}
