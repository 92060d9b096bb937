/** A part of HTML written by this folder: a tag, or the text between two tags. */
export interface HtmlPart {
  kind: 'open' | 'close' | 'void' | 'text'
  /** The tag's name; '' for text. */
  tag: string
  /** The source of the part. */
  html: string
}

const voidTags = new Set(['br', 'hr', 'img'])

/**
 * Splits rendered HTML into tags and texts. Only for HTML rendered by this folder, whose texts contain no `<` or `>`, and attributes no
 * `>`.
 */
export function* htmlParts(html: string): Generator<HtmlPart> {
  for (const { 0: part, 1: slash, 2: name } of html.matchAll(
    /<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?![a-zA-Z0-9])[^>]*>|[^<]+/g,
  )) {
    if (name === undefined) yield { kind: 'text', tag: '', html: part }
    else if (slash === '/') yield { kind: 'close', tag: name, html: part }
    else if (voidTags.has(name) || part.endsWith('/>')) yield { kind: 'void', tag: name, html: part }
    else yield { kind: 'open', tag: name, html: part }
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#39': "'",
}

/** Returns text as the reader sees it, from its HTML. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (_, name: string) => entities[name]!)
}

/** Returns the value of a tag's attribute; undefined without it. */
export function attributeOf(tag: string, name: string): string | undefined {
  const start = tag.indexOf(` ${name}="`)
  if (start < 0) return undefined
  const from = start + name.length + 3
  return unescapeHtml(tag.slice(from, tag.indexOf('"', from)))
}

/** Returns text as HTML. Quotation marks are not escaped outside attributes, since clients compare the plain form. */
export function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => (char === '&' ? '&amp;' : char === '<' ? '&lt;' : '&gt;'))
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

/** Whether a text has only ASCII letters, digits and punctuation, spaces and line breaks, as most messages do. */
export function isPlainAscii(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text)
}
