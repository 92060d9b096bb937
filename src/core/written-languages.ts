/** HTML that is safe to send: only `html` makes it, escaping every value that is not `Html` itself. */
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
 * The languages of the server's mails and of its pages for people who are not logged in. The web page has the same ones
 * (web/texts/languages.ts).
 */
const WRITTEN = ['ar', 'de', 'en', 'es', 'fr', 'ja'] as const

export type WrittenLanguage = (typeof WRITTEN)[number]

export type InEachLanguage<Texts> = Readonly<Record<WrittenLanguage, Texts>>

/** Returns the language for a code such as `fr-CA`; undefined if it is not supported. */
export function writtenLanguage(code: string): WrittenLanguage | undefined {
  const [language] = code.trim().toLowerCase().split(/[-_;]/, 1)
  return WRITTEN.find((one) => one === language)
}

/** Returns the `dir` attribute for text in a right-to-left language; empty for others. */
export function directionOf(language: string): Html {
  return writtenLanguage(language) === 'ar' ? html` dir="rtl"` : html``
}
