import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'

/**
 * The elements, attributes and values that rendered Markdown may have. What is not listed is a hole: the
 * tests parse renderings as a browser would and compare every element with this list.
 */
type ValueRule = RegExp | ((value: string) => boolean)
type Attributes = Readonly<Record<string, ValueRule>>

const anything: ValueRule = () => true
/** Schemes of links; the empty one is a path or a fragment of the realm itself. */
const linkSchemes = new Set([
  '',
  'http',
  'https',
  'ftp',
  'ftps',
  'mailto',
  'tel',
  'sms',
  'bitcoin',
  'xmpp',
  'sip',
  'sips',
])

/**
 * Returns the scheme that a browser would see: browsers ignore control characters and whitespace where our code might not.
 */
function schemeOf(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop exactly these.
  const seen = url.replace(/[\u0000-\u0020\u007f-\u00a0]/g, '')
  return /^([^/?#]*?):/.exec(seen)?.[1]?.toLowerCase() ?? ''
}

const link = (url: string): boolean => linkSchemes.has(schemeOf(url))
const source = (url: string): boolean => ['', 'http', 'https'].includes(schemeOf(url))

const length = '-?\\d*\\.?\\d+(?:em|ex|px|pt|%)?'
/** The declarations that KaTeX writes, and the alignment of table cells. */
const style = new RegExp(
  `^(?:(?:height|width|min-width|max-width|top|left|right|bottom|margin(?:-\\w+)?|padding(?:-\\w+)?|vertical-align|font-size|border-(?:\\w+-)?(?:width)|position|color|background-color|border-color|border-style|text-align|text-shadow|fill|stroke): ?(?:${length}|#[0-9a-fA-F]{3,8}|[a-z]+|calc\\([\\d.em +-]+\\)|0\\.02em 0\\.01em 0\\.04px)(?:;|$))*$`,
)

/** One declaration with a web address in a string, which nothing inside can end. */
const pictureOfWebsite =
  /^background-image: url\("(?:https?:\/\/|\/external_content\/)[^\s"'\\<>\u007f-\uffff]+"\)$/

const classOf =
  (...names: string[]): ValueRule =>
  (value) =>
    names.includes(value)
const number = /^-?\d+$/

const cell: Attributes = { style: /^text-align: (?:left|right|center);$/ }
const elements: Readonly<Record<string, Attributes>> = {
  p: {},
  br: {},
  hr: {},
  h1: {},
  h2: {},
  h3: {},
  h4: {},
  h5: {},
  h6: {},
  em: {},
  strong: {},
  del: {},
  code: {},
  pre: {},
  blockquote: {},
  ul: {},
  li: {},
  ol: { start: number },
  table: {},
  thead: {},
  tbody: {},
  tr: {},
  th: cell,
  td: cell,
  div: {
    class: classOf(
      'codehilite',
      'spoiler-block',
      'spoiler-header',
      'spoiler-content',
      'message_inline_image',
      'message_inline_image message_inline_video',
      'youtube-video message_inline_image',
      'message_embed',
      'data-container',
      'message_embed_title',
      'message_embed_description',
    ),
    'data-code-language': anything,
    'aria-hidden': /^true$/,
  },
  span: {
    class: /^[\w-]+(?: [\w-]+)*$/,
    'data-user-id': /^(?:\d+|\*)$/,
    'data-user-group-id': /^\d+$/,
    'aria-label': anything,
    'aria-hidden': /^true$/,
    role: /^img$/,
    title: anything,
    style,
  },
  a: {
    class: classOf('stream', 'stream-topic', 'message-link', 'message_embed_image'),
    'data-stream-id': number,
    'data-id': /^[\w-]{11}$/,
    href: link,
    style: pictureOfWebsite,
    title: anything,
  },
  img: {
    alt: anything,
    class: classOf('emoji', 'inline-image'),
    'data-original-src': source,
    'data-original-content-type': /^image\/[a-z]+$/,
    'data-original-dimensions': /^[1-9]\d*x[1-9]\d*$/,
    src: source,
    title: anything,
  },
  video: { 'data-video-original-url': source, preload: /^metadata$/, src: source },
  audio: {
    controls: /^$/,
    'data-original-url': source,
    preload: /^metadata$/,
    src: source,
    title: anything,
  },
  time: { datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/ },
}

/** KaTeX's drawings. */
const svgElements: Readonly<Record<string, Attributes>> = {
  svg: {
    xmlns: anything,
    width: anything,
    height: anything,
    viewBox: anything,
    preserveAspectRatio: anything,
    style,
  },
  path: { d: /^[\w\s.,-]*$/ },
  line: { x1: anything, x2: anything, y1: anything, y2: anything, 'stroke-width': anything },
}

/** MathML, as KaTeX writes it: presentation only, no links, no actions. */
const mathElements = new Set([
  'math',
  'semantics',
  'annotation',
  'mrow',
  'mi',
  'mn',
  'mo',
  'ms',
  'mtext',
  'mspace',
  'mfrac',
  'msqrt',
  'mroot',
  'msup',
  'msub',
  'msubsup',
  'mover',
  'munder',
  'munderover',
  'mmultiscripts',
  'mprescripts',
  'none',
  'mtable',
  'mtr',
  'mtd',
  'mlabeledtr',
  'mstyle',
  'mpadded',
  'mphantom',
  'menclose',
  'merror',
])
const mathAttributes = /^(?!on|href|src|xlink|actiontype|style$)[a-z]+$/i

/** Returns descriptions of everything in a rendering that is not allowed. */
export function violationsOf(html: string): string[] {
  const found: string[] = []
  const fragment = parseFragment(html, { onParseError: ({ code }) => found.push(`parse error: ${code}`) })
  visit(fragment, found)
  if (writtenTags(html).join() !== builtTags(fragment).join()) found.push('tags that do not nest as written')
  return found
}

const voidTags = new Set(['br', 'hr', 'img'])

/** The tags as they are written: no browser may have to close, move or drop one. */
function writtenTags(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-zA-Z][a-zA-Z0-9]*)([^>]*)>/g)].flatMap(([, tag, rest]) =>
    // Only elements of drawings are written with a slash at their end.
    rest!.endsWith('/') ? [tag!, `/${tag}`] : [tag!],
  )
}

/** The tags of the tree that a browser builds. */
function builtTags(node: DefaultTreeAdapterTypes.ParentNode): string[] {
  return node.childNodes.flatMap((child) => {
    if (!('tagName' in child)) return []
    const inside = [child.tagName, ...builtTags(child)]
    return voidTags.has(child.tagName) ? inside : [...inside, `/${child.tagName}`]
  })
}

function visit(node: DefaultTreeAdapterTypes.ParentNode, found: string[]): void {
  for (const child of node.childNodes) {
    if (child.nodeName === '#text') continue
    if (!('tagName' in child)) {
      found.push(`a ${child.nodeName}`)
      continue
    }
    checkElement(child, found)
    visit(child, found)
  }
}

function checkElement(
  { tagName, namespaceURI, attrs }: DefaultTreeAdapterTypes.Element,
  found: string[],
): void {
  if (namespaceURI.endsWith('/MathML')) {
    if (!mathElements.has(tagName)) found.push(`<${tagName}> in a formula`)
    for (const { name, value } of attrs) {
      const isAllowed = name === 'style' ? style.test(value) : mathAttributes.test(name)
      if (!isAllowed) found.push(`<${tagName} ${name}="${value}">`)
    }
    return
  }
  const allowed = namespaceURI.endsWith('/svg') ? svgElements : elements
  const rules = Object.hasOwn(allowed, tagName) ? allowed[tagName] : undefined
  if (rules === undefined) {
    found.push(`<${tagName}>`)
    return
  }
  for (const { name, value } of attrs) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    const isAllowed = rule instanceof RegExp ? rule.test(value) : rule?.(value)
    if (!isAllowed) found.push(`<${tagName} ${name}="${value}">`)
  }
}
