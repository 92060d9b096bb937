import { state } from '../../chat.ts'
import { isMutedPerson } from '../../state/muted-people.ts'
import { t } from '../../texts/texts.ts'

/**
 * Returns the server's rendering as nodes: only elements of its renderings are built, each as a new node, so that a hole there is not a hole
 * here. Formulas keep the MathML, which browsers draw themselves. Mentions of muted people have no names.
 */
export function safeNodes(html: string): DocumentFragment {
  // Styles are read here as text and set one by one; left in the HTML, each would violate the page's policy.
  const inert = new DOMParser().parseFromString(html.replaceAll(/ style="/g, ' data-style="'), 'text/html')
  const fragment = document.createDocumentFragment()
  appendAll(fragment, inert.body)
  for (const mention of fragment.querySelectorAll<HTMLElement>('.user-mention')) {
    // Pages before the log-in have no state.
    if (state && isMutedPerson(state, Number(mention.dataset.userId)))
      mention.textContent = (mention.classList.contains('silent') ? '' : '@') + t.mutedPerson
  }
  return fragment
}

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['class', 'title', 'data-id'],
  audio: ['controls', 'preload', 'title'],
  div: ['class', 'data-code-language', 'aria-hidden'],
  img: ['class', 'alt', 'title', 'data-original-dimensions', 'data-original-src'],
  ol: ['start'],
  span: ['class', 'title', 'role', 'aria-label', 'aria-hidden', 'data-user-id', 'data-user-group-id'],
  time: ['datetime'],
  video: ['preload'],
}

const ELEMENT =
  /^(?:p|[bh]r|h[1-6]|em|strong|del|code|pre|blockquote|[uo]l|li|table|thead|tbody|t[rhd]|div|span|a|img|video|audio|time)$/

/** Elements of formulas: all but those that act, or that the parser of HTML treats in a way of its own. */
const MATH_ELEMENT = /^(?!maction|mglyph|malign)(?:m[a-z]+|semantics|none)$/
const MATH = 'http://www.w3.org/1998/Math/MathML'

/** Those that the server's renderer links (src/markdown/rules/links.ts). */
const LINK_SCHEME =
  /^(?:https?|s?ftps?|mailto|tel|sms|smsto|bitcoin|geo|im|ircs?|magnet|matrix|mid|news|nntp|sips?|ssh|urn|webcal|xmpp|obsidian|zotero|joplin|logseq|notion):$/

function appendAll(parent: Node, source: Node): void {
  for (const child of source.childNodes) {
    const built = build(child)
    if (built) parent.appendChild(built)
  }
}

function build(node: Node): Node | undefined {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.nodeValue ?? '')
  if (!(node instanceof Element)) return undefined
  const name = node.localName
  if (node.namespaceURI === MATH) return buildMath(node)
  // KaTeX's own drawing of the same formula.
  if (node.classList.contains('katex-html')) return undefined
  if (!ELEMENT.test(name)) {
    const inside = document.createDocumentFragment()
    appendAll(inside, node)
    return inside
  }
  const element = document.createElement(name)
  for (const attribute of ATTRIBUTES[name] ?? []) {
    const value = node.getAttribute(attribute)
    if (value !== null) element.setAttribute(attribute, value)
  }
  setAddresses(element, node)
  setStyle(element, node.getAttribute('data-style') ?? '')
  appendAll(element, node)
  return element
}

function buildMath(node: Element): Node | undefined {
  if (!MATH_ELEMENT.test(node.localName)) return undefined
  const element = document.createElementNS(MATH, node.localName)
  for (const { name, value } of node.attributes) {
    if (/^(?!on|href|src|xlink|actiontype|style|data-)[a-z]+$/i.test(name)) element.setAttribute(name, value)
  }
  appendAll(element, node)
  return element
}

function setAddresses(element: HTMLElement, source: Element): void {
  const href = source.getAttribute('href')
  if (element instanceof HTMLAnchorElement && href !== null) {
    const own = ownFragment(href)
    if (own !== undefined) element.setAttribute('href', own)
    else if (isLink(href)) {
      element.setAttribute('href', href)
      element.target = '_blank'
      element.rel = 'noopener noreferrer'
    }
  }
  const src = source.getAttribute('src')
  // Pictures of others come through this server, so every loaded address is one of its own.
  if (src !== null && isOwn(src)) element.setAttribute('src', src)
}

/** Returns the fragment of a link to a view of this page. */
function ownFragment(href: string): string | undefined {
  const url = urlOf(href)
  if (!url || url.origin !== location.origin || !/^#\w/.test(url.hash)) return undefined
  return href.startsWith('#') || url.pathname === '/' || url.pathname === location.pathname
    ? url.hash
    : undefined
}

function isLink(href: string): boolean {
  return LINK_SCHEME.test(urlOf(href)?.protocol ?? '')
}

function isOwn(src: string): boolean {
  return urlOf(src)?.origin === location.origin
}

function urlOf(address: string): URL | undefined {
  return URL.canParse(address, location.href) ? new URL(address, location.href) : undefined
}

/** Sets the alignment of a cell, and the picture of a linked website. */
function setStyle(element: HTMLElement, style: string): void {
  const align = /^text-align: (left|right|center);$/.exec(style)?.[1]
  if (align) element.style.textAlign = align
  const picture = /^background-image: url\("([^\s"'\\<>]+)"\)$/.exec(style)?.[1]
  if (picture && isOwn(picture)) element.style.backgroundImage = `url("${picture}")`
}
