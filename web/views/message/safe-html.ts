/**
 * Returns the server's rendering as nodes: only elements of its renderings are built, each as a new node, so that a hole there is not a hole
 * here. Formulas keep the MathML, which browsers draw themselves.
 */
export function safeNodes(html: string): DocumentFragment {
  // Styles are read here as text and set one by one; left in the HTML, each would violate the page's policy.
  const inert = new DOMParser().parseFromString(html.replaceAll(/ style="/g, ' data-style="'), 'text/html')
  const fragment = document.createDocumentFragment()
  appendAll(fragment, inert.body)
  return fragment
}

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['class', 'title', 'data-stream-id', 'data-id'],
  audio: ['controls', 'preload', 'title'],
  div: ['class', 'data-code-language', 'aria-hidden'],
  img: [
    'class',
    'alt',
    'title',
    'data-original-content-type',
    'data-original-dimensions',
    'data-original-src',
  ],
  ol: ['start'],
  span: ['class', 'title', 'role', 'aria-label', 'aria-hidden', 'data-user-id', 'data-user-group-id'],
  time: ['datetime'],
  video: ['preload'],
}

const ELEMENTS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 em strong del code pre blockquote ul li ol table thead tbody tr th td div span a img video audio time'.split(
    ' ',
  ),
)

const MATH_ELEMENTS = new Set(
  (
    'math semantics mrow mi mn mo ms mtext mspace mfrac msqrt mroot msup msub msubsup mover munder munderover mmultiscripts ' +
    'mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose merror'
  ).split(' '),
)
const MATH = 'http://www.w3.org/1998/Math/MathML'

const LINK_SCHEMES = new Set('http: https: ftp: ftps: mailto: tel: sms: bitcoin: xmpp: sip: sips:'.split(' '))

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
  if (!ELEMENTS.has(name)) {
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
  if (!MATH_ELEMENTS.has(node.localName)) return undefined
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
  const url = URL.canParse(href, location.href) ? new URL(href, location.href) : undefined
  if (!url || url.origin !== location.origin || !/^#\w/.test(url.hash)) return undefined
  return href.startsWith('#') || url.pathname === '/' || url.pathname === location.pathname
    ? url.hash
    : undefined
}

function isLink(href: string): boolean {
  return URL.canParse(href, location.href) && LINK_SCHEMES.has(new URL(href, location.href).protocol)
}

function isOwn(src: string): boolean {
  return URL.canParse(src, location.href) && new URL(src, location.href).origin === location.origin
}

/** Sets the alignment of a cell, and the picture of a linked website. */
function setStyle(element: HTMLElement, style: string): void {
  const align = /^text-align: (left|right|center);$/.exec(style)?.[1]
  if (align) element.style.textAlign = align
  const picture = /^background-image: url\("([^\s"'\\<>]+)"\)$/.exec(style)?.[1]
  if (picture && isOwn(picture)) element.style.backgroundImage = `url("${picture}")`
}
