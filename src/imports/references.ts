/**
 * References in the texts of an import: to things of the source, by their ids there, in a form that nothing else has. The writer replaces them in
 * one pass (docs/import.md#references).
 */

export type ReferenceKind = 'user' | 'group' | 'channel' | 'message' | 'file' | 'conversation'

/** Escapes characters that would end a reference, or be Markdown in it. */
function escaped(id: string): string {
  return encodeURIComponent(id.toWellFormed()).replace(
    /[!'()*~_.-]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Characters of an id in its escaped form, as in `REFERENCES`. */
const MAX_REFERENCE = 3_600

/** Returns the address of a thing for a link: `[label](parley-import:message/12)`. */
export function referenceTo(kind: ReferenceKind, id: string): string {
  return `parley-import:${kind}/${escaped(id)}`
}

/** Returns a mention. Nobody is notified of it, but it shows whether it was silent at the source. */
export function mentionOf(userId: string, isSilent = true): string {
  return `${isSilent ? '@_' : '@'}**${referenceTo('user', userId)}**`
}

/** Returns the address of the direct conversation of several people; undefined for so many that no text is read so far. */
export function referenceToConversation(userIds: readonly string[]): string | undefined {
  const reference = referenceTo('conversation', userIds.join(','))
  return reference.length <= MAX_REFERENCE ? reference : undefined
}

/** Returns the ids of the people of a conversation, by the id in a reference to it. */
export function peopleOf(id: string): string[] {
  return id.split(',')
}

export function groupMentionOf(groupId: string): string {
  return `@_*${referenceTo('group', groupId)}*`
}

export function channelMentionOf(channelId: string): string {
  return `#**${referenceTo('channel', channelId)}**`
}

/** The form of a reference in a text. */
export type ReferenceForm = 'mention' | 'link' | 'bare'

export interface Reference {
  readonly kind: ReferenceKind
  readonly id: string
  readonly form: ReferenceForm
  /** The words of a link, as Markdown; '' for the other forms. */
  readonly label: string
  /** The character before it; '' at the beginning. */
  readonly before: string
  /** Whether a mention is silent. */
  readonly isSilent: boolean
  /** Whether the link shows a picture: `![label](…)`. */
  readonly isPicture: boolean
}

const REFERENCES =
  /[@#]_?\*{1,2}parley-import:(user|group|channel|message|file|conversation)\/([A-Za-z0-9%]{1,3600})\*{1,2}|(!?)\[([^[\]\n]{0,1000})\]\(parley-import:(user|group|channel|message|file|conversation)\/([A-Za-z0-9%]{1,3600})\)|parley-import:(user|group|channel|message|file|conversation)\/([A-Za-z0-9%]{1,3600})/g

/** Replaces all references of a text. What `replacement` returns is Markdown. */
export function replaceReferences(content: string, replacement: (reference: Reference) => string): string {
  if (!content.includes('parley-import:')) return content
  return content.replace(REFERENCES, (whole: string, ...found: unknown[]) => {
    const [mentionKind, mentionId, picture, label, linkKind, linkId, bareKind, bareId] = found as readonly (
      | string
      | undefined
    )[]
    const before = content[(found.at(-2) as number) - 1] ?? ''
    const kind = (mentionKind ?? linkKind ?? bareKind) as ReferenceKind
    const id = decoded((mentionId ?? linkId ?? bareId)!)
    if (id === undefined) return whole
    const form = mentionKind ? 'mention' : linkKind ? 'link' : 'bare'
    const isSilent = whole.startsWith('@_')
    return replacement({ kind, id, form, label: label ?? '', before, isSilent, isPicture: picture === '!' })
  })
}

const IDS = /parley-import:(user|channel|message)\/([A-Za-z0-9%]{1,1800})/g

/** Replaces references in a text that is not Markdown by ids; undefined if one of the things is missing. */
export function withIds(
  text: string,
  idOf: (kind: 'user' | 'channel' | 'message', id: string) => number | undefined,
): string | undefined {
  let lacks = false
  const replaced = text.replace(IDS, (_, kind: 'user' | 'channel' | 'message', escapedId: string) => {
    const id = decoded(escapedId)
    const target = id === undefined ? undefined : idOf(kind, id)
    if (target === undefined) lacks = true
    return String(target)
  })
  return lacks ? undefined : replaced
}

function decoded(id: string): string | undefined {
  try {
    return decodeURIComponent(id)
  } catch {
    return undefined
  }
}
