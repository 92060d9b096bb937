import type { Delimiter, Env, MarkdownIt, StateInline, Token } from 'markdown-it'

/**
 * Tokens, and a state of inline text, with fields of their own classes. The library, as it is published, sets each field by its name, which
 * took a quarter of the time of a short message.
 */

type Attribute = NonNullable<Token['attrs']>[number]
type Meta = StateInline['tokens_meta'][number]

export class OwnToken implements Token {
  type: string
  tag: string
  nesting: Token['nesting']
  attrs: Attribute[] | null = null
  map: Token['map'] = null
  level = 0
  children: Token[] | null = null
  content = ''
  markup = ''
  info = ''
  meta: Token['meta'] = null
  block = false
  hidden = false

  constructor(type: string, tag: string, nesting: Token['nesting']) {
    this.type = type
    this.tag = tag
    this.nesting = nesting
  }

  attrIndex(name: string): number {
    return this.attrs?.findIndex((attribute) => attribute[0] === name) ?? -1
  }

  attrPush(attribute: Attribute): void {
    this.attrs ??= []
    this.attrs.push(attribute)
  }

  attrSet(name: string, value: Attribute[1]): void {
    const known = this.#find(name)
    if (known) known[1] = value
    else this.attrPush([name, value])
  }

  attrGet(name: string): Attribute[1] | null {
    return this.#find(name)?.[1] ?? null
  }

  attrJoin(name: string, value: Attribute[1]): void {
    const known = this.#find(name)
    if (known) known[1] = `${known[1]} ${value}`
    else this.attrPush([name, value])
  }

  #find(name: string): Attribute | undefined {
    return this.attrs?.find((attribute) => attribute[0] === name)
  }
}

class OwnInlineState implements StateInline {
  readonly src: string
  readonly env: Env
  readonly md: MarkdownIt
  readonly tokens: Token[]
  readonly tokens_meta: Meta[]
  pos = 0
  posMax: number
  level = 0
  pending = ''
  pendingLevel = 0
  cache: StateInline['cache'] = {}
  backticks: StateInline['backticks'] = {}
  backticksScanned = false
  skipHtmlSpecial = false
  linkLevel = 0
  delimiters: Delimiter[] = []
  _prev_delimiters: Delimiter[][] = []
  readonly Token = OwnToken
  readonly scanDelims: StateInline['scanDelims']

  constructor(src: string, md: MarkdownIt, env: Env, tokens: Token[], scanDelims: StateInline['scanDelims']) {
    this.src = src
    this.env = env
    this.md = md
    this.tokens = tokens
    this.tokens_meta = Array(tokens.length)
    this.posMax = src.length
    this.scanDelims = scanDelims
  }

  pushPending(): Token {
    const token = new OwnToken('text', '', 0)
    token.content = this.pending
    token.level = this.pendingLevel
    this.tokens.push(token)
    this.pending = ''
    return token
  }

  /** Adds a token. Delimiters of emphasis pair up within the innermost open token. */
  push(type: string, tag: string, nesting: Token['nesting']): Token {
    if (this.pending !== '') this.pushPending()
    const token = new OwnToken(type, tag, nesting)
    let meta: Meta
    if (nesting < 0) {
      this.level -= 1
      this.delimiters = this._prev_delimiters.pop()!
    }
    token.level = this.level
    if (nesting > 0) {
      this.level += 1
      this._prev_delimiters.push(this.delimiters)
      this.delimiters = []
      meta = { delimiters: this.delimiters }
    }
    this.pendingLevel = this.level
    this.tokens.push(token)
    this.tokens_meta.push(meta)
    return token
  }
}

/** Makes the parser use them. The rules of blocks keep the library's, since few messages have any. */
export function useOwnStates(md: MarkdownIt): void {
  const { scanDelims } = md.inline.State.prototype
  md.inline.State = class extends OwnInlineState {
    constructor(src: string, md: MarkdownIt, env: Env, tokens: Token[]) {
      super(src, md, env, tokens, scanDelims)
    }
  }
}
