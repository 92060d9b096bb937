import type { WireError } from '../../core/errors.ts'
import { directionOf, Html, html } from '../../core/written-languages.ts'
import type { DoorTexts } from './door-texts/english.ts'
import { type Refused, refusalIn } from './door-texts/texts-of-request.ts'

export { Html, html } from '../../core/written-languages.ts'

const [AMPERSAND, NUMBER_SIGN, SEMICOLON, ZERO] = [0x26, 0x23, 0x3b, 0x30]
/** Bytes that must be escaped in HTML: `"`, `&`, `'`, `<` and `>`. Each code has two digits. */
const ESCAPED = Uint8Array.from({ length: 256 }, (_, byte) => ([34, 38, 39, 60, 62].includes(byte) ? 1 : 0))
/** Bytes that a character reference adds. */
const LONGER_BY = 4

/** Returns UTF-8 bytes escaped for HTML, attributes included. */
export function escapedBytes(bytes: Uint8Array): Uint8Array {
  let found = 0
  for (let at = 0; at < bytes.length; at += 1) found += ESCAPED[bytes[at]!]!
  if (found === 0) return bytes
  const escaped = new Uint8Array(bytes.length + found * LONGER_BY)
  let filled = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (ESCAPED[byte] === 0) {
      escaped[filled] = byte
      filled += 1
      continue
    }
    escaped[filled] = AMPERSAND
    escaped[filled + 1] = NUMBER_SIGN
    escaped[filled + 2] = ZERO + Math.floor(byte / 10)
    escaped[filled + 3] = ZERO + (byte % 10)
    escaped[filled + 4] = SEMICOLON
    filled += 1 + LONGER_BY
  }
  return escaped
}

/** The style sheet of the pages around the app (web/doors.css). It is revalidated each time, since its name has no digest. */
const DOORS_STYLE = '/page/doors.css'

interface PageOptions {
  readonly language?: string
  /** Content-Security-Policy sources to which its forms may lead, redirects included. */
  readonly formsLeadTo?: string
  readonly script?: string
}

/** Answers with a page styled like the web app: only our own scripts, nothing external, never in another page's frame. */
export function respondPage(
  title: string,
  body: Html,
  status = 200,
  { language = 'en', formsLeadTo = "'self'", script }: PageOptions = {},
): Response {
  const page = html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${DOORS_STYLE}">
${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main class="door">
<div class="door-card">
<div class="door-head"><h1>${title}</h1></div>
${body}
</div>
</main>
</body>
</html>`
  return new Response(page.text, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': `default-src 'none'; ${script === undefined ? '' : "script-src 'self'; connect-src 'self'; "}style-src 'self'; font-src 'self'; form-action ${formsLeadTo}; base-uri 'none'; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
    },
  })
}

/** Answers with a login page, in the language of these texts. */
export function respondDoor(texts: DoorTexts, title: string, body: Html, status = 200): Response {
  return respondPage(title, body, status, { language: texts.language })
}

/** Answers with a page that only states the reason of a refusal. */
export function respondRefusal(
  texts: DoorTexts,
  title: string,
  { msg, status, extra }: Pick<WireError, 'msg' | 'status'> & Partial<WireError>,
): Response {
  const sentence = refusalIn(texts, { message: msg, status, extra: extra ?? {} })
  return respondDoor(texts, title, html`<p>${sentence}</p>`, status)
}

export function refusalLine(texts: DoorTexts, refusal: Refused | undefined): Html {
  return refusal === undefined
    ? html``
    : html`<p class="refusal" role="alert">${refusalIn(texts, refusal)}</p>`
}

/** Returns a field of a form. `attributes` of its input never contain user data. */
export function field(
  { label, name, value = '' }: { label: string; name: string; value?: string },
  attributes: string,
): Html {
  return html`<label class="labelled"><span>${label}</span>
<input class="field" name="${name}" value="${value}" ${new Html(attributes)}></label>`
}

/** Returns a select field whose options show names. */
export function choice(
  { label, name, value }: { label: string; name: string; value: string },
  choices: Readonly<Record<string, string>>,
): Html {
  const options = Object.entries(choices).map(
    ([each, text]) =>
      html`<option value="${each}" ${new Html(each === value ? 'selected' : '')}>${text}</option>`,
  )
  return html`<label class="labelled"><span>${label}</span>
<select class="field" name="${name}">${options}</select></label>`
}

export function newPasswordField({ newPassword }: DoorTexts): Html {
  const attributes = 'type="password" required minlength="6" autocomplete="new-password"'
  return field({ label: newPassword, name: 'password' }, attributes)
}

/** Returns a form posted to the page's own address, or to another one. */
export function form(fields: Html, button: string, action?: string): Html {
  return html`<form method="post"${action === undefined ? '' : html` action="${action}"`}>
${fields}
<button class="button button-main">${button}</button>
</form>`
}

/** Returns the link to the login page, shown after a completed action. */
export function toLogIn({ toLogIn: text }: DoorTexts): Html {
  return html`<p class="door-on"><a class="button button-main" href="/">${text}</a></p>`
}
