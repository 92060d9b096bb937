import { directionOf, type Html, html } from '../../core/written-languages.ts'

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

/** The style sheet of the pages around the app (web/auth-pages.css). It is revalidated each time, since its name has no digest. */
const AUTH_PAGES_STYLE = '/page/auth-pages.css'

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
<link rel="stylesheet" href="${AUTH_PAGES_STYLE}">
${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main class="auth">
<div class="auth-card">
<div class="auth-head"><h1>${title}</h1></div>
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
