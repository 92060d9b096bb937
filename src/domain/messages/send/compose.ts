import { BadRequestError } from '../../../core/errors.ts'
import { NotPreparedError, type RealmReads } from '../../../core/realm-transaction.ts'
import { type RenderedMarkdown, topicLinks } from '../../../markdown/render.ts'
import type { Widget } from '../../../markdown/widgets.ts'
import type { Actor } from '../../../permissions/actor.ts'
import { ALERT_WORDS } from '../../alert-words/known-alert-words.ts'
import type { Channel } from '../../channels/channel-rows.ts'
import type { ZForm } from '../../submessages/widget-content.ts'
import { claimablePaths } from '../../uploads/attachment-access.ts'
import { type UploadedImageLookup, uploadedImageLookup } from '../../uploads/uploaded-image-lookup.ts'
import type { User } from '../../users/user-rows.ts'
import { websiteLookup } from '../../website-previews/website-lookup.ts'
import { markdownLookups } from './markdown-lookups.ts'
import { renderAhead } from './render-ahead.ts'

/** Destination of a message, resolved and checked. */
export type Destination =
  | { readonly kind: 'channel'; readonly channel: Channel; readonly topic: string }
  /** All participants, the sender included, ascending by id. */
  | { readonly kind: 'direct'; readonly participants: readonly User[] }

export interface Author {
  readonly user: User
  readonly actor: Actor
}

/** A message that is ready to be stored. */
export interface Composition {
  readonly author: Author
  readonly destination: Destination
  readonly content: string
  readonly rendered: RenderedMarkdown
  readonly topicLinks: { text: string; url: string }[]
  /** Address of the readers' web application: `https://chat.example.com`. */
  readonly webOrigin: string
  /** The widget that the message becomes in clients that can show it. */
  readonly widget?: Widget | ZForm
}

/**
 * Characters of a message's HTML: the event of an edit has four of them, in a row of two million bytes. Ten
 * thousand emoji would be longer, but nothing that people write is.
 */
const MAX_RENDERING_LENGTH = 250_000

/**
 * Renders `content` (already normalised) as the author's, for its destination.
 * @throws BadRequestError for a text whose HTML is far too long.
 */
export function compose(
  tx: Pick<RealmReads, 'sql' | 'now' | 'recall' | 'proxiesPictures' | 'mayBePutOff' | 'prepared'>,
  author: Author,
  destination: Destination,
  content: string,
  origin: string,
  uploadedImage: UploadedImageLookup = uploadedImageLookup(tx, author),
): Composition {
  const words = tx.recall(ALERT_WORDS)
  if (tx.mayBePutOff && words.lacksMany(tx.sql))
    throw new NotPreparedError((pause) => words.readInTurn(tx.sql, pause))
  const lookups = {
    ...markdownLookups(tx, author, origin),
    alertWords: words.over(tx.sql),
    websitePreview: websiteLookup(tx, author.user),
    uploadedImage,
  }
  const rendered = renderAhead(tx, content, lookups)
  if (rendered.html.length > MAX_RENDERING_LENGTH) throw new BadRequestError('Unable to render message')
  return {
    author,
    destination,
    content,
    webOrigin: origin,
    rendered: { ...rendered, uploadPaths: claimablePaths(tx, author, rendered.uploadPaths) },
    topicLinks: destination.kind === 'channel' ? topicLinks(destination.topic, lookups) : [],
  }
}
