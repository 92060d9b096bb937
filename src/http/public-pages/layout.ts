import type { PublicOrganization } from '../../model/spectators/public-organization.ts'
import { type Html, html } from '../pages/html.ts'
import { PUBLIC_ROOT } from './addresses.ts'
import type { PublicTexts } from './texts.ts'

/** Style of these pages, from the same sheets as the web app (web/public.css). */
const PUBLIC_STYLE = '/page/public.css'

/** Characters of a description, since previews of other sites show no more. */
const MAX_DESCRIPTION_LENGTH = 200

export interface PublicPage {
  readonly organization: PublicOrganization
  readonly texts: PublicTexts
  readonly origin: string
  /** The page's canonical address, below the origin. */
  readonly address: string
  readonly title: string
  /** Text that other sites show about it. */
  readonly description: string
  /** Links from the channels down to this page. */
  readonly path: readonly { readonly name: string; readonly address: string }[]
  /** The address at which somebody with an account continues from here, below the origin. */
  readonly enter: string
  readonly kind: 'website' | 'article'
  readonly body: Html
}

/** Returns a whole page: no script, nothing from elsewhere. */
export function layOut(page: PublicPage): string {
  const { organization, texts, title, origin, address, path } = page
  const heading = path.length === 0 ? title : `${title} · ${organization.name}`
  const description = shortened(page.description)
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${origin}${address}">
<meta property="og:title" content="${heading}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${address}">
<meta property="og:type" content="${page.kind}">
<meta property="og:site_name" content="${organization.name}">
${organization.icon === null ? html`` : html`<meta property="og:image" content="${organization.icon}">\n`}<meta name="twitter:card" content="summary">
<link rel="stylesheet" href="${PUBLIC_STYLE}">
</head>
<body class="public">
<a class="public-skip" href="#main">${texts.skip}</a>
<header class="public-head">
<nav aria-label="${texts.path}"><ol>
<li><a href="${PUBLIC_ROOT}" dir="auto">${organization.name}</a></li>
${path.map(({ name, address: to }) => html`<li><a href="${to}" dir="auto">${name}</a></li>\n`)}</ol></nav>
<a class="button" href="${page.enter}">${texts.enter}</a>
</header>
<main id="main">
<h1 dir="auto">${title}</h1>
${page.body}
</main>
</body>
</html>
`.text
}

/** Returns a page without any content, the same for all that does not exist or is not open. */
export function plainPage(texts: PublicTexts, title: string, about: string): string {
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${PUBLIC_STYLE}">
</head>
<body class="public">
<main id="main">
<h1>${title}</h1>
<p>${about}</p>
</main>
</body>
</html>
`.text
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= MAX_DESCRIPTION_LENGTH
    ? line
    : `${characters.slice(0, MAX_DESCRIPTION_LENGTH - 1).join('')}…`
}
