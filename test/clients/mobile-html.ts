import { type DefaultTreeAdapterTypes, html as htmlNames, parseFragment, serializeOuter } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

/**
 * Returns the parts of a rendered message, as HTML, that the official mobile client does not understand. The client
 * recognises elements by their name and their whole class, and most of them by their contents too (clients.md).
 */
export function notUnderstood(html: string): string[] {
  const found: string[] = []
  blocks(parseFragment(html).childNodes, found)
  return found
}

type Rule = (element: Element, found: string[]) => boolean

/** Blocks by name and class. A rule says whether the client knows the element in its present form. */
const BLOCKS: Readonly<Record<string, Rule>> = {
  br: () => true,
  hr: () => true,
  p: inlineIn,
  h1: inlineIn,
  h2: inlineIn,
  h3: inlineIn,
  h4: inlineIn,
  h5: inlineIn,
  h6: inlineIn,
  ul: isList,
  ol: (element, found) => /^\d*$/.test(attribute(element, 'start') ?? '') && isList(element, found),
  blockquote: (element, found) => blocks(element.childNodes, found),
  table: isTable,
  'div.spoiler-block': ({ childNodes }, found) => {
    const [header, content] = named(childNodes, 'div.spoiler-header', 'div.spoiler-content')
    return !!header && !!content && blocks(header.childNodes, found) && blocks(content.childNodes, found)
  },
  'div.codehilite': isCode,
  'div.message_inline_image': isPicture,
  'div.message_inline_image message_inline_video': (element) =>
    !!within(element, 'a', (name) => name === 'video', 'src'),
  'div.youtube-video message_inline_image': isLinkedPicture,
  'div.embed-video message_inline_image': isLinkedPicture,
  'div.message_embed': isWebsite,
}

const INLINE: Readonly<Record<string, Rule>> = {
  br: () => true,
  strong: inlineIn,
  em: inlineIn,
  del: inlineIn,
  code: inlineIn,
  a: isLink,
  'a.stream': isLink,
  'a.stream-topic': isLink,
  'a.message-link': isLink,
  'img.emoji': (element) => has(element, 'alt') && has(element, 'src'),
  'img.inline-image': (element) => has(element, 'src'),
  'img.inline-image image-loading-placeholder': (element) => has(element, 'src'),
  time: (element) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/.test(attribute(element, 'datetime') ?? ''),
  audio: (element) => has(element, 'src'),
  'span.katex': (element) => isMath(element, undefined),
  // An invalid formula is shown as it was written, in an element that the client does not know; other servers do the same.
  'span.tex-error': () => true,
  // The same holds for an invalid time.
  'span.timestamp-error': () => true,
}

/** Classes that mentions have, with or without `silent`. */
const MENTIONS = new Set([
  'user-mention',
  'user-group-mention',
  'topic-mention',
  'user-mention channel-wildcard-mention',
])

function blocks(nodes: readonly Node[], found: string[]): true {
  for (const node of nodes) {
    if (textOf(node)?.match(/^\n+$/)) continue
    block(node, found)
  }
  return true
}

function block(node: Node, found: string[]): void {
  if (!isElement(node)) found.push(written(node))
  else if (isParagraphOfFormulas(node)) formulas(node, found)
  else if (!BLOCKS[nameOf(node)]?.(node, found)) found.push(written(node))
}

/**
 * The client checks only the first element. (An invalid formula hides the formulas after it from the client, as on other
 * servers.)
 */
function isParagraphOfFormulas(element: Element): boolean {
  const first = element.childNodes.find((node) => !isNamed(node, 'span.tex-error') && textOf(node) !== '\n\n')
  return nameOf(element) === 'p' && isNamed(first, 'span.katex-display')
}

/** Formulas that stand alone: several of them have an empty line between them. */
function formulas({ childNodes }: Element, found: string[]): void {
  for (const node of childNodes) {
    if (textOf(node) === '\n\n' || isNamed(node, 'span.tex-error')) continue
    const [katex] = isNamed(node, 'span.katex-display')
      ? named((node as Element).childNodes, 'span.katex')
      : []
    if (!katex || !isMath(katex, 'block')) found.push(written(node))
  }
}

function inlineIn(element: Element, found: string[]): true {
  for (const node of element.childNodes) inline(node, found)
  return true
}

function inline(node: Node, found: string[]): void {
  if (textOf(node) !== undefined) return
  if (isElement(node) && (isMention(node) || isEmoji(node) || INLINE[nameOf(node)]?.(node, found))) return
  found.push(written(node))
}

function isMention(element: Element): boolean {
  const classes = classOf(element).split(' ')
  return element.tagName === 'span' && MENTIONS.has(classes.filter((name) => name !== 'silent').join(' '))
}

function isEmoji(element: Element): boolean {
  return element.tagName === 'span' && /^emoji emoji(?:-[0-9a-f]+)+$/.test(classOf(element))
}

function isLink(element: Element, found: string[]): boolean {
  return has(element, 'href') && inlineIn(element, found)
}

/** Text may stand in an item without a paragraph; nothing may follow its pictures. (Rules it does not draw there.) */
function isList({ childNodes }: Element, found: string[]): true {
  for (const item of childNodes) {
    if (textOf(item) === '\n') continue
    if (!isNamed(item, 'li')) {
      found.push(written(item))
      continue
    }
    let afterPicture = false
    for (const node of (item as Element).childNodes) {
      if (textOf(node) === '\n') continue
      const isBlock = isElement(node) && /^(?:p|[ou]l|h[1-6r]|blockquote|table|div)$/.test(node.tagName)
      if (isBlock) block(node, found)
      else if (afterPicture) found.push(written(node))
      else inline(node, found)
      afterPicture = isNamed(node, 'div.message_inline_image')
    }
  }
  return true
}

const ALIGNMENTS = new Set([undefined, 'text-align: left;', 'text-align: center;', 'text-align: right;'])

/** Each part is on a line of its own, and every row is as wide as the head. */
function isTable({ childNodes }: Element, found: string[]): boolean {
  const [head, body] = onLines(childNodes, 'thead', 'tbody')
  const [row] = head ? onLines(head.childNodes, 'tr') : []
  if (!row || !body) return false
  const titles = cellsOf(row, 'th')
  const rows = body.childNodes.filter((node) => textOf(node) !== '\n')
  const cells = rows.map((node) => (isNamed(node, 'tr') ? cellsOf(node as Element, 'td') : undefined))
  if (!titles || !cells.every((found) => found?.length === titles.length)) return false
  for (const cell of [...titles, ...cells.flatMap((found) => found!)]) inlineIn(cell, found)
  return true
}

function cellsOf(row: Element, name: string): Element[] | undefined {
  const cells = row.childNodes.filter((node) => textOf(node) !== '\n')
  const isRight = (node: Node) => isNamed(node, name) && ALIGNMENTS.has(attribute(node as Element, 'style'))
  return cells.every(isRight) ? (cells as Element[]) : undefined
}

/** These elements in this order, with only line ends between them. */
function onLines(nodes: readonly Node[], ...names: string[]): Element[] {
  const lines = nodes.filter((_, index) => index % 2 === 0)
  const isRight = nodes.length === names.length * 2 + 1 && lines.every((node) => textOf(node) === '\n')
  return isRight
    ? named(
        nodes.filter((_, index) => index % 2 === 1),
        ...names,
      )
    : []
}

/** The token classes of highlighted code. */
const TOKENS = new Set(
  `w esc err x k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb
   sc dl sd s2 se sh si sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp
   gs gu ges gt`.split(/\s+/),
)

/** Plain text and tokens without nesting, behind an empty element that marks the start. */
function isCode({ childNodes }: Element): boolean {
  const [pre] = named(childNodes, 'pre')
  const [start, code] = pre ? named(pre.childNodes, 'span', 'code') : []
  if (!start || start.childNodes.length > 0 || !code) return false
  return code.childNodes.every((node) => {
    if (textOf(node) !== undefined) return true
    if (!isElement(node) || node.tagName !== 'span') return false
    return (
      classOf(node) === '' ||
      classOf(node)
        .split(' ')
        .some((name) => TOKENS.has(name))
    )
  })
}

/** The client reserves space by the size, and replaces the last part of a thumbnail's address by the format that it needs. */
function isPicture(element: Element): boolean {
  const picture = within(element, 'a', (name) => name.startsWith('img'), 'src')
  if (!picture) return false
  const size = attribute(picture, 'data-original-dimensions')
  const source = attribute(picture, 'src')!
  const isThumbnail = source.startsWith('/user_uploads/thumbnail/')
  return (
    (size === undefined || /^\d+x\d+$/.test(size)) &&
    (!isThumbnail || /^(?:\/[^/?#]+){6,}\.[a-z]+$/.test(source))
  )
}

function isLinkedPicture(element: Element): boolean {
  const picture = within(element, 'a', (name) => name === 'img', 'src')
  return !!picture && has(element.childNodes[0] as Element, 'href')
}

/** Returns the only child of the only element of this name, if it has the attribute. */
function within(
  { childNodes }: Element,
  outer: string,
  isInner: (name: string) => boolean,
  needed: string,
): Element | undefined {
  const [container] = named(childNodes, outer)
  const [inner, ...more] = container?.childNodes ?? []
  if (!inner || more.length > 0 || !isElement(inner)) return undefined
  return isInner(nameOf(inner)) && has(inner, needed) ? inner : undefined
}

function isWebsite({ childNodes }: Element): boolean {
  const [picture, data] = named(childNodes, 'a.message_embed_image', 'div.data-container')
  if (!picture || picture.childNodes.length > 0 || !data) return false
  const address = attribute(picture, 'href')
  if (!/^background-image: url\("[^"]+"\)$/.test(attribute(picture, 'style') ?? '')) return false
  const parts = data.childNodes.map((node) => (isElement(node) ? nameOf(node) : ''))
  const known = ['div.message_embed_title', 'div.message_embed_description'].filter((name) =>
    parts.includes(name),
  )
  if (parts.join() !== known.join()) return false
  return data.childNodes.every((node) => {
    const [title] = nameOf(node as Element).endsWith('title') ? named((node as Element).childNodes, 'a') : []
    const holder = title ?? (node as Element)
    return (!title || attribute(title, 'href') === address) && isOneText(holder)
  })
}

function isOneText({ childNodes }: Element): boolean {
  return childNodes.length === 1 && textOf(childNodes[0]!) !== undefined
}

/** The formula twice: as MathML with its source, and as it looks. */
function isMath(element: Element, display: string | undefined): boolean {
  const [mathml] = named(element.childNodes, 'span.katex-mathml', 'span.katex-html')
  const [math] = mathml ? named(mathml.childNodes, 'math') : []
  const [semantics] = math ? named(math.childNodes, 'semantics') : []
  if (math?.namespaceURI !== htmlNames.NS.MATHML || attribute(math, 'display') !== display) return false
  const source = semantics?.childNodes.at(-1)
  return isNamed(source, 'annotation') && attribute(source as Element, 'encoding') === 'application/x-tex'
}

/** Returns the nodes if they are exactly these elements; otherwise []. */
function named(nodes: readonly Node[], ...names: string[]): Element[] {
  const isRight = nodes.length === names.length && nodes.every((node, index) => isNamed(node, names[index]!))
  return isRight ? (nodes as Element[]) : []
}

function isNamed(node: Node | undefined, name: string): boolean {
  return !!node && isElement(node) && nameOf(node) === name
}

function nameOf(element: Element): string {
  const names = classOf(element)
  return names === '' ? element.tagName : `${element.tagName}.${names}`
}

function classOf(element: Element): string {
  return attribute(element, 'class') ?? ''
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value
}

function has(element: Element, name: string): boolean {
  return attribute(element, name) !== undefined
}

function textOf(node: Node): string | undefined {
  return node.nodeName === '#text' ? (node as DefaultTreeAdapterTypes.TextNode).value : undefined
}

function isElement(node: Node): node is Element {
  return 'tagName' in node
}

function written(node: Node): string {
  return serializeOuter(node)
}
