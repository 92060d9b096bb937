/** HTML that is safe to send: only `html` makes it, and escapes every value that is not `Html` itself. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = string | number | Html | readonly Html[]

export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, index) => text + escaped(values[index - 1]!) + part))
}

function escaped(value: HtmlValue): string {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}

/**
 * The languages in which the server writes: its pages for people who are not logged in, and its mails. The page has the same ones
 * (web/texts/languages.ts).
 */
const WRITTEN = ['ar', 'de', 'en', 'es', 'fr', 'ja'] as const

export type WrittenLanguage = (typeof WRITTEN)[number]

/** Texts in each language. */
export type InEachLanguage<Texts> = Readonly<Record<WrittenLanguage, Texts>>

/** Returns the language for a code such as `fr-CA`; undefined if nothing is written in it. */
export function writtenLanguage(code: string): WrittenLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_;]/, 1)
  return WRITTEN.find((one) => one === language)
}

/** Returns the attribute of an element whose text is in a language that is written from right to left; nothing for others. */
export function directionOf(language: string): Html {
  return writtenLanguage(language) === 'ar' ? html` dir="rtl"` : html``
}

/** Returns a name or an address that keeps its own direction in a sentence of the other one. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
